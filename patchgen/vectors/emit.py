"""Choosing what is written down, and refusing to write what does not check."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from patchgen.errors import ChecksFailedError, InputError
from patchgen.vectors import store
from patchgen.vectors.algorithms import find
from patchgen.vectors.check import check_groups
from patchgen.vectors.kernel_form import obstacle_to_kernel
from patchgen.vectors.model import Group, Vector

Format = Literal["c", "json", "python"]
FORMATS: tuple[Format, ...] = ("c", "json", "python")


@dataclass(frozen=True, slots=True)
class Emission:
    """The text, how many vectors are in it, and which were left out for what reason."""

    text: str
    count: int
    left_out: tuple[tuple[str, str], ...]


def emit(
    names: Sequence[str], form: Format, *, array: str | None = None, generated: bool = False
) -> Emission:
    """Cross-validate the vectors of some names and write them down.

    Names are as in `check_named`. An algorithm stands for its vectors from standards, and
    with `generated` for the generated ones too. `array` names the C array. Raises
    `InputError` for unknown names or several algorithms, and `ChecksFailedError` for a
    wrong vector, so that none is ever written.
    """
    groups = _chosen(names, generated)
    algorithms = sorted({group.algorithm for group in groups})
    if len(algorithms) != 1:
        raise InputError(f"{', '.join(names)}: these are vectors of {', '.join(algorithms)}",
                         advice="write one algorithm at a time")
    results = check_groups(groups)
    for result in results:
        if not result.ok:
            raise ChecksFailedError(result.messages()[0])
    vectors = [result.vector for result in results]
    return _write(vectors, form, array or default_array(algorithms[0]))


def default_array(algorithm: str) -> str:
    """The name of a C array in the manner of testmgr.h: aes_cbc_patchgen_tv_template."""
    words = algorithm.replace("(", " ").replace(")", " ").replace(",", " ").split()
    if "aes" in words:
        words = ["aes", *reversed([word for word in words if word != "aes"])]
    return "_".join([*words, "patchgen_tv_template"])


def _chosen(names: Sequence[str], generated: bool) -> list[Group]:
    chosen: dict[str, Group] = {}
    for name in names:
        groups = store.select([name])
        if find(name) and not generated:
            standards = [g for g in groups if not g.name.startswith(f"{store.GENERATED}/")]
            groups = tuple(standards) or groups
        chosen.update({group.name: group for group in groups})
    return list(chosen.values())


def _write(vectors: list[Vector], form: Format, array: str) -> Emission:
    if form == "c":
        from patchgen.vectors.emit_c import c_array

        reasons = {v.name: obstacle_to_kernel(v) for v in vectors}
        left_out = tuple((name, reason) for name, reason in reasons.items() if reason)
        kept = [v for v in vectors if not reasons[v.name]]
        return Emission(c_array(kept, array), len(kept), left_out)
    if form == "json":
        from patchgen.vectors.emit_json import wycheproof_document

        text = json.dumps(wycheproof_document(vectors), indent=2) + "\n"
        return Emission(text, len(vectors), ())
    from patchgen.vectors.emit_python import python_module

    return Emission(python_module(vectors), len(vectors), ())
