"""From consoles, compiler output and recorded requests to results."""

from __future__ import annotations

from pathlib import Path

import pytest

from patchgen.errors import InputError
from patchgen.kernel.arches import BOARDS, BOOT_FRAGMENTS, fragment_lines, fragment_names
from patchgen.kernel.boot import Booted, qemu_command
from patchgen.kernel.console import read_console
from patchgen.kernel.evidence import Evidence, Result
from patchgen.kernel.judge import judge_boot
from patchgen.kernel.kconfig import last_wins, lost_lines
from patchgen.kernel.make import Built, _Reader
from patchgen.kernel.plans import Loading, boot_stages, plan_text
from patchgen.kernel.replay import read_records, replay, replay_result
from patchgen.kernel.tree_checks import _in_kconfig
from patchgen.series.load import load
from reference.modes import cbc_encrypt

ALGORITHMS = ("realtek-md5",)
GOOD = """\
[ 0.1] Linux version 6.12
[ 1.0] @stage self-tests
[ 2.0] @| name         : md5
[ 2.0] @| driver       : realtek-md5
[ 2.0] @| selftest     : passed
[ 2.0] @|
[ 2.1] @| 1234
[ 3.0] @stage threads
[ 3.1] engine-test: threads: passed, 8 requests, 0 errors, 0 wrong, engine did 9 runs and 0 resets
[ 4.0] @over
"""


def booted(text: str, ended: str = "over") -> Booted:
    lines = tuple(text.splitlines())
    return Booted(read_console(lines), lines, 5.0, ended, ("qemu",))


def engine():
    matrix = load("realtek").spec.verify
    assert matrix is not None
    assert matrix.engine is not None
    return matrix.engine


def judged(text: str, ended: str = "over") -> dict[str | None, Result]:
    stages = boot_stages(Loading(("crypto_engine.ko",)), engine(), ("threads",))
    results = judge_boot("malta", booted(text, ended), stages, ALGORITHMS, with_model=True)
    return {r.stage: r for r in results}


def test_a_good_boot_passes_and_says_what_ran():
    results = judged(GOOD)
    assert {r.verdict for r in results.values()} == {"passed"}
    assert "realtek-md5" in results["self-tests"].detail
    assert "1234 runs" in results["self-tests"].detail
    assert "8 requests" in results["threads"].detail


@pytest.mark.parametrize(("damage", "stage", "reason"), [
    (("selftest     : passed", "selftest     : unknown"), "self-tests", "selftest is unknown"),
    (("realtek-md5", "md5-generic"), "self-tests", "not in /proc/crypto"),
    (("@| 1234", "@| 0"), "self-tests", "without a single request"),
    (("[ 3.1] ", "[ 3.1] BUG: KASAN: bad\n[ 3.2] "), "threads", "KASAN: bad"),
    (("and 0 resets", "and 2 resets"), "threads", "had to be reset 2"),
    (("[ 3.0] @stage threads", "[ 3.0] @fail load /mod/driver.ko: error -2"), "threads",
     "not reached"),
    (("[ 0.1] Linux", "[ 0.1] Oops[#1]: Linux"), "boot", "oops"),
])
def test_each_damage_fails_where_it_shows(damage, stage, reason):
    results = judged(GOOD.replace(*damage))
    assert results[stage].verdict == "failed"
    assert reason in results[stage].detail


def test_a_boot_that_stops_says_where():
    results = judged(GOOD.replace("[ 4.0] @over\n", ""), ended="timeout")
    assert "timeout" in results["boot"].detail
    assert results["threads"].verdict == "failed"


def test_every_stage_of_the_plan_is_understood_by_init():
    text = plan_text(boot_stages(Loading(("crypto_engine.ko",), kmemleak=True), engine()))
    words = {line.split()[0].lstrip("-") for line in text.splitlines()}
    assert words == {"stage", "load", "unload", "write", "show", "await", "sleep", "repeat", "end"}
    assert max(map(len, text.splitlines())) < 500
    assert len(text) < 16384
    assert text.count("repeat 200") == 2


def test_qemu_is_called_without_network_and_display():
    command = qemu_command(BOARDS["virt"], Path("Image"), Path("rd"), "swiotlb=force", "D2")
    assert command[0] == "qemu-system-aarch64"
    assert "-nographic" in command
    assert command[-1].endswith("plan=D2 swiotlb=force")


def test_fragments_of_every_board_are_there_and_do_not_contradict():
    for board in BOARDS.values():
        assert set(board.fragments) <= set(fragment_names())
    lines = [line for name in BOOT_FRAGMENTS for line in fragment_lines(name)]
    assert len(last_wins(lines)) == len(lines)


def test_lost_configuration_lines_are_named():
    config = "CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_C=m\n"
    wanted = ["CONFIG_A=y", "# CONFIG_B is not set", "# CONFIG_NEW is not set", "CONFIG_C=y",
              "CONFIG_D=y", "# CONFIG_A is not set"]
    assert lost_lines(config, wanted) == ("CONFIG_C=y", "CONFIG_D=y", "# CONFIG_A is not set")


