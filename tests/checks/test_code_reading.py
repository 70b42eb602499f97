"""Reading C without a compiler: macros, kernel words, types nobody declared, both parsers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchgen.checks.code import check_sources
from patchgen.checks.code.component import Component
from patchgen.checks.code.conditions import Evaluator
from patchgen.checks.code.tokens import split_comments
from patchgen.profiles import KernelVersion, profile_for

KERNEL = profile_for("6.12")


def component(**sources: str) -> Component:
    """A component of files in one folder; names with ``_h`` and ``_c`` at the end."""
    return Component({f"d/{n[:-2]}.{n[-1]}": t for n, t in sources.items()}, KERNEL)


def body(text: str) -> Component:
    """A component with one function around some statements."""
    return component(a_c=f"static int f(struct s *s, int x)\n{{\n{text}\n}}\n")


@pytest.mark.parametrize("text", [
    "list_for_each_entry(pos, &s->list, node)\n\tuse(pos);\nreturn 0;",
    "list_for_each_entry_safe(pos, next, &s->list, node) {\n\tuse(pos);\n}\nreturn 0;",
    "my_for_each_thing(i, s) {\n\tuse(i);\n}\nreturn 0;",
    "switch (x) {\ncase 1 ... 5:\n\treturn 1;\ndefault:\n\treturn 0;\n}",
    "return x ?: 4;",
    'asm volatile("nop" : "=r" (x) : "r" (s) : "memory");\nreturn 0;',
    "typeof(x) y = x;\nreturn y;",
    "int y = ({ int z = x; z + 1; });\nreturn y;",
    "foo_t *p = get(s);\nbar_t q;\nuse(p, &q);\nreturn 0;",
    'pr_info(KERN_INFO "a" PRIx64 "b\\n", x);\nreturn 0;',
    "struct t *t = container_of(s, struct t, member);\nreturn t->x;",
    "DECLARE_CRYPTO_WAIT(wait);\nreturn crypto_wait_req(x, &wait);",
    "SYNC_SKCIPHER_REQUEST_ON_STACK(req, s->tfm);\nreturn use(req);",
    "int table[] = { [0 ... 3] = 1, [4] = 2 };\nreturn table[x];",
    "return min_t(unsigned int, x, 4) + sizeof_field(struct s, a);",
])
def test_kernel_words_go_through_pycparser(text: str) -> None:
    parsed = body(text)
    unit = parsed.units["d/a.c"]
    assert unit.parsed_by == "pycparser"
    assert [f.name for f in unit.functions] == ["f"]


def test_lines_survive_macros_and_comments() -> None:
    parsed = component(a_c=(
        "#define TWICE(x) do { \\\n\tuse(x); \\\n\tuse(x); \\\n} while (0)\n"
        "/* one\n * two\n */\nstatic void f(int a)\n{\n\tTWICE(a);\n\tlast(a);\n}\n"))
    function = parsed.units["d/a.c"].functions[0]
    assert [(c.name, c.line) for c in function.calls] == [("use", 10), ("use", 10), ("last", 11)]
    assert (function.line, function.end_line) == (8, 12)


def test_constants_keep_their_names() -> None:
    parsed = body("#define SIZE (4 * 2)\nreturn read(s, SIZE, REG(3));")
    function = parsed.units["d/a.c"].functions[0]
    assert function.calls[0].text == "read(s, SIZE, REG(3))"


def test_configuration_counts_as_set_and_if_zero_is_not_read() -> None:
    parsed = component(a_c=(
        "#ifdef CONFIG_PM\nint pm(void);\n#else\nint no_pm(void);\n#endif\n"
        "#if 0\nint never(void);\n#endif\n"
        "#if IS_ENABLED(CONFIG_X) && !defined(DEBUG)\nint both(void);\n#endif\n"))
    names = [p.name for p in parsed.units["d/a.c"].declared.prototypes]
    assert names == ["pm", "both"]


@pytest.mark.parametrize(("expression", "truth"), [
    ("1 + 1 == 2", True), ("0x10 >> 2 == 4 && 3 % 2", True), ("(1 ? 0 : 1)", False),
    ("LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)", True), ("!CONFIG_X", False),
    ("LINUX_VERSION_CODE < KERNEL_VERSION(5, 4, 0)", False), ("UNKNOWN", False),
    ("SIZE == 8", True), ("1 / 0", True), ("strange @ words", True), ("-1 < 0", True),
    ("~0 & 1", True), ("1 << 100", True),
])
def test_if_expressions(expression: str, truth: bool) -> None:
    evaluator = Evaluator(is_defined=lambda _: False, kernel=KernelVersion(6, 12),
                          value_of=lambda name: "8" if name == "SIZE" else None)
    assert evaluator.truth(expression) is truth


@given(st.text(max_size=60))
def test_if_expressions_never_fail(text: str) -> None:
    evaluator = Evaluator(is_defined=lambda _: False, value_of=lambda _: None,
                          kernel=KernelVersion(6, 12))
    assert evaluator.truth(text) in (True, False)


def test_what_pycparser_refuses_is_read_by_the_grammar() -> None:
    source = ("static int good(int x)\n{\n\treturn x;\n}\n\n"
              "static int odd(struct device *dev, void *p)\n{\n"
              "\tdma_addr_t a = dma_map_single(dev, p, 4, DMA_TO_DEVICE);\n\tint x = 3 4;\n"
              "\tif (x)\n\t\treturn -EIO;\n\twritel(a, p);\n"
              "\tdma_unmap_single(dev, a, 4, DMA_TO_DEVICE);\n\treturn good(x);\n}\n")
    report = check_sources({"d/a.c": source}, kernel=KERNEL)
    assert report.parsed_by == {"d/a.c": "tree-sitter"}
    assert [s.check for s in report.skips] == ["code"]
    assert "line 6" in report.skips[0].reason
    assert ("dma-map-unchecked", 8) in {(f.check, f.line) for f in report.findings}


def test_only_the_lines_asked_for_report() -> None:
    source = "static int f(void)\n{\n\treturn EINVAL;\n}\n\nint g(void)\n{\n\treturn f();\n}\n"
    everything = check_sources({"d/a.c": source}, kernel=KERNEL)
    assert {f.check for f in everything.findings} == {"errno-sign", "missing-prototype"}
    added = check_sources({"d/a.c": source}, kernel=KERNEL, lines={"d/a.c": {3}})
    assert [f.check for f in added.findings] == ["errno-sign"]
    other = check_sources({"d/a.c": source}, kernel=KERNEL, lines={"d/b.c": {3}})
    assert other.findings == ()
    without = check_sources({"d/a.c": source}, kernel=KERNEL, ignore={"errno-sign"})
    assert {f.check for f in without.findings} == {"missing-prototype"}


def test_a_comment_with_a_reason_silences_one_check_on_one_line() -> None:
    source = ("static int f(void)\n{\n\t/* patchgen: ignore errno-sign: the ABI wants it */\n"
              "\treturn EINVAL;\n}\n\nstatic int g(void)\n{\n\treturn EINVAL + f() + g();\n}\n"
              "static int h(void)\n{\n\t/* patchgen: ignore errno-sign */\n\treturn EIO + h();\n"
              "}\n")
    checks = [(f.check, f.line) for f in check_sources({"d/a.c": source}, kernel=KERNEL).findings]
    assert ("errno-sign", 4) not in checks
    assert ("suppression-reason", 13) in checks


def test_comments_are_blanked_in_place() -> None:
    text = 'a /* x */ b; // y\n"/* no */" /* l1\nl2 */ c'
    blanked, comments = split_comments(text)
    assert blanked == 'a         b;     \n"/* no */" \n      c'
    assert [(c.text.strip(), c.line, c.end_line) for c in comments] == [
        ("x", 1, 1), ("y", 1, 1), ("l1\nl2", 2, 3)]


WORDS = [
    "static", "int", "f", "(", ")", "{", "}", ";", "return", "if", "else", "goto", "x", ":", "=",
    "0", "struct", "s", "*", "p", "->", ".", "[", "]", "case", "default", "switch", "while", "for",
    "do", "break", "sizeof", "&", "&&", "||", "!", "?", '"a"', "#define", "#if", "#endif", "\n",
    "dma_map_sg", "kfree", "spin_lock", "...", "/*", "*/", "//", "'", "\\",
]


@given(st.lists(st.sampled_from(WORDS), max_size=60))
def test_no_text_makes_the_rules_fail(words: list[str]) -> None:
    report = check_sources({"d/a.c": " ".join(words), "d/a.h": "\n".join(words)}, kernel=KERNEL)
    assert set(report.parsed_by) == {"d/a.c", "d/a.h"}


@given(st.text(max_size=200))
def test_arbitrary_text_is_read(text: str) -> None:
    assert check_sources({"d/a.c": text}, kernel=KERNEL).parsed_by


@pytest.mark.parametrize("text", [
    "int f(void) { return " + "(" * 3000 + "1" + ")" * 3000 + "; }",
    "int f(void) { return " + "1 + " * 3000 + "1; }",
    "int f(void) { " + "if (x) { " * 2000 + "}" * 2000 + " }",
    "int f(void) { " + "{" * 5000,
    "#if " + "(" * 5000 + "\nint x;\n#endif",
    "#define A A A\nint A;\n" + "#define B(x) B(x B(x))\nint y = B(B(1));",
    "int x = " + "9" * 5000 + ";",
    "\0\x01\x7f\u2028 int x;",
])
def test_hostile_depth_and_size_are_survived(text: str) -> None:
    assert check_sources({"d/a.c": text}, kernel=KERNEL).parsed_by
