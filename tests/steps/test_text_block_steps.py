"""Blocks of lines in files without a grammar: where they go, and what is taken away."""

from __future__ import annotations

import pytest

from patchgen.errors import InputError
from patchgen.profiles import profile_for
from patchgen.render import RenderContext
from patchgen.steps.base import StepContext
from patchgen.steps.text_block import TextBlockStep, TextRemoveStep
from patchgen.tree import EmbeddedBase, FileEntry, Tree

CONTEXT = StepContext(RenderContext(profile_for("6.1")), "Ann Author <ann@example.org>")
BLOCK = {"component": "parts", "template": "arm64/interleave.mk",
         "marker": "AFLAGS_aes-ce.o := -DINTERLEAVE=8"}


def tree(text: str) -> Tree:
    return Tree(EmbeddedBase({"file": FileEntry(text.encode())}, kernel_version="6.1"))


def test_block_goes_before_the_first_line_below_another_and_only_once() -> None:
    step = TextBlockStep(file="file", before="x =  1", below="second:", tight=True, **BLOCK)
    start = tree("x = 1\nsecond:\nx = 1\nx = 1\n")
    after = step.apply(start, CONTEXT)
    lines = after.read("file").splitlines()
    assert lines[:3] == ["x = 1", "second:", "AFLAGS_aes-ce.o := -DINTERLEAVE=8"]
    assert lines[-2:] == ["x = 1", "x = 1"]
    assert step.already_applied(start, CONTEXT) is None
    assert step.already_applied(after, CONTEXT) == "file:3"


def test_block_without_its_place_names_both_lines() -> None:
    step = TextBlockStep(file="file", before="x = 1", below="third:", **BLOCK)
    with pytest.raises(InputError, match=r"no line 'x = 1' below 'third:'"):
        step.apply(tree("x = 1\nsecond:\nx = 1\n"), CONTEXT)


def test_block_that_is_not_tight_stands_between_blank_lines() -> None:
    step = TextBlockStep(file="file", before="end", **BLOCK)
    lines = step.apply(tree("begin\nend\n"), CONTEXT).read("file").splitlines()
    assert lines[:2] == ["begin", ""]
    assert lines[-2:] == ["", "end"]


@pytest.mark.parametrize(("text", "left"), [
    ("a\n\n\t/*\n\t * macro - does it\n\t */\n\t.macro macro\n\t.endm\n\nb\n", "a\n\nb\n"),
    ("a\n/* other */\n\t * macro - does it\n\t.endm\nb\n", "a\n/* other */\nb\n"),
])
def test_removal_takes_the_opening_of_its_comment(text: str, left: str) -> None:
    step = TextRemoveStep(file="file", first=r"\t \* macro - .*", last=r"\t\.endm")
    after = step.apply(tree(text), CONTEXT)
    assert after.read("file") == left
    assert step.already_applied(after, CONTEXT) is not None
