"""Cross-validation: every vector computed by everything that can, and compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from patchgen.vectors.algorithms import Algorithm, get
from patchgen.vectors.forms import Form
from patchgen.vectors.model import (
    Group,
    Problem,
    Vector,
    VectorResult,
    consolidated,
    difference,
    obstacle,
    seal,
)

THE_VECTOR = "the vector"

DEFINED_BIT_BY_BIT = frozenset(
    ("chacha20", "chacha12", "xchacha20", "xchacha12", "ghash", "crc32", "crc32c", "crct10dif")
)
"""The algorithms that have a second in-house form (`definition_forms`)."""


def forms_for(vector: Vector) -> tuple[Form, ...]:
    """The implementations that can do a vector; `reference` comes first."""
    from patchgen.vectors import library_forms, reference_forms

    name = vector.algorithm
    forms = [reference_forms.form(name), *library_forms.FORMS.get(name, ())]
    if name in DEFINED_BIT_BY_BIT:
        from patchgen.vectors import definition_forms

        forms.append(definition_forms.FORMS[name])
    return tuple(form for form in forms if form.can_do(vector))


def fastest_form(vector: Vector) -> Form:
    """One implementation of a vector's algorithm, compiled code where there is any."""
    from patchgen.vectors import library_forms

    forms = forms_for(vector)
    quick = [f for f in library_forms.FORMS.get(vector.algorithm, ()) if f in forms]
    return (quick or list(forms))[0]


def check_vector(vector: Vector, forms: Sequence[Form] | None = None) -> VectorResult:
    """Compute a vector with each implementation and compare with what it says.

    Two independent implementations have to agree; in-place runs of one library do not count
    as a second one. `forms` restricts the run to some implementations (then one is enough).
    """
    shape = shape_problem(vector)
    if shape:
        return VectorResult(vector, (shape,) if vector.valid else ())
    chosen = forms_for(vector) if forms is None else tuple(forms)
    problems: list[Problem] = []
    agreed: list[str] = []
    for form in chosen:
        found = _with_form(vector, form)
        problems += found
        if not found:
            agreed.append(form.name)
    independent = {form.name.removesuffix("-in-place") for form in chosen}
    if forms is None and len(independent) < 2:
        problems.append(obstacle("output", f"only {independent.pop()} can compute it"))
    if vector.seal:
        sealed = difference("seal", "its fields", seal(vector), "the data file", vector.seal)
        problems += [sealed] if sealed else []
    return VectorResult(replace(vector, agreed=tuple(agreed)), tuple(problems))


def shape_problem(vector: Vector) -> Problem | None:
    """What is wrong with the lengths of a vector's fields, if anything is."""
    algorithm = get(vector.algorithm)
    if algorithm.key_sizes and len(vector.key) not in algorithm.key_sizes:
        return obstacle("key", f"{len(vector.key)} bytes are no key of {algorithm.name}")
    if algorithm.iv_sizes and len(vector.iv) not in algorithm.iv_sizes:
        return obstacle("iv", f"{len(vector.iv)} bytes are no IV of {algorithm.name}")
    if algorithm.kind == "aead" and not vector.tag:
        return obstacle("tag", "the tag is missing")
    if algorithm.kind in ("hash", "mac"):
        return _digest_problem(vector, algorithm)
    if algorithm.kind in ("cipher", "aead") and len(vector.input) != len(vector.output):
        return obstacle("output", f"{len(vector.output)} bytes for {len(vector.input)} of input")
    if algorithm.whole_blocks and len(vector.input) % 16:
        return obstacle("input", f"{len(vector.input)} bytes are not whole blocks of 16")
    if len(vector.input) < algorithm.shortest_input:
        return obstacle("input", f"{algorithm.name} needs {algorithm.shortest_input} bytes or more")
    return None


def _digest_problem(vector: Vector, algorithm: Algorithm) -> Problem | None:
    if not vector.output:
        return obstacle("output", "the digest is missing")
    size, longest = len(vector.output), algorithm.output_size
    if not (algorithm.shortest_output or longest) <= size <= longest:
        return obstacle("output", f"{size} bytes are no digest of {algorithm.name}")
    return None


def _with_form(vector: Vector, form: Form) -> list[Problem]:
    """What one implementation says against a vector."""
    if not vector.valid:
        return _refusal(vector, form)
    try:
        output, tag = form.encrypt(vector)
        found = [
            difference("output", form.name, output, THE_VECTOR, vector.output),
            difference("tag", form.name, tag, THE_VECTOR, vector.tag),
        ]
        if form.decrypt and not any(found):
            back = form.decrypt(vector)
            if back is None:
                return [obstacle("tag", f"{form.name} refuses to decrypt")]
            found.append(difference("input", form.name, back, THE_VECTOR, vector.input))
    except ValueError as error:
        return [obstacle("output", f"{form.name} refuses: {error}")]
    return [problem for problem in found if problem]


def _refusal(vector: Vector, form: Form) -> list[Problem]:
    """A vector marked invalid has to be refused, or its output has to differ."""
    try:
        if form.decrypt and vector.tag:
            accepted = form.decrypt(vector) is not None
        else:
            accepted = form.encrypt(vector) == (vector.output, vector.tag)
    except ValueError:
        return []
    return [obstacle("tag", f"{form.name} accepts what is marked invalid")] if accepted else []


def check_group(group: Group) -> tuple[VectorResult, ...]:
    """All vectors of a group, and its consolidated digest.

    A digest that differs while every vector is right means that a name or source was
    changed; that problem is reported under the group's name.
    """
    results = [check_vector(vector) for vector in group.vectors]
    found = difference(
        "consolidated digest", "its vectors", consolidated(group.vectors),
        "the data file", group.digest,
    )
    if found and all(result.ok for result in results):
        whole = Vector(group.name, group.algorithm, group.document)
        results.append(VectorResult(whole, (found,)))
    return tuple(results)


def check_groups(groups: Iterable[Group]) -> tuple[VectorResult, ...]:
    """All vectors of several groups."""
    return tuple(result for group in groups for result in check_group(group))
