"""The mutations of the realtek driver fit the driver, and cover every listed defect."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from patchgen.errors import InputError
from patchgen.kernel.engine import driver_files
from patchgen.kernel.mutants import Mutation, load_mutations, mutate
from patchgen.kernel.plans import Loading, boot_stages
from patchgen.series.load import load
from patchgen.series.plan import PlanOptions, plan_series

MUTATIONS = load_mutations(Path(__file__).with_name("realtek_mutations.toml"))
RUN_TIME = {f"D{n}" for n in (2, 3, 4, 7, 10, 12, 14, 15, 16, 17, 18, 22, 24, 25, 32, 34, 35)}
"""The defects of the public v3 that show only at run time."""


@pytest.fixture(scope="module", params=["6.1", "6.12"])
def driver(request: pytest.FixtureRequest) -> dict[str, str]:
    series = load("realtek")
    plan = plan_series(series, None, PlanOptions(kernel=request.param))
    assert series.spec.verify is not None
    assert series.spec.verify.engine is not None
    return driver_files(plan.trees[-1], series.spec.verify.engine.folder)


def test_every_run_time_defect_has_a_mutation():
    assert {m.id for m in MUTATIONS if m.edit} == RUN_TIME
    assert [m.id for m in MUTATIONS if m.model_params] == ["AES"]


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.id)
def test_it_fits_the_driver_and_changes_it(driver: dict[str, str], mutation: Mutation):
    changed = mutate(driver, mutation)
    assert (changed != driver) == bool(mutation.edit)
    assert set(changed) == set(driver)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.id)
def test_its_stages_and_boot_are_there(mutation: Mutation):
    matrix = load("realtek").spec.verify
    assert matrix is not None
    stages = {s.name for s in boot_stages(Loading(()), matrix.engine)}
    assert set(mutation.stages) <= stages
    assert mutation.boot in {b.name for b in matrix.boot}
    re.compile(mutation.report)


def test_a_mutation_that_no_longer_fits_says_so(driver: dict[str, str]):
    mutation = Mutation("X", "", "", "malta", (), "", edit=MUTATIONS[0].edit)
    broken = {name: text.replace("rtce_unmap", "rtce_other") for name, text in driver.items()}
    broken["realtek_crypto.c"] = broken["realtek_crypto.c"].replace("chan->ndata", "chan->n")
    with pytest.raises(InputError, match="the driver changed"):
        mutate(broken, mutation)


def test_the_document_lists_every_mutation():
    text = (Path(__file__).parents[2] / "docs/proofs.md").read_text("utf-8")
    for mutation in MUTATIONS:
        row = next((line for line in text.splitlines()
                    if line.startswith(f"| {mutation.id} |")), None)
        assert row is not None, mutation.id
        assert mutation.defect in row
        assert mutation.mechanism in row
        assert f"`{mutation.report}`".replace("|", r"\|") in row
