"""Correct drivers give no finding; every damage to them is found, at the right line."""

from __future__ import annotations

import os
from pathlib import Path

import damages_drivers
import damages_realtek
import damages_realtek_posted
import pytest
from checks_damage import Damage

from patchgen.checks.code import check_sources
from patchgen.profiles import profile_for
from patchgen.render import RenderContext, render

EVERY = 1 if os.environ.get("PATCHGEN_THOROUGH") else 5
"""The quick run does every fifth of the damages that are not on the facts page."""
DRIVERS = Path(__file__).with_name("drivers")
REALTEK = "drivers/crypto/realtek"
NAMES = ("realtek_crypto.c", "realtek_crypto.h", "realtek_crypto_ahash.c",
         "realtek_crypto_skcipher.c")
FEATURES = frozenset({"realtek.hash", "realtek.skcipher"})


def realtek(kernel: str = "6.12") -> dict[str, str]:
    """The finished realtek driver."""
    context = RenderContext(profile_for(kernel), FEATURES)
    return {f"{REALTEK}/{name}": render("realtek", f"{REALTEK}/{name}", context)
            for name in NAMES}


def small(name: str) -> dict[str, str]:
    """One of the small correct drivers."""
    return {f"drivers/crypto/{name}": (DRIVERS / name).read_text(encoding="utf-8")}


@pytest.mark.parametrize("kernel", ["6.1", "6.12"])
def test_our_driver_gives_no_finding(kernel: str) -> None:
    report = check_sources(realtek(kernel), kernel=profile_for(kernel))
    assert report.findings == ()
    assert set(report.parsed_by.values()) == {"pycparser"}


@pytest.mark.parametrize(("name", "kernel"), [
    ("eng.c", "6.12"), ("neon.c", "6.1"), ("neon.c", "6.12"),
])
def test_correct_driver_gives_no_finding(name: str, kernel: str) -> None:
    assert check_sources(small(name), kernel=profile_for(kernel)).findings == ()


def assert_found(damage: Damage, sources: dict[str, str], kernel: str) -> None:
    """The damage's check reports the line it is told to."""
    damaged = damage.apply(sources)
    report = check_sources(damaged, kernel=profile_for(kernel))
    lines = {
        (f.check, damaged[f.file].split("\n")[f.line - 1].strip())
        for f in report.findings if f.file is not None and f.line is not None
    }
    assert (damage.check, damage.line) in lines
    assert all(f.severity in ("error", "warning") for f in report.findings)


@pytest.mark.parametrize("damage", damages_realtek_posted.DAMAGES, ids=lambda d: d.name)
def test_defect_of_the_posted_driver_is_found(damage: Damage) -> None:
    assert_found(damage, realtek(), "6.12")


@pytest.mark.parametrize("damage", damages_realtek.DAMAGES[::EVERY], ids=lambda d: d.name)
def test_damage_to_our_driver_is_found(damage: Damage) -> None:
    assert_found(damage, realtek(), "6.12")


@pytest.mark.parametrize("damage", damages_drivers.DAMAGES[::EVERY], ids=lambda d: d.name)
def test_damage_to_a_small_driver_is_found(damage: Damage) -> None:
    name = damage.edits[0][0]
    assert_found(damage, small(name), "6.1" if name == "neon.c" else "6.12")


def test_neon_rules_follow_the_kernel_version() -> None:
    source = small("neon.c")["drivers/crypto/neon.c"].replace(
        "\tkernel_neon_begin();\n\texample_sha1",
        "\tkernel_neon_begin();\n\tmutex_lock(&example_lock);\n\tmutex_unlock(&example_lock);\n"
        "\texample_sha1")
    sources = {"drivers/crypto/neon.c": source}
    old = check_sources(sources, kernel=profile_for("6.1"))
    new = check_sources(sources, kernel=profile_for("6.12"))
    assert [f.check for f in old.findings] == ["sleep-in-atomic"]
    assert new.findings == ()
