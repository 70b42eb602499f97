"""Every operation alone: applied, already applied, no such anchor, anchor twice."""

from __future__ import annotations

import msgspec
import pytest
from qce_series import context

from patchgen.errors import InputError
from patchgen.steps.rewrite import RewriteStep, outcome_of
from patchgen.steps.rewrite_base import AnchorError
from patchgen.tree import EmbeddedBase, FileEntry, Tree

FILE = "drivers/x/a.c"
HEADER = "drivers/x/a.h"


def tree(**files: str) -> Tree:
    paths = {"a": FILE, "h": HEADER, "b": "drivers/x/b.c", "k": "drivers/x/Kconfig"}
    return Tree(EmbeddedBase({paths[n]: FileEntry(t.encode()) for n, t in files.items()}))


def step(kind: str, **fields: object):
    names = {"or_": "or", "and_": "and", "with_": "with"}
    return msgspec.convert({"kind": kind, **{names.get(k, k): v for k, v in fields.items()}},
                           RewriteStep)


def done(before: Tree, operation, path: str = FILE) -> str:
    """The file after the operation, which must then count as applied, at a line of it."""
    assert outcome_of(operation, before, context()).state == "applied"
    after = operation.apply(before, context())
    again = outcome_of(operation, Tree(EmbeddedBase({
        p: FileEntry(after.read(p).encode()) for p in {*after.overlay, *after.base.files}})),
        context())
    assert again.state == "already applied", again
    assert again.file is not None
    assert 1 <= (again.line or 0) <= after.read(again.file).count("\n") + 1
    return after.read(path)


def refused(before: Tree, operation) -> str:
    outcome = outcome_of(operation, before, context())
    assert outcome.state == "no such anchor", outcome
    assert "\n" not in outcome.message
    return outcome.message


F = "int f(struct s *p)\n{\n\tint ret;\n\n\tif (p->a && p->b)\n\t\tgo(p);\n\n\treturn 0;\n}\n"


# --- statements -------------------------------------------------------------------------------


def test_insert_before_goes_above_the_comment_of_its_anchor():
    text = F.replace("\treturn 0;", "\t/* Fine */\n\treturn 0;")
    after = done(tree(a=text), step("c-insert", file=FILE, function="f", before="return 0;",
                                    text="stop(p);\n", done_when=[{"holds": "stop($_)"}]))
    assert "\t\tgo(p);\n\n\tstop(p);\n\t/* Fine */\n\treturn 0;\n" in after


def test_insert_after_goes_behind_the_comment_on_its_line():
    text = F.replace("\treturn 0;", "\tone(p); /* first */\n\treturn 0;")
    after = done(tree(a=text), step("c-insert", file=FILE, function="f", after="one($x);",
                                    text="two($x);", done_when=[{"holds": "two($_)"}]))
    assert "\tone(p); /* first */\n\ttwo(p);\n\treturn 0;\n" in after


@pytest.mark.parametrize(("where", "order"), [
    ("before", "\t\tstop(p);\n\t\tgo(p);\n"), ("after", "\t\tgo(p);\n\t\tstop(p);\n")])
def test_insert_gives_a_lone_statement_its_braces(where: str, order: str):
    after = done(tree(a=F), step("c-insert", file=FILE, function="f", text="stop($x);",
                                 done_when=[{"holds": "stop($_)"}], **{where: "go($x);"}))
    assert f"\tif (p->a && p->b) {{\n{order}\t}}\n\n\treturn 0;" in after


def test_braces_join_an_else():
    text = F.replace("\t\tgo(p);\n", "\t\tgo(p);\n\telse\n\t\tstay(p);\n")
    after = done(tree(a=text), step("c-replace", file=FILE, function="f", match="go($x);",
                                    **{"with": "one($x);\ntwo($x);"},
                                    done_when=[{"lacks": "go($_)"}]))
    assert "b) {\n\t\tone(p);\n\t\ttwo(p);\n\t} else\n\t\tstay(p);\n" in after


