"""Rules on bindings that need nothing but the text.

Source: Documentation/devicetree/bindings/writing-schema.rst and writing-bindings.rst.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.binding.document import Document
from patchgen.checks.binding.dts import DtsError, Node, parse_example
from patchgen.findings import Finding


@registry.check(
    "binding-title", scope="binding", severity="error",
    rule="The title names the hardware and nothing else.",
    why="Every file of the folder is a devicetree binding; the meta-schema refuses titles that "
        "say so.",
    fix="leave out words such as binding, schema and devicetree",
)
def binding_title(document: Document) -> Iterator[Finding]:
    """Titles with the words that every binding could use."""
    check = registry.get("binding-title")
    title = document.key("title")
    if title is not None and re.search(r"bindings?\b|\bschema\b|device ?tree", title.value, re.I):
        yield check.finding(f"the title is {title.value!r}", file=document.path, line=title.line)


@registry.check(
    "binding-frame", scope="binding", severity="error",
    rule="A binding has its licence, $id, $schema, title, maintainers, required list, example "
         "and additionalProperties.",
    why="The meta-schema asks for each; the $id must be the file's own place, or references to "
        "it do not resolve.",
    fix="add what is missing",
)
def binding_frame(document: Document) -> Iterator[Finding]:
    """Missing top-level keys, a wrong $id, a licence other than the usual pair."""
    check = registry.get("binding-frame")
    first = document.text.split("\n", 1)[0]
    licences = set(re.findall(r"GPL-2\.0-only|GPL-2\.0-or-later|GPL-2\.0|BSD-2-Clause", first))
    if not first.startswith("# SPDX-License-Identifier:") or "BSD-2-Clause" not in licences:
        yield check.finding("the licence is not (GPL-2.0-only OR BSD-2-Clause)",
                            file=document.path, line=1)
    for name in ("$id", "$schema", "title", "maintainers", "examples"):
        if document.key(name) is None:
            yield check.finding(f"there is no {name}", file=document.path, line=1)
    closed = [k for k in document.keys if k.name in ("additionalProperties",
                                                     "unevaluatedProperties") and not k.path]
    if not closed:
        yield check.finding("neither additionalProperties nor unevaluatedProperties is given",
                            file=document.path, line=1)
    identity = document.key("$id")
    inside = document.path.rpartition("Documentation/devicetree/bindings/")[2]
    if identity is not None and inside != document.path:
        wanted = f"http://devicetree.org/schemas/{inside}#"
        if identity.value.strip("\"'") != wanted:
            yield check.finding(f"$id is not {wanted}", file=document.path, line=identity.line)


@registry.check(
    "binding-items", scope="binding", severity="error",
    rule="A property says how many items it has with maxItems or with a list of items.",
    why="minItems alone lets any number pass; the meta-schema refuses it for reg and interrupts.",
    fix="write maxItems: 1, or describe each item",
)
def binding_items(document: Document) -> Iterator[Finding]:
    """reg, interrupts, clocks, resets and dmas with a minimum only."""
    check = registry.get("binding-items")
    for name in ("reg", "interrupts", "clocks", "resets", "dmas", "power-domains", "iommus"):
        below = {k.name: k for k in document.keys if k.path == ("properties", name)}
        minimum = below.get("minItems")
        if minimum is not None and not below.keys() & {"maxItems", "items"}:
            yield check.finding(f"{name} has minItems, but neither maxItems nor items",
                                file=document.path, line=minimum.line)


@registry.check(
    "binding-interrupt-parent", scope="binding", severity="error",
    rule="interrupt-parent is no property of the device.",
    why="It may stand in any node above and the core allows it everywhere; as a required property "
        "even the binding's own example fails.",
    fix="remove it from properties and required",
)
def binding_interrupt_parent(document: Document) -> Iterator[Finding]:
    """interrupt-parent among the properties or the required ones."""
    check = registry.get("binding-interrupt-parent")
    key = document.key("properties", "interrupt-parent")
    if key is not None:
        yield check.finding("interrupt-parent is described as a property", file=document.path,
                            line=key.line)
    for value, line in document.items.get(("required",), []):
        if value == "interrupt-parent":
            yield check.finding("interrupt-parent is required", file=document.path, line=line)


@registry.check(
    "binding-compatible", scope="binding", severity="warning",
    rule="A compatible names a chip, not a family or a function.",
    why="The next chip with a different engine could not be told apart; wildcards and generic "
        "names are turned down in review.",
    fix="use the name of the first SoC as fallback, and one name per SoC before it",
)
def binding_compatible(document: Document) -> Iterator[Finding]:
    """Compatibles without a chip's number, or with a wildcard."""
    check = registry.get("binding-compatible")
    for value, line in _compatibles(document):
        name = value.rpartition(",")[2]
        if not re.search(r"\d", name):
            yield check.finding(f"{value} names no particular chip", file=document.path, line=line)
        elif re.search(r"\dx+(?:\b|-)|\*", name):
            yield check.finding(f"{value} holds a wildcard", file=document.path, line=line)


def _compatibles(document: Document) -> list[tuple[str, int]]:
    found: dict[str, int] = {}
    for key in document.keys:
        if key.name in ("const", "enum") and (*key.path, key.name)[:2] == (
            "properties", "compatible",
        ) and key.value:
            found.setdefault(key.value.strip("\"'"), key.line)
    for path, items in document.items.items():
        if path[:2] == ("properties", "compatible") and path[-1] == "enum":
            for value, line in items:
                found.setdefault(value.strip("\"'"), line)
    for path, items in document.items.items():
        if path[:2] == ("properties", "compatible"):
            for value, line in items:
                if value.startswith("const:"):
                    found.setdefault(value.removeprefix("const:").strip(" \"'"), line)
    return [(v, n) for v, n in found.items() if "," in v]


