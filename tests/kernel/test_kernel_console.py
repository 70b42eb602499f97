"""Reading consoles and /proc/crypto: lines as real kernels printed them."""

from __future__ import annotations

import pytest

from patchgen.kernel.console import plain, read_console, trouble_in
from patchgen.kernel.proc_crypto import read_proc_crypto

TROUBLE = {
    "[   12.345678] DMA-API: realtek-crypto 1d00c000.crypto: device driver frees DMA sg list with "
    "different entry count [map count=4] [unmap count=2]": "DMA-API",
    "DMA-API: realtek-crypto 1d00c000.crypto: device driver maps memory from stack [addr=0a]":
        "DMA-API",
    "BUG: sleeping function called from invalid context at kernel/x.c:12": "sleeping while atomic",
    "WARNING: inconsistent lock state": "lockdep",
    "WARNING: possible circular locking dependency detected": "lockdep",
    "INFO: trying to register non-static key.": "lockdep",
    "BUG: spinlock bad magic on CPU#0, swapper/1": "lockdep",
    "BUG: KASAN: slab-use-after-free in rtce_reap+0x1c/0x80": "KASAN",
    "Unable to handle kernel NULL pointer dereference at virtual address 0000000c": "oops",
    "CPU 0 Unable to handle kernel paging request at virtual address 00001234": "oops",
    "Oops[#1]:": "oops",
    "INFO: task kworker/0:1:12 blocked for more than 60 seconds.": "hang",
    "rcu: INFO: rcu_preempt self-detected stall on CPU": "hang",
    "alg: skcipher: realtek-cbc-aes encryption test failed (wrong result) on test vector 0":
        "self-test",
    "alg: self-tests for cbc(aes) using realtek-cbc-aes failed (rc=-22)": "self-test",
    "WARNING: CPU: 0 PID: 1 at crypto/testmgr.c:5940 alg_test+0x1/0x2": "warning",
    "engine-model: complaint leak: 64 bytes at 0x12, mapped by f+0x1/0x2, are still mapped":
        "engine model",
    "engine-test: failed: md5 of 3 bytes never ended": "engine test",
    "list_add corruption. prev->next should be next": "list corruption",
    "refcount_t: underflow; use-after-free.": "refcount",
    "rtl_crypto: Unknown symbol engine_read (err -2)": "module",
    "ODEBUG: free active (active state 0) object type: timer_list": "debug objects",
    "BUG kmalloc-64 (Not tainted): Poison overwritten": "memory",
    "irq 12: nobody cared (try booting with the irqpoll option)": "warning",
}


@pytest.mark.parametrize("line", TROUBLE, ids=lambda line: line[:40])
def test_trouble_is_seen_and_named(line: str):
    found = trouble_in(plain(line))
    assert found is not None
    assert found[0] == TROUBLE[line]
    assert found[1]


@pytest.mark.parametrize("line", [
    "DMA-API: preallocated 65586 debug entries",
    "DMA-API: debugging enabled by kernel config",
    "alg: extra crypto tests enabled.  This is intended for developer use only.",
    "alg: self-tests disabled",
    "engine_model: loading out-of-tree module taints kernel.",
    "Lock dependency validator: Copyright (c) 2006 Red Hat, Inc., Ingo Molnar",
    "realtek-crypto 1d00c000.crypto: resetting the engine",
    "engine-test: threads: passed, 200 requests, 0 errors, 0 wrong, engine did 9 runs and 0 resets",
    "hrtimer: interrupt took 4979236 ns",
    "kmemleak: Kernel memory leak detector initialized (mem pool available: 15907)",
    "rcu: Hierarchical SRCU implementation.",
    "NR_IRQS: 256",
])
def test_what_healthy_kernels_print_is_no_trouble(line: str):
    assert trouble_in(line) is None


def test_stages_hold_their_lines_failures_and_trouble():
    console = read_console([
        "[    0.000000] Linux version 6.12",
        "[    1.000000] @stage self-tests",
        "[    1.100000][    T1] BUG: KASAN: use-after-free in x",
        "[    1.200000] @| name         : md5",
        "[    1.300000] @stage leaks",
        "[    1.400000] @fail unload rtl_crypto: error -11",
        "[    1.500000] @| unreferenced object 0x8000 (size 64):",
        "[    1.600000] @over",
    ])
    assert console.finished
    assert [s.name for s in console.stages] == ["boot", "self-tests", "leaks"]
    first, second = console.stages[1:]
    assert first.troubles[0].kind == "KASAN"
    assert first.troubles[0].line == 3
    assert first.shown == ("name         : md5",)
    assert second.failures == ("unload rtl_crypto: error -11",)
    assert second.troubles[0].kind == "memory leak"
    assert not first.ok
    assert not second.ok


def test_a_log_that_stops_is_not_finished():
    assert not read_console(["[ 1.0] @stage x"]).finished


def test_proc_crypto_entries():
    text = """\
name         : ctr(aes)
driver       : realtek-ctr-aes
module       : rtl_crypto
priority     : 300
refcnt       : 1
selftest     : passed
internal     : no
type         : skcipher
async        : yes
blocksize    : 1
chunksize    : 16

name         : cbc(aes)
driver       : cbc(aes-generic)
module       : kernel
priority     : 100
selftest     : unknown
type         : larval

name         : md5
driver       : md5-generic
module       : kernel
priority     : 0
selftest     : unknown
type         : shash
"""
    ctr, md5 = read_proc_crypto(text.splitlines())
    assert (ctr.name, ctr.driver, ctr.priority, ctr.selftest) == (
        "ctr(aes)", "realtek-ctr-aes", 300, "passed")
    assert ctr.field("chunksize") == "16"
    assert ctr.field("ivsize") is None
    assert md5.selftest == "unknown"
