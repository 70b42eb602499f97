"""Patterns over C, and how conditions and lists are set."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchgen.errors import InputError
from patchgen.steps.c_layout import (
    COLUMNS,
    Chain,
    Term,
    fit_call,
    join,
    parse_condition,
    set_condition,
    set_list,
    split_list,
)
from patchgen.steps.c_pattern import compile_pattern, fill, find, find_terms
from patchgen.steps.c_source import CSource, load
from patchgen.steps.c_view import parse_view
from patchgen.tree import EmbeddedBase, FileEntry, Tree


def source(text: str) -> CSource:
    return load(Tree(EmbeddedBase({"x.c": FileEntry(text.encode())})), "x.c")


def body(text: str) -> CSource:
    return source(f"int f(void)\n{{\n\t{text}\n}}\n")


def hits(code: str, pattern: str) -> list[dict[str, str]]:
    parsed = body(code)
    return [dict(m.bindings) for m in find(parsed, parsed.root, compile_pattern(pattern))]


@pytest.mark.parametrize(("code", "pattern", "bound"), [
    ("g(a, b->c);", "g($x, $y)", [{"x": "a", "y": "b->c"}]),
    ("g( a /* one */,\n\t\tb -> c );", "g($x, $y)", [{"x": "a", "y": "b->c"}]),
    ("g(a, b, c);", "g($x, $$$)", [{"x": "a"}]),
    ("g(a);", "g($x, $$$)", [{"x": "a"}]),
    ("g(a, b, c);", "g($$$, $x)", [{"x": "c"}]),
    ("g(a, b, c);", "g($$$)", [{}]),
    ("g();", "g($$$)", [{}]),
    ("g(a, b);", "g($x)", []),
    ("g(a, a);", "g($x, $x)", [{"x": "a"}]),
    ("g(a, b);", "g($x, $x)", []),
    ("g(a, b);", "g($_, $_)", [{}]),
    ("if ((a) && (b)) c();", "a && b", [{}]),
    ("if (b && a) c();", "a && b", [{}]),
    ("if (a && b && c) d();", "a && c", []),
    ("if (16 == n) c();", "n == 16", [{}]),
    ("if (16 < n) c();", "n < 16", []),
    ("if (n % 512) c();", "$x % 512", [{"x": "n"}]),
    ("goto out;", "goto $label;", [{"label": "out"}]),
    ("switch (x) { case 1: goto out; }", "switch ($x) { $$$; }", [{"x": "x"}]),
    ("out: ret = g(a);", "$l: $r = $f($a);", [{"l": "out", "r": "ret", "f": "g", "a": "a"}]),
    ('g("a /* b");', 'g("a /* b")', [{}]),
    ('g("a");', 'g("b")', []),
    ("return -EINVAL;", "return 0;", []),
    ("struct a *b = g();", "struct a *$v = $_;", [{"v": "b"}]),
])
def test_patterns_bind_what_they_stand_for(code: str, pattern: str, bound: list[dict[str, str]]):
    assert hits(code, pattern) == bound


def test_a_parameter_is_a_pattern():
    parsed = source("int f(struct req *r, int n)\n{\n\treturn n;\n}\n")
    found = find(parsed, parsed.root, compile_pattern("struct $kind *$name"))
    assert [dict(m.bindings) for m in found] == [{"kind": "req", "name": "r"}]


@pytest.mark.parametrize("written", ["", "if (", "a b c", "{", "@"])
def test_what_is_no_c_is_no_pattern(written: str):
    with pytest.raises(InputError, match="is not a pattern of C"):
        compile_pattern(written)


def test_terms_stand_together_in_any_order_and_company():
    parsed = body("if (x && k != 256 && 128 != k && (y) && z(k || k)) c();")
    (terms, bound), = find_terms(parsed, parsed.root, compile_pattern("$k != 128 && $k != 256"))
    assert [parsed.text(term) for term in terms] == ["128 != k", "k != 256"]
    assert bound == {"k": "k"}
    other = body("if (k != 128 && j != 256) c();")
    assert find_terms(other, other.root, compile_pattern("$k != 128 && $k != 256")) == ()


def test_fill_replaces_names_and_endings():
    assert fill("${f-setkey}flags($x, $x);", {"f": "a_setkey", "x": "y"}) == "a_flags(y, y);"
    assert fill("${t}_get($x)", {"t": "crypto", "x": "r->s"}) == "crypto_get(r->s)"
    with pytest.raises(InputError, match=r"\$y is used but no pattern binds it"):
        fill("$y", {"x": "1"})
    with pytest.raises(InputError, match="does not end in setkey"):
        fill("${f-setkey}", {"f": "other"})


VIEWS = [
    "static int __maybe_unused f(struct a *b)\n{\n\treturn 1;\n}\n",
    "EXPORT_SYMBOL(x)\nDEFINE_FOO(a, b)\nint f(void)\n{\n\treturn 0;\n}\n",
    "int f(void)\n{\n\tlist_for_each_entry(a, b, c)\n\t\td();\n\treturn 0;\n}\n",
    "int f(void)\n{\n\tscoped_guard(a, &b) {\n\t\tx = 1;\n\t}\n\treturn 0;\n}\n",
    "struct a {\n\tvoid __iomem *base;\n};\nint f(void)\n{\n\treturn 0;\n}\n",
    "int f(void)\n__acquires(lock)\n{\n\treturn container_of(p, struct a, b)->c;\n}\n",
]


@pytest.mark.parametrize("text", VIEWS)
def test_kernel_habits_do_not_hide_a_function(text: str):
    view = parse_view(text.encode())
    assert len(view) == len(text)
    assert [i for i, c in enumerate(view) if c == 10] == [
        i for i, c in enumerate(text.encode()) if c == 10]
    parsed = source(text)
    assert [f.name for f in parsed.functions()] == ["f"]
    assert not parsed.root.has_error
    parsed.refuse_unknown_syntax(parsed.functions()[0])


def test_statements_are_not_taken_for_macros():
    parsed = source("int f(void)\n{\nswitch (x)\n{\ncase 1:\nbreak;\n}\ng(a)\n/* c */\n;\n}\n")
    assert len(find(parsed, parsed.root, compile_pattern("g($_)"))) == 1
    assert len(find(parsed, parsed.root, compile_pattern("switch ($_) { $$$; }"))) == 1


# --- layout ------------------------------------------------------------------------------------


def test_joining_keeps_the_precedence():
    condition = Chain("&&", (Term("a", node=1), Term("b", node=2), Term("c", node=3)))
    wider = join(condition, frozenset({2, 3}), "||", Term("d"))
    assert set_condition(wider, 0, 0) == "a && ((b && c) || d)"
    wider = join(wider, frozenset({0}), "||", parse_condition("e && f"))
    assert set_condition(wider, 0, 0) == "a && ((b && c) || d || (e && f))"
    narrower = join(condition, frozenset({3}), "&&", Term("d"))
    assert set_condition(narrower, 0, 0) == "a && b && c && d"
    with pytest.raises(KeyError):
        join(condition, frozenset({9}), "||", Term("d"))


TERMS = st.text("abcdefgh_", min_size=1, max_size=30)
CONDITIONS = st.recursive(
    TERMS.map(Term),
    lambda inner: st.builds(
        Chain, st.sampled_from(["&&", "||"]), st.lists(inner, min_size=2, max_size=4).map(tuple)),
    max_leaves=12)


def _plain(condition: Term | Chain) -> str:
    if isinstance(condition, Term):
        return condition.text
    return "(" + condition.operator.join(_plain(item) for item in condition.items) + ")"


@given(CONDITIONS, st.integers(4, 30), st.integers(0, 5))
def test_layout_changes_white_space_only(condition: Term | Chain, column: int, trail: int):
    text = set_condition(condition, column, trail)
    lines = text.split("\n")
    assert "".join(text.split()) in (_plain(condition), _plain(condition)[1:-1])
    assert all(line == line.rstrip() for line in lines)
    for number, line in enumerate(lines):
        width = len(line.expandtabs(8)) + (column if number == 0 else 0)
        alone = " " not in line.strip() or line.strip().split(" ")[1] in ("&&", "||")
        assert width <= COLUMNS or alone
        assert not line.strip().startswith(("&&", "||"))
        if number:
            assert len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip()) >= column


def test_lists_and_calls_are_filled_below_their_parenthesis():
    assert set_list(["a", "b"], 10, 2) == "a, b"
    long = ["x" * 30, "y" * 30, "z"]
    assert set_list(long, 20, 2) == f"{'x' * 30},\n\t\t    {'y' * 30}, z"
    line = f"\tret = foo({', '.join(long)});"
    assert fit_call(line) == f"\tret = foo({'x' * 30},\n\t\t  {'y' * 30}, z);"
    assert fit_call("\tfoo(a);") == "\tfoo(a);"
    assert split_list("a, b(c, d), e[f, 1]") == ["a", "b(c, d)", "e[f, 1]"]
