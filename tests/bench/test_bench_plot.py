"""Pictures look like the reference pictures, and change when a figure does."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest
from bench_logs import MT7622, QCE, REALTEK, ghash_sections

from patchgen.bench.compare import compare
from patchgen.bench.reader import read_log, read_text
from patchgen.bench.selection import Selection, select
from patchgen.bench.sides import Side, split_sides
from patchgen.errors import InputError, ToolMissingError

pytest.importorskip("matplotlib", reason="needs: pip install 'patchgen[plot]'")
pytest.importorskip("PIL", reason="needs: pip install pillow")

from patchgen.bench.plot import ratio_plot, throughput_plot

PICTURES = Path(__file__).parent / "pictures"
TOLERANCE = 0.3
"""Mean difference of grey levels (0 to 255) that rendering may make elsewhere."""


def qce_sides(replace: tuple[str, str] = ("", "")) -> tuple[Side, ...]:
    text = QCE.read_text()
    if replace[0]:
        assert replace[0] in text
        text = text.replace(*replace)
    return split_sides([read_text(text, "qce.log")])


def pictures() -> dict[str, bytes]:
    realtek = select([read_log(path) for path in REALTEK], Selection(("md5", "sha1", "cbc(aes)")))
    gcm = select([read_log(path) for path in MT7622], Selection(("gcm(aes)",)))
    return {
        "realtek-throughput": throughput_plot(split_sides(realtek), "png"),
        "qce-throughput": throughput_plot(qce_sides(), "png"),
        "mt7622-ratio": ratio_plot(compare(split_sides(gcm)), "png"),
        "ghash-ratio": ratio_plot(compare(split_sides([read_text(ghash_sections())])), "png"),
    }


def difference(one: bytes, other: bytes) -> float:
    from PIL import Image, ImageChops, ImageStat

    first, second = (Image.open(io.BytesIO(data)).convert("L") for data in (one, other))
    if abs(first.width - second.width) > 4 or abs(first.height - second.height) > 4:
        return 255.0
    return float(ImageStat.Stat(ImageChops.difference(first, second.resize(first.size))).mean[0])


@pytest.fixture(scope="module")
def drawn() -> dict[str, bytes]:
    return pictures()


@pytest.mark.parametrize("name", [
    "realtek-throughput", "qce-throughput", "mt7622-ratio", "ghash-ratio"])
def test_reference_pictures(name: str, drawn: dict[str, bytes]) -> None:
    reference = (PICTURES / f"{name}.png").read_bytes()
    assert difference(reference, drawn[name]) < TOLERANCE


def test_the_tolerance_sees_a_changed_figure(drawn: dict[str, bytes]) -> None:
    reference = (PICTURES / "qce-throughput.png").read_bytes()
    changed = throughput_plot(qce_sides(("12,845,056", "52,845,056")), "png")
    assert difference(reference, changed) > TOLERANCE
    assert difference(reference, drawn["realtek-throughput"]) > TOLERANCE


def test_black_and_white(drawn: dict[str, bytes]) -> None:
    from PIL import Image

    for data in drawn.values():
        red, green, blue = Image.open(io.BytesIO(data)).convert("RGB").split()
        assert red.tobytes() == green.tobytes() == blue.tobytes()


def test_svg_is_the_same_every_time() -> None:
    logs = select([read_log(QCE)], Selection(blocks=(16, 8192)))
    first, second = (throughput_plot(split_sides(logs), "svg") for _ in range(2))
    assert first == second
    assert first.lstrip().startswith(b"<?xml")
    assert not re.search(rb"\d{4}-\d\d-\d\dT", first)


def test_labels_are_taken_literally() -> None:
    log = read_text("testing speed of $x_y$(a) (_d$) encryption\n"
                    "test 0 (128 bit key, 16 byte blocks): 5 operations in 1 seconds (80 bytes)\n"
                    "test 0 (128 bit key, 64 byte blocks): 4 operations in 1 seconds (256 bytes)\n")
    assert throughput_plot(split_sides([log]), "png").startswith(b"\x89PNG")


def test_nothing_to_plot() -> None:
    log = read_text("aes-cbc   128b   1136.9 MiB/s   3630.5 MiB/s\n")
    with pytest.raises(InputError, match="no figure has a block size"):
        throughput_plot(split_sides([log]))
    many = "".join(f"testing speed of a{n} (d)\ntest  0 (   16 byte blocks,   16 bytes per update,"
                   "   1 updates):      5 opers/sec,        80 bytes/sec\n" for n in range(40))
    with pytest.raises(InputError, match="too many for one picture; choose at most"):
        throughput_plot(split_sides([read_text(many)]))


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ToolMissingError, match=r"pip install 'patchgen\[plot\]'"):
        throughput_plot(qce_sides())
