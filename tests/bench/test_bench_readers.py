"""Every form of log is read, and what cannot be read is listed by line."""

from __future__ import annotations

import pytest
from bench_logs import MT7622, QCE, REALTEK, cipher_line, hash_line, side_by_side, without_comments

from patchgen.bench.model import BenchLog, Measurement
from patchgen.bench.reader import read_log, read_text

CTR = "testing speed of async ctr(aes) (ctr-aes-ce) encryption"


def only(log: BenchLog) -> Measurement:
    assert len(log.measurements) == 1, log
    assert log.unread == ()
    return log.measurements[0]


@pytest.mark.parametrize("prefix", [
    "", "tcrypt: ", "[   12.345678] ", "[   12.345678] tcrypt: ", "<6>[12.3] tcrypt: ",
    "[Sat Dec 31 17:25:19 2022] tcrypt: ", "Dec 31 17:25:19 router kernel: [   12.3] tcrypt: ",
    "\x1b[32m[   12.345678] \x1b[0m\x1b[33mtcrypt: \x1b[0m", "> ",
])
def test_any_prefix_of_dmesg(prefix: str) -> None:
    text = f"{prefix}{CTR}\n{cipher_line(128, 16, 5891675, seconds=5, prefix=prefix)}\n"
    found = only(read_text(text))
    assert found.case.algorithm == "ctr(aes)"
    assert found.case.driver == "ctr-aes-ce"
    assert found.case.direction == "encrypt"
    assert (found.case.key_bits, found.case.block_bytes, found.case.update_bytes) == (128, 16, None)
    assert found.ops_per_second == 5891675 / 5
    assert found.bytes_per_second == 5891675 * 16 / 5
    assert found.seconds == 5
    assert found.line == 2


@pytest.mark.parametrize(("heading", "expected"), [
    ("sync ecb(aes) (ecb-x) decryption", ("ecb(aes)", "ecb-x", "decrypt", "")),
    ("cbc(aes) encryption", ("cbc(aes)", "", "encrypt", "")),
    ("multibuffer gcm(aes) (gcm-x) encryption", ("gcm(aes)", "gcm-x", "encrypt", "multibuffer")),
    ("rfc4106(gcm(aes)) (rfc4106(gcm_base(ctr(a),ghash-generic))) decryption",
     ("rfc4106(gcm(aes))", "rfc4106(gcm_base(ctr(a),ghash-generic))", "decrypt", "")),
])
def test_headings(heading: str, expected: tuple[str, ...]) -> None:
    case = only(read_text(f"testing speed of {heading}\n{cipher_line(160, 512, 100)}")).case
    assert (case.algorithm, case.driver, case.direction, case.variant) == expected


def test_hash_form_keeps_update_sizes() -> None:
    log = read_text("testing speed of async ghash (ghash-ce)\n" + hash_line(1024, 16, 111741)
                    + "\n" + hash_line(1024, 1024, 781719, test=8))
    assert [(m.case.update_bytes, m.value) for m in log.measurements] == [
        (16, 111741.0), (1024, 781719.0)]
    assert [m.curve.update_bytes for m in log.measurements] == [16, None]


def test_hash_rates_rounded_down_on_their_own() -> None:
    line = "test  0 (   64 byte blocks,   64 bytes per update,   1 updates): 1001 opers/sec, "
    log = read_text(f"testing speed of md5 (md5-generic)\n{line}64100 bytes/sec\n")
    assert only(log).value == 1001
    with pytest.raises(Exception, match="operations times block size"):
        read_text(f"testing speed of md5 (md5-generic)\n{line}64128 bytes/sec\n")


def test_cycles_forms() -> None:
    log = read_text(
        f"{CTR}\ntest 0 (128 bit key, 64 byte blocks): 1 operation in 1234 cycles (64 bytes)\n"
        "test 0 (128 bit key, 64 byte blocks): 1 operation in 1236 cycles (64 bytes)\n"
        "testing speed of async sha1 (sha1-ce)\n"
        "test  0 (   16 byte blocks,   16 bytes per update,   1 updates):    900 cycles/operation,"
        "   56 cycles/byte\n")
    cipher, hashed = log.measurements
    assert (cipher.cycles_per_operation, cipher.runs) == (1235, 2)
    assert cipher.ops_per_second is None
    assert cipher.bytes_per_second is None
    assert hashed.cycles_per_operation == 900
    assert cipher.speed == pytest.approx(1 / 1235)


