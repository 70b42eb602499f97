"""dtschema's own checks (extra ``dt``): the meta-schema, and each example in it."""

from __future__ import annotations

import contextlib
import importlib
import io
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from patchgen.checks import registry
from patchgen.checks.binding.document import Document, Example
from patchgen.checks.binding.dts import DtsError, Node, parse_example
from patchgen.findings import Finding, Skip

INSTALL = "pip install 'patchgen[dt]'"


@registry.check(
    "binding-schema", scope="binding", severity="error",
    rule="A binding passes dtschema's meta-schema.",
    why="dt-doc-validate runs on every posted binding; what fails there is not reviewed at all.",
    fix="see Documentation/devicetree/bindings/writing-schema.rst",
)
def binding_schema(document: Document) -> tuple[list[Finding], list[Skip]]:
    """Meta-schema errors, and errors of the examples against the schema."""
    check = registry.get("binding-schema")
    try:
        import dtschema
    except ImportError:
        return [], [Skip("binding-schema", f"dtschema is not installed; {INSTALL}")]
    with tempfile.TemporaryDirectory(prefix="patchgen-dt-") as folder:
        file = Path(folder, document.path.rpartition("/")[2])
        file.write_text(document.text, encoding="utf-8")
        noise = io.StringIO()
        with contextlib.redirect_stderr(noise), contextlib.redirect_stdout(noise):
            try:
                found = list(_meta_errors(dtschema, file, document))
                if not found:
                    found = list(_example_errors(dtschema, file, document))
            except Exception as error:  # noqa: BLE001 - dtschema raises whatever it meets
                first = str(error).splitlines()[0] if str(error) else type(error).__name__
                found = [check.finding(f"dtschema cannot read it: {first}",
                                       file=document.path, line=1)]
    return found, []


def _meta_errors(dtschema: Any, file: Path, document: Document) -> Iterator[Finding]:
    check = registry.get("binding-schema")
    schema = dtschema.DTSchema(str(file), line_numbers=True)
    for error in schema.iter_errors():
        line = error.linecol[0] + 1 if error.linecol[0] >= 0 else _line_of(document, error)
        where = ":".join(str(part) for part in error.absolute_path)
        yield check.finding(f"{where}: {_first(error)}" if where else _first(error),
                            file=document.path, line=line)


def _line_of(document: Document, error: Any) -> int:
    path = [str(part) for part in error.absolute_path if not isinstance(part, int)]
    while path:
        key = document.key(*path)
        if key is not None:
            return key.line
        path.pop()
    return 1


def _first(error: Any) -> str:
    text = str(error.message).splitlines()[0]
    return text if len(text) <= 160 else text[:157] + "..."


def _example_errors(dtschema: Any, file: Path, document: Document) -> Iterator[Finding]:
    check = registry.get("binding-schema")
    validator = dtschema.DTValidator([str(file)])
    for number, example in enumerate(document.examples):
        try:
            blob = example_blob(example, number)
        except DtsError:
            continue
        for tree in validator.decode_dtb(blob):
            for name, node in _nodes(tree):
                for error in validator.iter_errors({**node, "$nodename": [name]}):
                    if "dt-core" in str(error.schema_file) and not error.absolute_path:
                        continue
                    where = ":".join(str(part) for part in error.absolute_path)
                    yield check.finding(
                        f"example node {name}: {where + ': ' if where else ''}{_first(error)}",
                        file=document.path, line=example.line)


def _nodes(node: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for key, value in node.items():
        if isinstance(value, dict):
            if not key.startswith(("example-", "fake-")):
                yield key, value
            yield from _nodes(value)


def example_blob(example: Example, number: int) -> bytes:
    """A flattened devicetree with the example below a root, interrupts given a controller."""
    libfdt: Any = importlib.import_module("libfdt")
    root = parse_example(example.text)
    handles: dict[str | None, int] = {
        n.label: i for i, n in enumerate(root.walk(), 2) if n.label
    }
    cells = next((len(n.properties["interrupts"]) // 4 for n in root.walk()
                  if "interrupts" in n.properties), 0)
    out = libfdt.FdtSw()
    out.INC_SIZE = 16384
    out.finish_reservemap()
    out.begin_node("")
    for name in ("#address-cells", "#size-cells"):
        out.property_u32(name, 1)
    for name in ("compatible", "model"):
        out.property_string(name, "foo")
    out.begin_node(f"example-{number}")
    for name in ("#address-cells", "#size-cells"):
        out.property_u32(name, 1)
    if cells:
        out.property_u32("interrupt-parent", 1)
    for child in root.children:
        _write(out, child, handles)
    if cells:
        out.begin_node("fake-interrupt-controller")
        out.property("interrupt-controller", b"")
        out.property_u32("#interrupt-cells", cells)
        out.property_u32("phandle", 1)
        out.end_node()
    out.end_node()
    out.end_node()
    return bytes(out.as_fdt().as_bytearray())


def _write(out: Any, node: Node, handles: dict[str | None, int]) -> None:
    out.begin_node(node.name.removeprefix("&"))
    for name, value in node.properties.items():
        data = bytearray(value)
        for offset, label in node.references.get(name, []):
            if label in handles:
                data[offset : offset + 4] = handles[label].to_bytes(4, "big")
        out.property(name, bytes(data))
    if node.label in handles and "phandle" not in node.properties:
        out.property_u32("phandle", handles[node.label])
    for child in node.children:
        _write(out, child, handles)
    out.end_node()