def test_insert_at_the_end_or_instead_of_something_there():
    loop = F.replace("\treturn 0;", "\twhile (p) {\n\t\tp = next(p);\n\t\tn--;\n\t}\n\treturn 0;")
    fields = {"file": FILE, "function": "f", "end_of": "while ($_) { $$$; }", "text": "n -= m;",
              "instead_of": ["n--;", "--n;"], "done_when": [{"holds": "n -= m;"}]}
    assert "next(p);\n\t\tn -= m;\n\t}" in done(tree(a=loop), step("c-insert", **fields))
    bare = loop.replace("\t\tn--;\n", "")
    assert "next(p);\n\t\tn -= m;\n\t}" in done(tree(a=bare), step("c-insert", **fields))


def test_replace_every_and_delete_a_run_behind_a_label():
    text = ("int f(int n)\n{\n\tint ret;\n\n\tif (n)\n\t\tgoto out;\n\tif (n > 4)\n\t\tgoto out;\n"
            "\treturn 0;\n\nout:\n\tret = g(n);\n\tclean(n);\n\treturn ret;\nlast:\n\treturn 1;\n"
            "}\n")
    delete = step("c-delete", file=FILE, function="f", match="$l: $r = g($n);", until="return $r;",
                  done_when=[{"lacks": "$_: $_ = g($_);"}])
    assert "label out cannot go: there is a goto to it" in refused(tree(a=text), delete)
    replace = step("c-replace", file=FILE, function="f", match="goto out;", every=True,
                   **{"with": "return g(n);"}, done_when=[{"lacks": "goto out;"}])
    middle = done(tree(a=text), replace)
    assert middle.count("\t\treturn g(n);\n") == 2
    after = done(tree(a=middle), delete)
    assert after.endswith("\treturn 0;\n\nlast:\n\treturn 1;\n}\n")


def test_local_goes_behind_the_declarations_but_before_shorter_ones():
    text = F.replace("\tint ret;\n", "\tstruct s *q = p;\n\tint ret;\n")
    long = step("c-local", file=FILE, function="f", declaration="unsigned int length;")
    assert "q = p;\n\tunsigned int length;\n\tint ret;\n\n" in done(tree(a=text), long)
    short = step("c-local", file=FILE, function="f", declaration="u8 n;")
    assert "\tint ret;\n\tu8 n;\n\n" in done(tree(a=text), short)
    none = "void f(void)\n{\n\tgo();\n}\n"
    assert "{\n\tu8 n;\n\n\tgo();\n" in done(tree(a=none), short)


# --- conditions -------------------------------------------------------------------------------


@pytest.mark.parametrize(("fields", "wanted"), [
    ({"match": "$x->a && $x->b", "or": "$x->c > 2"}, "if ((p->a && p->b) || p->c > 2)"),
    ({"match": "$x->b", "or": "$x->c"}, "if (p->a && (p->b || p->c))"),
    ({"match": "$x->b", "and": "$x->c"}, "if (p->a && p->b && p->c)"),
    ({"match": "$x->b", "with": "$x->c == 3"}, "if (p->a && p->c == 3)"),
    ({"match": "p->a && p->b", "with": "ready(p)"}, "if (ready(p))"),
    ({"and": "p->c"}, "if (p->a && p->b && p->c)"),
    ({"or": "p->c"}, "if ((p->a && p->b) || p->c)"),
])
def test_conditions_are_widened_narrowed_and_replaced(fields: dict[str, str], wanted: str):
    after = done(tree(a=F), step("c-condition", file=FILE, function="f", **fields))
    assert f"\t{wanted}\n\t\tgo(p);\n" in after


def test_a_condition_keeps_its_comments_and_gets_one():
    text = F.replace("p->a && p->b)", "p->a && /* since 4.2 */\n\t    p->b) // odd")
    after = done(tree(a=text), step("c-condition", file=FILE, function="f", match="$x->b",
                                    comment="What is behind this, and\nwhy.",
                                    **{"or": "late(p)"}))
    assert ("\t/* What is behind this, and why. */\n"
            "\tif (p->a && /* since 4.2 */ (p->b || late(p))) // odd\n\t\tgo(p);\n") in after


def test_loops_have_conditions_too():
    text = F.replace("if (p", "while (p")
    fields = {"file": FILE, "function": "f", "statement": "while", "holds": "go($_)", "and": "n"}
    assert "while (p->a && p->b && n)\n" in done(tree(a=text), step("c-condition", **fields))
    counted = F.replace("if (p->a && p->b)", "for (i = 0; i < 3; i++)")
    fields["statement"] = "for"
    assert "for (i = 0; i < 3 && n; i++)\n" in done(tree(a=counted), step("c-condition", **fields))


