"""The arm64 series: what it starts from, what each patch touches, and its test vector."""

from __future__ import annotations

import re

import pytest

from patchgen.profiles import profile_for
from patchgen.render import RenderContext, render
from patchgen.series.load import load
from patchgen.series.plan import Plan, PlanOptions, plan_series
from reference import crc

FOLDER = "arch/arm64/crypto"
MACROS = "arch/arm64/include/asm/assembler.h"


@pytest.fixture(scope="module", params=["6.1", "6.12"])
def plan(request: pytest.FixtureRequest) -> Plan:
    return plan_series(load("arm64-neon-yield"), None, PlanOptions(kernel=request.param))


def test_each_patch_touches_only_what_its_subject_names(plan: Plan) -> None:
    for patch in plan.patches:
        driver = re.match(r"crypto: arm64/([a-z0-9-]+)", patch.subject)
        if driver is None:
            continue
        stem = {"aes-blk": "aes-", "aes-bs": "aes-neonbs", "aes-ccm": "aes-ce-ccm",
                "aes-ghash": "ghash-ce", "chacha20": "chacha-neon",
                "sha256-neon": "sha256-"}.get(driver[1], driver[1])
        for path in patch.paths:
            name = path.removeprefix(f"{FOLDER}/")
            assert name.startswith(stem) or (name == "Makefile" and "interleave" in patch.subject)


def test_yield_patches_come_after_the_macros_and_bring_their_use(plan: Plan) -> None:
    subjects = [patch.subject for patch in plan.patches]
    macros = next(i for i, s in enumerate(subjects) if "conditionally yield" in s)
    for number, patch in enumerate(plan.patches):
        before = " ".join(patch.before.read(p) for p in patch.paths if p.endswith(".S"))
        after = " ".join(patch.after.read(p) for p in patch.paths if p.endswith(".S"))
        assert not before or "frame_push" not in before
        if "yield NEON" in patch.subject:
            assert number > macros
            assert "frame_push" in after
            assert "_yield_neon" in after


def test_last_patch_is_the_macro_alone(plan: Plan) -> None:
    assert plan.patches[-1].subject == "DO NOT MERGE"
    assert plan.patches[-1].paths == (MACROS,)


def test_vector_is_what_the_definition_says() -> None:
    text = render("parts", "arm64/crct10dif-vector.h", RenderContext(profile_for("6.1")))
    data = bytes(int(byte, 16) for byte in re.findall(r"\\x([0-9a-f]{2})", text))
    digest = re.search(r"u16 \[\]\)\{ 0x([0-9a-f]{4}) \}", text)
    assert len(data) == 2048
    assert digest is not None
    wanted = crc.register_bit_by_bit(crc.PARAMETERS_CRC_T10DIF, 0, data)
    assert int(digest[1], 16) == wanted