def test_result_on_the_next_line() -> None:
    """Kernels before 6.12 print the cycles of ciphers without KERN_CONT."""
    log = read_text(f"{CTR}\ntest 0 (128 bit key, 16 byte blocks): \n"
                    "[   12.3] tcrypt: 1 operation in 900 cycles (16 bytes)\n")
    assert only(log).cycles_per_operation == 900


def test_another_driver_interrupts() -> None:
    log = read_text(
        f"{CTR}\ntcrypt: test 0 (128 bit key, 16 byte blocks): usb 1-1: new device\n"
        "[   12.4] 1000 operations in 1 seconds (16000 bytes)\n" + cipher_line(128, 64, 900))
    assert [m.value for m in log.measurements] == [1000, 900]
    assert log.unread == ()


def test_a_test_without_result_takes_no_later_one() -> None:
    log = read_text(f"{CTR}\n" + cipher_line(128, 64, 900) + "\n"
                    "tcrypt: test 0 (128 bit key, 16 byte blocks): \n" + cipher_line(128, 64, 902)
                    + "\n1000 operations in 1 seconds (16000 bytes)\n")
    assert [(m.value, m.runs) for m in log.measurements] == [(901, 2)]
    assert [(u.line, u.reason) for u in log.unread] == [
        (3, "cut off or interrupted: no result follows"), (5, "a result without its test")]


def test_two_tests_on_one_line() -> None:
    log = read_text(f"{CTR}\ntcrypt: test 0 (128 bit key, 16 byte blocks): "
                    + cipher_line(128, 64, 900, test=1))
    assert [(m.case.block_bytes, m.value) for m in log.measurements] == [(64, 900)]
    assert log.unread[0].reason == "the next test starts before its result"


@pytest.mark.parametrize(("cut", "ops"), [
    (")", 123456), ("s)", 123456), (" bytes)", 123456), ("2 bytes)", 123456),
    ("7901184 bytes)", 123456), (" (7901184 bytes)", 123456),
])
def test_cut_off_behind_the_figures(cut: str, ops: int) -> None:
    line = cipher_line(128, 64, 123456).replace("7901184", "7901184")
    if cut == "2 bytes)":
        cut = "4 bytes)"
    assert line.endswith(cut)
    log = read_text(f"{CTR}\n{line[:-len(cut)]}\n")
    assert only(log).value == ops
    assert log.cut == 1


@pytest.mark.parametrize("keep", [30, 45, 52, 58])
def test_cut_off_inside_the_figures(keep: int) -> None:
    """Of half a line nothing is guessed: not the block, not the count, not the seconds."""
    line = cipher_line(128, 64, 123456, prefix="")[:keep]
    log = read_text(f"{CTR}\n{cipher_line(128, 16, 7)}\n{line}\n")
    assert [m.value for m in log.measurements] == [7]
    assert [u.line for u in log.unread] == [3]


def test_side_by_side_with_cut_lines() -> None:
    left, right = (without_comments(path) for path in MT7622)
    log = read_text(side_by_side(left, right))
    alone = [read_log(path) for path in MT7622]
    for side, expected in zip(("left", "right"), alone, strict=True):
        found = [m for m in log.measurements if m.case.side == side]
        assert [(m.point, m.value) for m in found] == [
            (m.point, m.value) for m in expected.measurements]
    assert len(log.measurements) == 160
    assert log.cut >= 12
    assert log.unread == ()
    assert any("cut off" in text for text in log.notes)
    assert any(m.case.driver.endswith("…") for m in log.measurements)


def test_repeated_side_by_side_runs_take_the_quick_way_alike() -> None:
    heading = f"{CTR}   |  {CTR.replace('ctr-aes-ce', 'ctr-x')}"
    whole = f"{cipher_line(128, 16, 100)}   |  {cipher_line(128, 16, 300)}"
    cut = f"{cipher_line(128, 16, 102)}   |  {cipher_line(128, 16, 302)[:-1]}"
    wrong = f"{cipher_line(128, 16, 104)}   |  {cipher_line(128, 16, 304)[:-8]}1 bytes)"
    log = read_text("\n".join([heading, whole, cut, heading, whole, cut, wrong]))
    assert [(m.case.side, m.value, m.runs) for m in log.measurements] == [
        ("left", 102, 5), ("right", 301, 4)]
    assert log.cut == 2
    assert [(each.line, each.reason) for each in log.unread] == [
        (7, "operations times block size is not the bytes it states")]