# --- signatures and calls ---------------------------------------------------------------------


PARAMETER = {"files": ["drivers/x/*.[ch]"], "function": "g", "position": 2,
             "declaration": "unsigned int len",
             "call": [{"match": ["g($x)", "g($x, 1)"], "given": "$x = make($size);",
                       "argument": "$size"}]}


@pytest.mark.parametrize(("parameters", "argument", "body"), [
    ("struct s *p", "", "return p->a;"),
    ("struct s *p, int count", ", 1", "return p->a + count;"),
])
def test_parameter_changes_definition_prototypes_and_calls(parameters: str, argument: str,
                                                           body: str):
    before = tree(
        a=f"int g({parameters})\n{{\n\t{body}\n}}\n",
        h=f"int g({parameters.replace('count', 'n')});\n",
        b="int f(void)\n{\n\tstruct s *q;\n\n\tq = make(40);\n\treturn other(g(q"
          f"{argument}));\n}}\n")
    operation = step("c-parameter", **PARAMETER)
    text = done(before, operation)
    assert text.startswith("int g(struct s *p, unsigned int len)\n{")
    assert "count" not in text
    after = operation.apply(before, context())
    assert after.read(HEADER) == "int g(struct s *p, unsigned int len);\n"
    assert "\treturn other(g(q, 40));\n" in after.read("drivers/x/b.c")


def test_parameter_of_a_function_without_any():
    operation = step("c-parameter", files=[FILE], function="g", position=1, declaration="int n",
                     call=[{"match": "g()", "argument": "0"}])
    text = "int g(void)\n{\n\treturn 1;\n}\n\nint f(void)\n{\n\treturn g();\n}\n"
    assert done(tree(a=text), operation) == text.replace("(void)\n{\n\treturn 1", "(int n)\n{\n"
                                                         "\treturn 1").replace("g();", "g(0);")


def test_parameter_leaves_comments_in_a_list_alone():
    text = ("int g(struct s *p /* what */, int n)\n{\n\treturn n;\n}\n\nint f(struct s *q)\n{\n"
            "\tq = make(7);\n\treturn g(q, /* entries */ 1);\n}\n")
    after = done(tree(a=text), step("c-parameter", **PARAMETER))
    assert "int g(struct s *p /* what */, unsigned int len)\n{\n\treturn len;" in after
    assert "g(q, /* entries */ 7);" in after


def test_a_call_that_no_rule_knows_is_refused():
    text = "int g(struct s *p)\n{\n\treturn 1;\n}\n\nint f(struct s *q)\n{\n\treturn g(q);\n}\n"
    operation = step("c-parameter", **{**PARAMETER, "call": []})
    assert refused(tree(a=text), operation).startswith(
        f"{FILE}:8: no such anchor: the series does not know what g(q) should pass; ")
    kept = step("c-parameter", **{**PARAMETER, "call": [], "keep": ["g($_)"]})
    assert outcome_of(kept, tree(a=text), context()).state == "applied"


def test_a_use_in_a_macro_is_refused():
    text = "#define CALL(x) g(x)\nint g(struct s *p)\n{\n\treturn 1;\n}\n"
    assert f"{FILE}:1: g is used inside a macro" in refused(tree(a=text),
                                                            step("c-parameter", **PARAMETER))


def test_argument_of_one_call():
    text = F.replace("go(p);", "go(p, p->len, 3);")
    after = done(tree(a=text), step("c-argument", file=FILE, function="f", position=2,
                                    match="go($_, $x->len, $_)", argument="min($x->len, 4)",
                                    done_when=[{"holds": "go($_, min($_, 4), 3)"}]))
    assert "\t\tgo(p, min(p->len, 4), 3);\n" in after


# --- files ------------------------------------------------------------------------------------


INCLUDES = ("/* x */\n#include <linux/a.h>\n#include <linux/m.h>\n#include <crypto/b.h>\n\n"
            '#include "own.h"\n\nint x;\n')


@pytest.mark.parametrize(("header", "behind"), [
    ("linux/k.h", "#include <linux/a.h>\n"), ("linux/z.h", "#include <linux/m.h>\n"),
    ("linux/Aa.h", "/* x */\n"), ("crypto/c.h", "#include <crypto/b.h>\n"),
    ("asm/io.h", "/* x */\n")])
