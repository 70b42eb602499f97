"""Kconfig, Makefile and MAINTAINERS entries: right place, right shape, known when there."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchgen.errors import InputError
from patchgen.profiles import profile_for
from patchgen.render import RenderContext
from patchgen.steps.base import StepContext
from patchgen.steps.kconfig import KconfigStep
from patchgen.steps.maintainers import MaintainersStep
from patchgen.steps.makefile import MakefileStep
from patchgen.steps.ordering import gap_for
from patchgen.tree import DirectoryBase, EmbeddedBase, FileEntry, Tree

CONTEXT = StepContext(RenderContext(profile_for("6.12")), "Some One <one@example.org>")
KCONFIG = """\
if CRYPTO_HW

config CRYPTO_DEV_ALPHA
\ttristate "Alpha"
\thelp
\t  config in a help text is no entry.

config CRYPTO_DEV_ALPHA_DEBUG
\tbool "Alpha debugging"
\tdepends on CRYPTO_DEV_ALPHA

choice
\tprompt "Kind"
\tdepends on CRYPTO_DEV_ALPHA

config CRYPTO_DEV_ALPHA_ONE
\tbool "one"

endchoice

config CRYPTO_DEV_ZULU
\ttristate "Zulu"

endif
"""


def tree_of(**files: str) -> Tree:
    return Tree(EmbeddedBase({name: FileEntry(text.encode()) for name, text in files.items()}))


def entry(symbol: str, **more: object) -> KconfigStep:
    return KconfigStep(file="Kconfig", symbol=symbol, help="Some help.", prompt="P", **more)


def kconfig_with(step: KconfigStep, text: str = KCONFIG) -> list[str]:
    tree = tree_of(Kconfig=text)
    assert step.already_applied(tree, CONTEXT) is None
    after = step.apply(tree, CONTEXT)
    assert step.already_applied(after, CONTEXT) is not None
    return after.read("Kconfig").splitlines()


def test_a_full_entry_reads_like_the_kernel() -> None:
    step = KconfigStep(
        file="Kconfig", symbol="CRYPTO_DEV_NEW", type="int", prompt="Largest request",
        depends=("OF", "MIPS || COMPILE_TEST"), default=("512",), range=(0, 4096),
        select=("CRYPTO_AES",), help="First " + "word " * 20 + "\n\nSecond.")
    assert step.entry() == (
        'config CRYPTO_DEV_NEW\n\tint "Largest request"\n\tdepends on OF\n'
        "\tdepends on MIPS || COMPILE_TEST\n\tdefault 512\n\trange 0 4096\n"
        "\tselect CRYPTO_AES\n\thelp\n"
        "\t  First word word word word word word word word word word word word\n"
        "\t  word word word word word word word word\n\n\t  Second.\n")
    assert all(len(line.expandtabs(8)) <= 78 for line in step.entry().splitlines())


def test_an_entry_goes_between_its_neighbours_with_one_blank_line() -> None:
    lines = kconfig_with(entry("CRYPTO_DEV_MIKE"))
    at = lines.index("config CRYPTO_DEV_MIKE")
    assert lines[at - 2 : at] == ["endchoice", ""]
    assert lines[at + 4 : at + 6] == ["", "config CRYPTO_DEV_ZULU"]


def test_an_entry_never_splits_a_submenu() -> None:
    lines = kconfig_with(entry("CRYPTO_DEV_ALPHA_CLUB"))
    at = lines.index("config CRYPTO_DEV_ALPHA_CLUB")
    assert lines.index("endchoice") < at < lines.index("config CRYPTO_DEV_ZULU")


def test_an_entry_past_the_last_one_stays_inside_the_if() -> None:
    lines = kconfig_with(entry("CRYPTO_DEV_ZZ"))
    assert lines.index("config CRYPTO_DEV_ZULU") < lines.index("config CRYPTO_DEV_ZZ")
    assert lines.index("config CRYPTO_DEV_ZZ") < lines.index("endif")
    assert lines[lines.index("endif") - 1] == ""


def test_after_names_an_entry_or_the_choice_around_it() -> None:
    lines = kconfig_with(entry("CRYPTO_DEV_AAA", after="CRYPTO_DEV_ALPHA_ONE"))
    assert lines[lines.index("config CRYPTO_DEV_AAA") - 2] == "endchoice"
    with pytest.raises(InputError, match="no entry NOWHERE"):
        kconfig_with(entry("X", after="NOWHERE"))


def test_already_applied_says_where() -> None:
    step = entry("CRYPTO_DEV_ZULU")
    assert step.already_applied(tree_of(Kconfig=KCONFIG), CONTEXT) == "Kconfig:21"


def test_a_symbol_that_another_one_starts_with_is_not_there() -> None:
    assert entry("CRYPTO_DEV_ALP").already_applied(tree_of(Kconfig=KCONFIG), CONTEXT) is None


@pytest.mark.parametrize("bad", [
    {"symbol": "lower", "help": "h"}, {"symbol": "X", "help": " "},
    {"symbol": "X", "help": "h", "type": "tristat"}, {"symbol": "X", "help": "h", "more": 1},
])
def test_a_wrong_entry_is_refused(bad: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"kind": "kconfig", "file": "Kconfig", **bad}, KconfigStep)


def makefile_after(text: str, symbol: str) -> list[str]:
    step = MakefileStep(file="Makefile", symbol=symbol, object="new/")
    tree = tree_of(Makefile=text)
    assert step.already_applied(tree, CONTEXT) is None
    after = step.apply(tree, CONTEXT)
    assert step.already_applied(after, CONTEXT) is not None
    return after.read("Makefile").splitlines()


def test_makefile_line_in_order() -> None:
    lines = makefile_after("obj-$(CONFIG_A) += a.o\nobj-$(CONFIG_C) += c.o\n", "B")
    assert lines == ["obj-$(CONFIG_A) += a.o", "obj-$(CONFIG_B) += new/", "obj-$(CONFIG_C) += c.o"]


def test_makefile_line_takes_the_alignment_of_its_neighbours() -> None:
    text = "obj-$(CONFIG_AAAA)\t\t+= a.o\nobj-$(CONFIG_CCCCCCCCC)\t+= c.o\n"
    assert makefile_after(text, "BB")[1] == "obj-$(CONFIG_BB)\t\t+= new/"


def test_makefile_keeps_continued_lines_together() -> None:
    text = "obj-$(CONFIG_A) += a.o \\\n\tb.o\n"
    assert makefile_after(text, "B") == [*text.splitlines(), "obj-$(CONFIG_B) += new/"]


def test_makefile_without_objects_is_refused() -> None:
    with pytest.raises(InputError, match="Makefile: has no obj-"):
        makefile_after("# nothing\n", "B")


MAINTAINERS = """\
How to read this: M: is a person.

