"""``patchgen checks``: the list, one check, unknown names."""

from __future__ import annotations

import json

import pytest

from patchgen.cli.main import main


def test_list_names_rules_and_external_checkers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["checks", "--scope", "code"]) == 0
    out = capsys.readouterr().out
    assert "dma-unmap-count" in out
    assert "error" in out
    assert "sparse" in out


def test_one_check_shows_both_examples_and_what_is_found(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["checks", "dma-unmap-count"]) == 0
    out = capsys.readouterr().out
    assert "Why:" in out
    assert "Fix:" in out
    assert "dma_unmap_sg(dev, sg, mapped, DMA_TO_DEVICE);" in out
    assert "-> line 8: mapped is what dma_map_sg() returned at line 3" in out
    assert "patchgen: ignore dma-unmap-count:" in out


def test_json_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["checks", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["command"] == "checks"
    ids = [c["id"] for c in document["checks"]]
    assert ids == sorted(ids)
    assert {"lock-balance", "kconfig-keyword", "binding-title"} <= set(ids)
    assert main(["checks", "lock-balance", "--json"]) == 0
    one = json.loads(capsys.readouterr().out)
    assert one["examples"]["bad"]
    assert one["severity"] == "error"


@pytest.mark.parametrize(("argv", "words"), [
    (["checks", "dma-unmap-cuont"], "did you mean dma-unmap-count"),
    (["checks", "--scope", "nonsense"], "there is no scope"),
])
def test_unknown_names_are_one_line(
    argv: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in captured.err
    assert len(captured.err.strip().splitlines()) == 1