def test_side_by_side_that_cuts_the_direction() -> None:
    left = "testing speed of gcm(aes) (gcm_base(ctr(aes-generic),ghash"
    right = "testing speed of gcm(aes) (gcm-aes-ce) decryption"
    tests = f"{cipher_line(128, 16, 100)}   |  {cipher_line(128, 16, 300)}"
    log = read_text(f"{left}   |  {right}\n{tests}\n")
    assert [(m.case.direction, m.value) for m in log.measurements] == [
        ("decrypt", 100), ("decrypt", 300)]
    assert "is what the same test beside it says" in " ".join(log.notes)


def test_cut_direction_alone_is_not_guessed() -> None:
    text = f"{CTR}\n{cipher_line(128, 16, 5)}\ntesting speed of gcm(aes) (gcm_base(ctr(aes-gen\n"
    log = read_text(text + cipher_line(128, 16, 100))
    assert [m.value for m in log.measurements] == [5]
    assert [(u.line, u.reason) for u in log.unread] == [
        (4, "its heading is cut off before the direction")]


def test_signs_of_diffs() -> None:
    both = read_text(f"-{CTR}\n+{CTR}\n-{cipher_line(128, 16, 100)}\n+{cipher_line(128, 16, 300)}")
    assert [(m.case.side, m.value) for m in both.measurements] == [("left", 100), ("right", 300)]


def test_summary_tables_by_block_size() -> None:
    log = read_log(REALTEK[0])
    assert log.unread == ()
    assert len(log.measurements) == 18 * 6 + 2 * 7
    values = {(m.case.algorithm, m.case.key_bits, m.case.direction, m.case.block_bytes): m.value
              for m in log.measurements}
    assert values["ecb(aes)", 128, "encrypt", 16] == 513593
    assert values["cbc(aes)", 256, "decrypt", 8192] == 995
    assert values["sha1", None, "", 4096] == 4237
    assert {m.case.side for m in log.measurements} == {"software"}


@pytest.mark.parametrize(("unit", "factor"), [
    ("byte/s", 1), ("bytes per second", 1), ("kB/s", 1000), ("MiB/s", 1 << 20), ("Mbit/s", 125000),
])
def test_units_in_headings(unit: str, factor: int) -> None:
    log = read_text(f"{unit} with the engine:\n        16 B   64 B\nmd5     12.5    100\n")
    assert [m.bytes_per_second for m in log.measurements] == [12.5 * factor, 100 * factor]
    assert log.measurements[0].case.side == "hardware"


def test_a_table_without_unit_is_not_guessed() -> None:
    with pytest.raises(Exception, match="names no unit"):
        read_text("some numbers:\n        16 B   64 B\nmd5     12   100\n")


def test_rows_that_do_not_fit_are_listed() -> None:
    log = read_text("op/s:\n              16 B   64 B\nmd5            12    100\n"
                    "ecb(aes) 128 bit encrypt   7\nsha1     1 2 3\n"
                    "what is this?  4 5\nsha1   -   9\n")
    assert [(m.case.algorithm, m.value) for m in log.measurements] == [
        ("md5", 12), ("md5", 100), ("sha1", 9)]
    assert [u.line for u in log.unread] == [4, 5, 6]


def test_table_by_parameter_value() -> None:
    log = read_log(QCE)
    sides = list(dict.fromkeys(m.case.side for m in log.measurements))
    assert sides == ["aes_sw_max_len=32768", "aes_sw_max_len=512", "aes_sw_max_len=0"]
    assert len(log.measurements) == 54
    found = [m for m in log.measurements
             if (m.case.key_bits, m.case.block_bytes) == (256, 768)]
    assert [m.bytes_per_second for m in found] == [12622080, 12550656, 14701824]
    assert {m.case.driver for m in found} == {"cbc-aes-qce"}


def test_parameter_table_without_unit_must_be_whole_blocks() -> None:
    table = ("testing speed of cbc(aes) (x) encryption\n---- ---- ----\nlimit 512 0\n"
             "---- ---- ----\n128 bit 16 bytes {} 320\n")
    log = read_text(table.format("1,600"))
    assert [m.bytes_per_second for m in log.measurements] == [1600, 320]
    assert "names no unit" in log.notes[0]
    with pytest.raises(Exception, match="names no unit"):
        read_text(table.format("1,601"))