def test_include_in_order(header: str, behind: str):
    after = done(tree(a=INCLUDES), step("c-include", file=FILE, header=header))
    assert f"{behind}#include <{header}>\n" in after
    assert after.replace(f"#include <{header}>\n", "") == INCLUDES


def test_block_behind_the_includes_or_before_a_function():
    fields = {"file": FILE, "text": "int y;\n", "done_when": [{"holds": "int y;"}]}
    assert '"own.h"\n\nint y;\n\nint x;\n' in done(tree(a=INCLUDES), step("c-block", **fields))
    text = "int x;\n\n/* About f */\n" + F
    after = done(tree(a=text), step("c-block", before_function="f", **fields))
    assert after == "int x;\n\nint y;\n\n/* About f */\n" + F


DEFINE = {"name": "SIZE", "source": ["drivers/x/*.c"], "to": HEADER, "before_define": ["OTHER"],
          "comment": "What it is"}
GUARDED = ("#ifndef A\n#define A\n\n#include <linux/a.h>\n\n/* other */\n"
           "#define OTHER\t\t\t7\n#endif\n")


def test_a_define_moves_with_its_value_into_the_column():
    before = tree(a="#include <a.h>\n\n#define SIZE\t512\n\nint x;\n", h=GUARDED)
    assert done(before, step("c-move-define", **DEFINE)) == "#include <a.h>\n\nint x;\n"
    header = step("c-move-define", **DEFINE).apply(before, context()).read(HEADER)
    assert "/* What it is */\n#define SIZE\t\t\t512\n\n/* other */\n#define OTHER\t\t\t7" in header


def test_a_define_that_is_in_both_places_only_goes():
    before = tree(a="#define SIZE 512\nint x;\n", h="#define SIZE 512\n")
    assert done(before, step("c-move-define", **DEFINE)) == "int x;\n"


STRUCT = ("/**\n * struct s - a thing\n * @a: first,\n *\tand more\n * @b: second\n */\n"
          "struct s {\n\tint a;\n\tint b; /* b */\n};\n")


@pytest.mark.parametrize(("after", "doc", "code"), [
    ("a", " *\tand more\n * @n: new\n * @b: second\n", "\tint a;\n\tu8 *n[4];\n\tint b;"),
    (None, " * @b: second\n * @n: new\n */\n", "\tint b; /* b */\n\tu8 *n[4];\n};")])
def test_field_and_its_kernel_doc(after: str | None, doc: str, code: str):
    fields = {"file": FILE, "struct": "s", "declaration": "u8 *n[4];", "doc": "new"}
    text = done(tree(a=STRUCT), step("c-field", **fields, **({"after": after} if after else {})))
    assert doc in text
    assert code in text


def test_body_of_a_function():
    after = done(tree(a=F), step("c-body", file=FILE, function="f", body="return go(p);\n"))
    assert after == "int f(struct s *p)\n{\n\treturn go(p);\n}\n"


KCONFIG = ("config A\n\tbool\n\nchoice\n\tprompt \"x\"\n\nconfig B\n\tbool \"b\"\n\nendchoice\n\n"
           "config Z\n\tbool\n")


def test_kconfig_entry_behind_the_choice_with_what_is_defined():
    fields = {"file": "drivers/x/Kconfig", "symbol": "N", "type": "int", "prompt": "n",
              "help": "About n.", "default": ["4"], "range": [0, 9], "depends": ["A"],
              "depends_where_defined": ["B", "NOWHERE"], "behind": ["GONE", "B", "A"]}
    after = done(tree(k=KCONFIG), step("kconfig-behind", **fields), "drivers/x/Kconfig")
    assert "endchoice\n\nconfig N\n\tint \"n\"\n\tdepends on A && B\n\tdefault 4\n" in after
    assert "About n.\n\nconfig Z\n" in after
    assert "no config GONE" in refused(tree(k=KCONFIG), step(
        "kconfig-behind", **{**fields, "behind": ["GONE"]}))


# --- what is not there, or there twice --------------------------------------------------------


INSERT = {"file": FILE, "function": "f", "before": "return 0;", "text": "x();",
          "done_when": [{"holds": "x()"}]}