def test_remarks_are_read_with_paths_of_the_tree():
    reader = _Reader(Path("/b/6.12-1/source"), Path("/b/6.12-1/build"), lambda _: None)
    for line in (
        "  CC [M]  drivers/crypto/realtek/realtek_crypto.o",
        "/b/6.12-1/source/drivers/crypto/realtek/x.c:12:5: warning: unused variable 'a' [-Wunused]",
        "/b/6.12-1/source/drivers/crypto/realtek/y.h:3: error: oh no",
        "make[3]: *** [x] Error 1",
    ):
        assert reader.take(line)
    first, second = reader.remarks
    assert (first.file, first.line, first.level) == ("drivers/crypto/realtek/x.c", 12, "warning")
    assert second.file == "drivers/crypto/realtek/y.h"
    assert len(reader.failures) == 2
    built = Built((), False, 1.0, (first, second), ())
    assert built.ours(["drivers/crypto/realtek/x.c"]) == (first,)
    assert built.ours(["drivers/crypto/realtek/"]) == (first, second)


def test_symbols_in_kconfig_text():
    text = "config X\n\tdepends on (A_B || !C_D) && HAS_DMA\n\tselect E_F if G_H\n\thelp\n\t  NOT\n"
    assert set(_in_kconfig(text)) == {"A_B", "C_D", "HAS_DMA", "E_F", "G_H"}


def recorded() -> list[str]:
    key, iv, data = bytes(range(16)), bytes(range(16, 32)), bytes(range(64, 96))
    word0 = 1 << 31 | 1 << 29 | 7 << 23 | 1 << 21 | 1 << 19 | 16
    own = 1 << 31
    return [
        "engine-record: begin src 2 dst 1",
        f"engine-record: slot 2 {word0:08x} 00000020 00000000 00000100",
        f"engine-record: slot 3 {own | 16:08x} 00000020 00000000 00000200",
        f"engine-record: slot 4 {own | 32:08x} 00000020 00000000 00000300",
        f"engine-record: slot 5 {own:08x} 00000020 00000000 00000000",
        f"engine-record: destination {own | 32:08x} 00000400",
        f"engine-record: memory 00000100 {key.hex()}",
        f"engine-record: memory 00000200 {iv.hex()}",
        f"engine-record: memory 00000300 {data.hex()}",
        f"engine-record: output 00000400 {cbc_encrypt(key, iv, data).hex()}",
        "engine-record: end src 6",
    ]


def test_a_recorded_request_is_run_again():
    (record,) = read_records(recorded())
    assert replay(record) is None
    assert replay_result("malta", recorded()).verdict == "passed"


@pytest.mark.parametrize(("old", "new", "why"), [
    ("memory 00000300 40", "memory 00000300 41", "output differ"),
    ("slot 5 80000000", "slot 5 c0000000", "stopped at slot 0"),
    ("slot 4 80000020", "slot 4 8000001f", "refused"),
])
def test_a_recorded_request_that_differs_is_told(old, new, why):
    lines = [line.replace(old, new) for line in recorded()]
    result = replay_result("malta", lines)
    assert result.verdict == "failed"
    assert why in result.detail


def test_no_record_is_a_failure():
    assert replay_result("malta", ["nothing"]).verdict == "failed"


def evidence(*results: Result) -> Evidence:
    return Evidence("realtek", 4, "6.12.74", "Linux 6.12.74", ("one",), "f" * 64, {"make": "4.3"},
                    {"mips": ("CONFIG_A=y",)}, results, {},
                    ("realtek-md5",), True, 9.0, ("malta",))


def test_a_letter_may_say_what_passed_and_that_it_was_a_model():
    made = evidence(Result("build", "mips", "passed", "ok", patch=1),
                    Result("boot", "malta", "passed", "ok", stage="self-tests"))
    first, second = made.as_json()["sentences"]
    assert first == "Every patch built on Linux 6.12.74 (mips) without a warning."
    assert second == ("The self-tests of realtek-md5 passed in QEMU (malta) under an engine "
                      "model, not on hardware.")


def test_a_letter_may_say_nothing_when_something_failed():
    made = evidence(Result("build", "mips", "failed", "no", patch=1))
    assert made.as_json()["sentences"] == []
    assert made.as_json()["verdict"] == "failed"
    assert made.failures == made.results


def test_the_matrix_of_realtek_is_what_the_series_promises():
    matrix = load("realtek").spec.verify
    assert matrix is not None
    assert matrix.kernels == ("6.1", "6.12")
    assert {b.arch for b in matrix.build} == {"mips", "mipsel", "arm64", "x86_64"}
    options = [set(b.options) for b in matrix.build]
    assert any("CONFIG_HIGHMEM=y" in o for o in options)
    assert any("CONFIG_CRYPTO_DEV_REALTEK=y" in o for o in options)
    assert {b.board for b in matrix.boot} == {"malta", "virt"}
    assert any("swiotlb=force" in b.append for b in matrix.boot)
    assert len(matrix.algorithms) == 5
    assert matrix.randconfigs > 0


def test_an_unknown_fragment_is_an_error():
    with pytest.raises((InputError, FileNotFoundError)):
        fragment_lines("no-such-board")