CRYPTSETUP = """\
# Tests are approximate using memory only (no storage IO).
PBKDF2-sha256    1551148 iterations per second for 256-bit key
PBKDF2-whirlpool     N/A
argon2id      4 iterations, 1048576 memory, 4 parallel threads (CPUs) for 256-bit key
#     Algorithm |       Key |      Encryption |      Decryption
        aes-cbc        128b      1136.9 MiB/s      3630.5 MiB/s
    serpent-cbc        128b               N/A       713.2 MiB/s
        aes-xts        256b      2000.0 MiB/s      1999.5 MiB/s
"""


def test_cryptsetup_benchmark() -> None:
    log = read_text(CRYPTSETUP)
    values = {(m.case.algorithm, m.case.key_bits, m.case.direction): m for m in log.measurements}
    assert values["cbc(aes)", 128, "decrypt"].bytes_per_second == 3630.5 * 1048576
    assert values["xts(aes)", 256, "encrypt"].bytes_per_second == 2000 * 1048576
    assert values["pbkdf2-sha256", 256, ""].ops_per_second == 1551148
    assert values["cbc(aes)", 128, "encrypt"].ops_per_second is None
    assert [u.line for u in log.unread] == [4, 7]


OPENSSL = """\
Doing AES-128-GCM for 3s on 16 size blocks: 968937 AES-128-GCM's in 0.67s
Doing AES-128-GCM ops for 3s on 64 size blocks: 851917 AES-128-GCM ops in 0.64s
version: 3.0.22
The 'numbers' are in 1000s of bytes per second processed.
type             16 bytes     64 bytes
AES-128-GCM      23138.79k    85191.70k
sha256          100000.00k   200000.50k
rsa 2048 bits 0.000512s 0.000014s   1953.1  70921.9
"""


def test_openssl_speed_counts_each_figure_once() -> None:
    log = read_text(OPENSSL)
    values = {(m.case.algorithm, m.case.key_bits, m.case.block_bytes): m for m in log.measurements}
    assert len(values) == 4
    assert values["gcm(aes)", 128, 16].bytes_per_second == pytest.approx(968937 / 0.67 * 16)
    assert values["gcm(aes)", 128, 16].runs == 1
    assert values["sha256", None, 64].bytes_per_second == 200000500
    assert [u.line for u in log.unread] == [8]


def test_openssl_machine_readable() -> None:
    log = read_text("+DT:AES-128-CTR:1:16\n+R:27147707:AES-128-CTR:0.71\n+H:16:64\n"
                    "+F:25:AES-128-CTR:611779312.68:1349696000.00\n")
    assert [(m.case.block_bytes, m.runs) for m in log.measurements] == [(16, 1), (64, 1)]
    assert log.measurements[1].bytes_per_second == 1349696000


def test_quoted_printable_mail() -> None:
    line = cipher_line(128, 16, 5891675)
    text = ("Content-Transfer-Encoding: quoted-printable\n\nmode=3D200 sec=3D1\n"
            f"{CTR}\n{line[:70]}=\n{line[70:]}\n{line[:30]}=\n{line[30:]}\n")
    found = only(read_text(text))
    assert (found.value, found.runs) == (5891675, 2)


def test_mixed_log_with_repeated_runs() -> None:
    runs = [1000, 1010, 990, 1005, 995]
    text = "\n".join(f"{CTR}\n{cipher_line(128, 16, ops)}\nusb 1-1: new device 4" for ops in runs)
    log = read_text(text + "\n" + CRYPTSETUP + OPENSSL + "nothing to see, 12 of 13\n")
    found = log.measurements[0]
    assert (found.runs, found.value, found.low, found.high) == (5, 1000, 990, 1010)
    assert found.low_line == 8
    assert found.spread == pytest.approx(1.4826 * 5 / 1000)
    assert log.figures == 5 + 6 + 4


def test_sections_keep_runs_apart() -> None:
    text = "\n".join(f"{name}:\n{CTR}\n{cipher_line(128, 16, ops)}\n{cipher_line(128, 64, 9)}"
                     for name, ops in (("Before", 10), ("== AFTER ==", 20)))
    log = read_text(text)
    assert [(m.case.side, m.value) for m in log.measurements] == [
        ("before", 10), ("before", 9), ("after", 20), ("after", 9)]


def test_tables_we_print_can_be_read_again() -> None:
    from patchgen.bench.show import rate_grids
    from patchgen.bench.sides import split_sides

    log = read_log(REALTEK[1])
    text = "\n\n".join(grid.text() for grid in rate_grids(split_sides([log])))
    assert [(m.case, m.value) for m in read_text(text).measurements] == [
        (m.case, m.value) for m in log.measurements]