@pytest.mark.parametrize(("kind", "fields", "said"), [
    ("c-insert", {**INSERT, "before": "return 1;"},
     f"{FILE}:1: no such anchor: f() has no `return 1;`; nearest: line 8: `return 0;`"),
    ("c-insert", {**INSERT, "function": "ff"},
     f"{FILE}:1: no such anchor: no function ff; nearest: f (line 1)"),
    ("c-insert", {**INSERT, "file": "drivers/x/aa.c"},
     "drivers/x/aa.c: no such file in the tree (tried drivers/x/aa.c); nearest in drivers/x: a.c"),
    ("c-insert", {**INSERT, "given": ["stay($n)"]},
     f"{FILE}:1: no such anchor: f() has no `stay($n)`; nearest: line 6: `go(p)`"),
    ("c-condition", {"file": FILE, "function": "f", "match": "p->c", "or": "p->d"},
     "no such anchor in a condition: f() has no `p->c`; nearest: line "),
    ("c-condition", {"file": FILE, "function": "f", "statement": "while", "or": "p->d"},
     "no such anchor for the while statement"),
    ("c-field", {"file": FILE, "struct": "s", "declaration": "int n;"}, "no struct s"),
    ("c-include", {"file": FILE, "header": "linux/a.h"}, "the file includes nothing"),
    ("c-argument", {"file": FILE, "function": "f", "match": "stay($_)", "position": 1,
                    "argument": "0"}, "no `stay($_)`; nearest: line 6: `go(p)`"),
])
def test_a_missing_anchor_names_the_nearest(kind: str, fields: dict[str, object], said: str):
    assert said in refused(tree(a=F), step(kind, **fields))


def test_an_anchor_found_twice_is_refused():
    text = F.replace("\treturn 0;", "\tif (p->a && p->b)\n\t\treturn 0;\n\treturn 0;")
    message = refused(tree(a=text), step("c-insert", **INSERT))
    assert message.startswith(f"{FILE}:9: anchor found 2 times: `return 0;` ({FILE}:9, {FILE}:10)")
    message = refused(tree(a=text), step("c-condition", file=FILE, function="f",
                                         match="$x->a && $x->b", **{"or": "c"}))
    assert "anchor found 2 times" in message
    both = f"#ifdef A\n{F}#else\n{F}#endif\n"
    assert "anchor found 2 times: function f" in refused(tree(a=both), step("c-insert", **INSERT))


def test_two_files_for_one_step_are_refused():
    operation = step("c-include", file=[FILE, HEADER], header="linux/z.h")
    assert "anchor found 2 times: file" in refused(tree(a=INCLUDES, h=INCLUDES), operation)


def test_lines_are_those_of_the_file_before_the_series():
    before = tree(a=INCLUDES + "\n" + F)
    include = step("c-include", file=FILE, header="linux/b.h")
    block = step("c-block", file=FILE, text="int one;\nint two;\n",
                 done_when=[{"holds": "int one;"}])
    changed = block.apply(include.apply(before, context()), context())
    line = (INCLUDES + "\n" + F).split("\n").index("int f(struct s *p)") + 1
    with pytest.raises(AnchorError) as error:
        step("c-insert", **{**INSERT, "before": "return 1;"}).apply(changed, context())
    assert error.value.line == line


@pytest.mark.parametrize(("kind", "fields"), [
    ("c-insert", {"file": FILE, "function": "f", "text": "x();"}),
    ("c-insert", {**INSERT, "before": "if ("}),
    ("c-insert", {**INSERT, "after": "x();"}),
    ("c-insert", {**INSERT, "done_when": [{"not_before": "x();"}]}),
    ("c-insert", {**INSERT, "misspelt": 1}),
    ("c-condition", {"file": FILE, "function": "f"}),
    ("c-condition", {"file": FILE, "function": "f", "or": "a", "and": "b"}),
    ("c-parameter", {**PARAMETER, "declaration": "x();"}),
    ("c-parameter", {**PARAMETER, "position": 0}),
    ("c-local", {"file": FILE, "function": "f", "declaration": "x()"}),
    ("c-include", {"file": FILE, "header": "<linux/a.h>"}),
    ("c-field", {"file": FILE, "struct": "s", "declaration": "int n"}),
    ("c-unknown", {"file": FILE}),
])
def test_a_wrong_step_is_found_when_the_series_is_loaded(kind: str, fields: dict[str, object]):
    with pytest.raises((msgspec.ValidationError, InputError)):
        step(kind, **fields)