@registry.check(
    "binding-literal-text", scope="binding", severity="warning",
    rule="A description keeps its line breaks (|) only when it has some to keep.",
    why="Reviewers ask for the mark to go every time; it is for lists and formatted text.",
    fix="write description: without the |",
)
def binding_literal_text(document: Document) -> Iterator[Finding]:
    """Block scalars that hold one plain paragraph."""
    check = registry.get("binding-literal-text")
    lines = document.text.split("\n")
    for key in document.keys:
        if key.name != "description" or not key.value.startswith("|"):
            continue
        block = []
        for line in lines[key.line :]:
            if line.strip() and len(line) - len(line.lstrip()) <= 2 * len(key.path):
                break
            block.append(line)
        text = "\n".join(block).strip("\n")
        inner = {len(b) - len(b.lstrip()) for b in block if b.strip()}
        plain = "\n\n" not in text and len(inner) <= 1
        if plain and not re.search(r"(?m)^\s*[-*\d]|[:#]\s|\s#", text):
            yield check.finding("the description is one plain paragraph", file=document.path,
                                line=key.line)


@registry.check(
    "binding-example", scope="binding", severity="error",
    rule="The example is devicetree source and follows its own binding.",
    why="People copy the example; the robots check it against the schema on every patch.",
    fix="correct the example, or the schema",
)
def binding_example(document: Document) -> Iterator[Finding]:
    """Examples that do not parse, lack required properties or have others than allowed."""
    check = registry.get("binding-example")
    required = {v for v, _ in document.items.get(("required",), [])}
    closed = document.key("additionalProperties")
    allowed = {k.name for k in document.keys if k.path == ("properties",)}
    open_end = closed is None or closed.value != "false" or document.key("allOf") is not None \
        or document.key("patternProperties") is not None
    known = {value for value, _ in _compatibles(document)}
    for example in document.examples:
        try:
            root = parse_example(example.text)
        except DtsError as error:
            yield check.finding(f"the example is not devicetree source: {error}",
                                file=document.path, line=example.line + error.line - 1)
            continue
        for node in root.walk():
            if not known & set(_strings(node.properties.get("compatible", b""))):
                continue
            line = example.line + node.line - 1
            for name in sorted(required - node.properties.keys()
                               - {c.name for c in node.children}):
                yield check.finding(f"the example lacks {name}, which is required",
                                    file=document.path, line=line)
            if not open_end:
                for name in sorted(node.properties.keys() - allowed - _COMMON):
                    yield check.finding(
                        f"the example has {name}, which the binding does not allow",
                        file=document.path, line=example.line + node.lines[name] - 1)


_COMMON = {"status", "phandle", "interrupt-parent", "$nodename", "interrupts-extended",
           "assigned-clocks", "assigned-clock-rates", "assigned-clock-parents",
           "pinctrl-names", "pinctrl-0", "bootph-all", "secure-status", "dma-coherent"}


def _strings(value: bytes) -> list[str]:
    return [part.decode("utf-8", "replace") for part in value.split(b"\0") if part]


@registry.check(
    "binding-example-style", scope="binding", severity="warning",
    rule="An example node has a generic name, its unit address, and no label that nobody uses.",
    why="Names of chips as node names, unused labels and status = \"okay\" are pointed out in "
        "every review.",
    fix="write crypto@c000 { … } without label and status",
)
def binding_example_style(document: Document) -> Iterator[Finding]:
    """Unused labels, superfluous status, unit addresses that do not fit reg."""
    check = registry.get("binding-example-style")
    for example in document.examples:
        try:
            root = parse_example(example.text)
        except DtsError:
            continue
        nodes = root.walk()
        used = {name for n in nodes for refs in n.references.values() for _, name in refs}
        for node in nodes:
            line = example.line + node.line - 1
            if node.label and node.label not in used:
                yield check.finding(f"nothing uses the label {node.label}", file=document.path,
                                    line=line)
            if node.properties.get("status") in (b"okay\0", b"ok\0"):
                yield check.finding("status = \"okay\" is what a node is without it",
                                    file=document.path,
                                    line=example.line + node.lines["status"] - 1)
            problem = _address_problem(node)
            if problem:
                yield check.finding(problem, file=document.path, line=line)


def _address_problem(node: Node) -> str | None:
    _, at, unit = node.name.partition("@")
    reg = node.properties.get("reg", b"")
    if not node.name or node.name.startswith("&"):
        return None
    if reg and not at:
        return f"{node.name} has reg, but no unit address"
    if at and len(reg) >= 4 and re.fullmatch(r"[0-9a-f]+", unit):
        cells = {int.from_bytes(reg[:4], "big"), int.from_bytes(reg[:8], "big")}
        if int(unit, 16) not in cells:
            return f"the unit address of {node.name} is not its first reg"
    return None


@registry.check(
    "binding-text-format", scope="binding", severity="error",
    rule="A new binding is a YAML schema.",
    why="Text bindings have not been taken since 2019; nothing can check them.",
    fix="write it as a .yaml schema",
)
def binding_text_format(document: Document) -> Iterator[Finding]:
    """Bindings in .txt files."""
    if document.path.endswith(".txt"):
        yield registry.get("binding-text-format").finding(
            "the binding is a text file", file=document.path, line=1)
