"""From a folder to a validated series; each error names file, line and key."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import msgspec

from patchgen.errors import InputError
from patchgen.render import component_paths, components, features_of
from patchgen.resources import series_root
from patchgen.series.model import SeriesSpec
from patchgen.series.toml_lines import Key, line_of
from patchgen.steps.templates import FeatureStep, TemplateStep

FILE = "series.toml"
LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Series:
    """A loaded series: its model, its folder and the texts it names."""

    spec: SeriesSpec
    folder: Path
    cover: str
    messages: tuple[str, ...]
    """One commit message body a patch; empty for a generated series."""
    prerequisite_messages: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name the user types."""
        return self.spec.name

    @property
    def components(self) -> tuple[str, ...]:
        """Every template component the series renders, sorted."""
        found = set(self.spec.base.components)
        found |= {
            step.component
            for patch in (*self.spec.prerequisite, *self.spec.patch) for step in patch.step
            if isinstance(step, TemplateStep | FeatureStep)
        }
        return tuple(sorted(found))


def find_series(name: str) -> Path:
    """The folder of a series: ``./series/NAME`` first, then the shipped ones; or a path."""
    for folder in (*([Path(name)] if "/" in name else []), Path("series") / name,
                   series_root() / name):
        if (folder / FILE).is_file():
            return folder
    import difflib

    near = difflib.get_close_matches(name, names(), 1)
    raise InputError(f"no series is called {name!r}",
                     advice=f"did you mean {near[0]!r}?" if near else "see: patchgen list")


def names() -> tuple[str, ...]:
    """The names of all series, one's own (``./series``) and the shipped, sorted."""
    found = {
        folder.parent.name for root in (Path("series"), series_root())
        for folder in root.glob(f"*/{FILE}")
    }
    return tuple(sorted(found))


def load(name: str) -> Series:
    """Load and validate a series by name; raises ``InputError``."""
    return load_folder(find_series(name))


def load_folder(folder: Path) -> Series:
    """Load and validate the series in a folder; raises ``InputError``."""
    path = folder / FILE
    text = _read_text(path)
    spec = _decode(text, path)
    if spec.name != folder.resolve().name:
        raise _error(path, text, ("name",), f"the series is called {spec.name!r} but its folder "
                     f"{folder.resolve().name!r}", "let them agree")
    _check_patches(spec, path, text)
    cover = _read_named(folder, spec.cover, path, text, ("cover",))
    messages = {
        table: tuple(
            _read_named(folder, patch.message, path, text, (table, index, "message")).strip() + "\n"
            for index, patch in enumerate(patches)
        )
        for table, patches in (("patch", spec.patch), ("prerequisite", spec.prerequisite))
    }
    return Series(spec, folder, cover, messages["patch"], messages["prerequisite"])


def _read_text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"is larger than {LARGEST} bytes", path=path)
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8 text", path=path,
                         line=error.object.count(b"\n", 0, error.start) + 1) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error


def _decode(text: str, path: Path) -> SeriesSpec:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"\(at line (\d+), column \d+\)", str(error))
        what = re.sub(r"\s*\(at [^)]*\)", "", str(error))
        line = int(where[1]) if where else text.count("\n") + 1
        raise InputError(what, path=path, line=line, advice="mend the TOML") from error
    try:
        return msgspec.convert(data, SeriesSpec)
    except msgspec.ValidationError as error:
        message, _, pointer = str(error).partition(" - at `")
        key = _key(pointer.rstrip("`"))
        unknown = re.search(r"unknown field `([^`]*)`", message)
        if unknown:
            key += (unknown[1],)
            message = f"unknown key {unknown[1]!r}"
        else:
            inner = re.match(r"(\w+): (.*)", message, re.DOTALL)
            if inner:
                key += (inner[1],)
                message = inner[2]
        dotted = ".".join(str(part) for part in key)
        raise _error(path, text, key, f"{dotted or 'the file'}: {message}",
                     "see series.schema.json for what is allowed") from error


def _key(pointer: str) -> Key:
    parts = re.findall(r"\.([\w-]+)|\[(\d+)\]|\[\.\.\.\]", pointer)
    return tuple(name or int(index or 0) for name, index in parts)


def _error(path: Path, text: str, key: Key, what: str, advice: str | None = None) -> InputError:
    return InputError(what, path=path, line=line_of(text, key), advice=advice)


def _read_named(folder: Path, name: str, path: Path, text: str, key: Key) -> str:
    target = folder / name
    if not target.resolve().is_relative_to(folder.resolve()):
        raise _error(path, text, key, f"{'.'.join(map(str, key))}: {name!r} leads out of the "
                     "series folder", "keep the file beside series.toml")
    if not target.is_file():
        raise _error(path, text, key, f"{'.'.join(map(str, key))}: there is no file {name!r}",
                     "write it beside series.toml")
    return _read_text(target)


def _check_patches(spec: SeriesSpec, path: Path, text: str) -> None:
    seen: dict[str, int] = {}
    for index, patch in enumerate(spec.patch):
        if patch.subject in seen:
            raise _error(path, text, ("patch", index, "subject"),
                         f"patches {seen[patch.subject] + 1} and {index + 1} have one subject",
                         "give each patch its own")
        seen[patch.subject] = index
    for table, patches in (("patch", spec.patch), ("prerequisite", spec.prerequisite)):
        for index, patch in enumerate(patches):
            for number, step in enumerate(patch.step):
                if isinstance(step, TemplateStep | FeatureStep):
                    _check_templates(step, path, text, (table, index, "step", number))


def _check_templates(step: TemplateStep | FeatureStep, path: Path, text: str, at: Key) -> None:
    if step.component not in components():
        raise _error(path, text, (*at, "component"),
                     f"component: there is no template component {step.component!r}",
                     f"there are: {', '.join(components())}")
    there = component_paths(step.component)
    if isinstance(step, TemplateStep):
        for wanted in step.paths:
            if wanted not in there:
                raise _error(path, text, (*at, "paths"),
                             f"paths: component {step.component!r} has no template for {wanted!r}",
                             f"there are: {', '.join(there)}")
        return
    known = frozenset[str]().union(*(features_of(step.component, p) for p in there))
    for feature in step.features:
        if feature not in known:
            raise _error(path, text, (*at, "features"),
                         f"features: no template of {step.component!r} has a feature {feature!r}",
                         f"there are: {', '.join(sorted(known)) or 'none'}")
