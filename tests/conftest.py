"""What all tests share: a quiet git, a fixed clock, hypothesis profiles."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from patchgen.kernel.sources import trees_folder

os.environ.setdefault("PATCHGEN_KERNEL_TREES", str(trees_folder()))

settings.register_profile("quick", max_examples=50, deadline=None,
                          suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", max_examples=2000, deadline=None,
                          suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("thorough" if os.environ.get("PATCHGEN_THOROUGH") else "quick")


@pytest.fixture(scope="session")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Test Author\n\temail = author@example.org\n"
        "[init]\n\tdefaultBranch = main\n[sendemail]\n\tconfirm = never\n", "utf-8")
    return home


@pytest.fixture(autouse=True)
def _quiet_environment(monkeypatch: pytest.MonkeyPatch, _home: Path) -> None:
    """No test reads or writes the user's git configuration, cache or clock setting."""
    home = _home
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / ".cache"))
    for name in ("SOURCE_DATE_EPOCH", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME",
                 "GIT_COMMITTER_EMAIL", "EMAIL", "PATCHGEN_DEBUG", "XDG_CONFIG_HOME",
                 "GIT_CONFIG_GLOBAL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared input; skips where it is not."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("the shared input folder is not here")
    return folder


@pytest.fixture(scope="session")
def kernel_tree():
    """``kernel_tree("6.12")``: an unpacked kernel source, from Debian's package or a folder
    that ``PATCHGEN_KERNEL_TREES`` names; skips with the install line where there is none."""

    def find(version: str) -> Path:
        from patchgen.kernel.sources import unpacked_source

        folder = unpacked_source(version)
        if folder is None:
            pytest.skip(f"no Linux {version} source; apt-get install linux-source-{version}")
        return folder

    return find