ALPHA DRIVER
M:\tA <a@example.org>
F:\tdrivers/alpha/

ZULU DRIVER
L:\tz@example.org
F:\tdrivers/zulu/

THE REST
L:\trest@example.org
F:\t*
"""


@pytest.mark.parametrize(("title", "follower"), [
    ("AAA", "ALPHA DRIVER"), ("MIKE", "ZULU DRIVER"), ("ZZ TOP", "THE REST"),
])
def test_maintainers_in_alphabetical_order(title: str, follower: str) -> None:
    step = MaintainersStep(title=title, files=("drivers/x/", "a.yaml"), lists=("l@example.org",))
    tree = tree_of(MAINTAINERS=MAINTAINERS)
    assert step.already_applied(tree, CONTEXT) is None
    after = step.apply(tree, CONTEXT)
    text = after.read("MAINTAINERS")
    assert (f"\n{title}\nM:\tSome One <one@example.org>\nL:\tl@example.org\nS:\tMaintained\n"
            f"F:\ta.yaml\nF:\tdrivers/x/\n\n{follower}\n") in text
    assert step.already_applied(after, CONTEXT) is not None


def test_maintainers_that_cover_the_files_already() -> None:
    step = MaintainersStep(title="OTHER NAME", files=("drivers/zulu/",))
    assert step.already_applied(tree_of(MAINTAINERS=MAINTAINERS), CONTEXT) == "MAINTAINERS:9"


@given(st.lists(st.text("ABCDEF", min_size=1, max_size=4), unique=True),
       st.text("ABCDEF", min_size=1, max_size=5))
def test_a_sorted_list_stays_sorted(keys: list[str], new: str) -> None:
    keys.sort()
    gap = gap_for(keys, new)
    assert sorted([*keys, new]) == [*keys[:gap], new, *keys[gap:]] or new in keys


@given(st.lists(st.text("ABC", min_size=1, max_size=3)), st.text("ABC", min_size=1, max_size=3))
def test_an_unsorted_list_gets_an_index_inside(keys: list[str], new: str) -> None:
    assert 0 <= gap_for(keys, new) <= len(keys)


@pytest.mark.kernel
@pytest.mark.parametrize("version", ["6.1", "6.12"])
def test_on_a_real_tree(version: str, kernel_tree) -> None:
    tree = Tree(DirectoryBase(kernel_tree(version)))
    lines = kconfig_with_tree(tree)
    at = lines.index("config CRYPTO_DEV_REALTEK")
    before = [line for line in lines[:at] if line.startswith("config ")][-1]
    after = next(line for line in lines[at + 1 :] if line.startswith("config "))
    assert before < "config CRYPTO_DEV_REALTEK" < after


def kconfig_with_tree(tree: Tree) -> list[str]:
    step = KconfigStep(file="drivers/crypto/Kconfig", symbol="CRYPTO_DEV_REALTEK", help="h")
    return step.apply(tree, CONTEXT).read("drivers/crypto/Kconfig").splitlines()
