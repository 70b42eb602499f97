"""Vectors as a `testmgr.h` array in kernel style."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

from patchgen.errors import InputError
from patchgen.vectors.kernel_form import Member, kernel_vector, struct_of
from patchgen.vectors.model import Vector

_BYTES_A_LINE = 8
_COLUMNS = 80
_TAB = 8


def c_array(vectors: Iterable[Vector], name: str) -> str:
    """A `static const struct ..._testvec NAME[]` with one initialiser a vector.

    All vectors have to be of one algorithm. Raises `InputError` for none at all, a name
    that is no C identifier, several algorithms, or a vector the kernel cannot be given.
    """
    chosen = list(vectors)
    algorithms = {vector.algorithm for vector in chosen}
    if len(algorithms) != 1:
        found = ", ".join(sorted(algorithms)) or "no vectors"
        raise InputError(f"an array holds the vectors of one algorithm, not of {found}")
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise InputError(f"{name!r} is not a C identifier")
    struct = struct_of(chosen[0].algorithm)
    bodies = [_initialiser(vector) for vector in chosen]
    lines = [f"static const struct {struct} {name}[] = {{", "\t{"]
    for number, body in enumerate(bodies):
        if number:
            lines.append("\t}, {")
        lines += body
    lines += ["\t}", "};"]
    return "\n".join(lines) + "\n"


def _initialiser(vector: Vector) -> list[str]:
    kernel = kernel_vector(vector)
    comment = kernel.source
    if vector.agreed:
        comment += f"; agreed: {', '.join(vector.agreed)}"
    lines = _comment(comment)
    longest = max(len(member.name) for member in kernel.members)
    column = -(-(2 * _TAB + 1 + longest) // _TAB) * _TAB
    for member in kernel.members:
        lines += _member(member, column)
    return lines


def _comment(text: str) -> list[str]:
    text = text.replace("*/", "* /")
    if len(text) + 16 + 6 <= _COLUMNS:
        return [f"\t\t/* {text} */"]
    wrapped = textwrap.wrap(text, _COLUMNS - 16 - 3)
    return ["\t\t/*", *(f"\t\t * {line}" for line in wrapped), "\t\t */"]


def _member(member: Member, column: int) -> list[str]:
    """A member with its value after tabs up to `column`; more literals below the first."""
    written = 2 * _TAB + 1 + len(member.name)
    tabs = -(-(column - written) // _TAB)
    start = f"\t\t.{member.name}" + "\t" * tabs + "= "
    if not isinstance(member.value, bytes):
        return [f"{start}{member.value},"]
    below = "\n" + "\t" * (column // _TAB) + "  "
    return (start + below.join(c_literals(member.value)) + ",").split("\n")


def c_literals(data: bytes) -> list[str]:
    """String literals of up to eight escaped bytes each; one empty literal for no bytes."""
    rows = [data[i : i + _BYTES_A_LINE] for i in range(0, len(data), _BYTES_A_LINE)]
    return ['"' + "".join(f"\\x{byte:02x}" for byte in row) + '"' for row in rows] or ['""']
