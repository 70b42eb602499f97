"""Checks that come with a kernel tree or need one: symbols, style, bindings, module facts."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from patchgen import process
from patchgen.errors import PatchgenError, ToolMissingError
from patchgen.kernel.evidence import Result
from patchgen.kernel.farm import SourceFarm
from patchgen.tree import Tree

_LIMIT = 600.0
_SUMMARY = re.compile(r"total: (?P<errors>\d+) errors, (?P<warnings>\d+) warnings")
_MAINTAINERS = "FILE_PATH_CHANGES"


def checkpatch(farm: SourceFarm, mails: Mapping[str, bytes], *, known: Sequence[str]) -> Result:
    """The tree's checkpatch.pl on the mails; ``known`` types are left out (with the reason
    told in the result)."""
    script = farm.folder / "scripts/checkpatch.pl"
    try:
        process.find_tool("perl", why="checkpatch.pl is written in it")
    except ToolMissingError as error:
        return Result("checkpatch", "series", "skipped", str(error))
    lines: list[str] = []
    totals = [0, 0]
    with tempfile.TemporaryDirectory(prefix="patchgen-") as name:
        for mail, data in sorted(mails.items()):
            path = Path(name, mail)
            path.write_bytes(data)
            done = process.run(
                ["perl", script, "--strict", "--terse", "--show-types", "--color=never",
                 f"--root={farm.folder}", *(["--ignore", ",".join(known)] if known else []), path],
                timeout=_LIMIT, check=False, cwd=Path(name), env={"LC_ALL": "C.UTF-8"})
            text = done.text + done.error_text
            match = _SUMMARY.search(text)
            if match is None:
                return Result("checkpatch", "series", "failed", f"{mail}: {text.strip()[:200]}")
            totals[0] += int(match["errors"])
            totals[1] += int(match["warnings"])
            lines += [line.replace(f"{name}/", "") for line in text.splitlines()
                      if re.search(r":\d+: (?:ERROR|WARNING):", line)]
    detail = f"{totals[0]} errors, {totals[1]} warnings in {len(mails)} mails"
    if known:
        detail += f" (without {', '.join(known)})"
    return Result("checkpatch", "series", "failed" if any(totals) else "passed", detail,
                  log=tuple(lines[:20]))


def kconfig_symbols(farm: SourceFarm, before: Tree, after: Tree) -> Result:
    """Every ``CONFIG_X`` that the series' files name is defined by some Kconfig of the tree.

    What ``scripts/checkkconfigsymbols.py`` looks for; that script itself wants a git
    repository, so it is run when the tree is one, on the files alone otherwise.
    """
    named: dict[str, str] = {}
    for path in after.changes_since(before):
        entry = after.entry(path)
        if entry is None or path.startswith("Documentation/"):
            continue
        text = entry.data.decode("utf-8", "replace")
        found = re.findall(r"\bCONFIG_([A-Z0-9_]+)\b", text)
        if Path(path).name.startswith("Kconfig"):
            found += _in_kconfig(_added(before, path, text))
        named |= dict.fromkeys(found, path)
    wanted = set(named)
    for file in _kconfig_files(farm.folder):
        wanted -= set(re.findall(r"^\s*(?:menu)?config\s+([A-Z0-9_]+)\s*$",
                                 file.read_text("utf-8", "replace"), re.MULTILINE))
        if not wanted:
            break
    if wanted:
        lines = tuple(f"{named[symbol]}: {symbol} is defined nowhere" for symbol in sorted(wanted))
        return Result("kconfig symbols", "series", "failed", lines[0], log=lines)
    return Result("kconfig symbols", "series", "passed",
                  f"all {len(named)} symbols that the series names are defined")


def _added(before: Tree, path: str, text: str) -> str:
    old = before.entry(path)
    known = set(old.data.decode("utf-8", "replace").splitlines()) if old else set()
    return "\n".join(line for line in text.splitlines() if line not in known)


def _in_kconfig(text: str) -> list[str]:
    found: list[str] = []
    for line in text.splitlines():
        match = re.match(r"\s*(?:depends on|select|imply|default .* if|visible if)\s(.*)", line)
        if match:
            found += re.findall(r"\b([A-Z][A-Z0-9_]{2,})\b", match[1])
    return found


def _kconfig_files(top: Path) -> list[Path]:
    folders = ["arch", "block", "certs", "crypto", "drivers", "fs", "init", "io_uring", "kernel",
               "lib", "mm", "net", "security", "sound", "usr", "virt"]
    files = [top / "Kconfig"]
    for folder in folders:
        # resolve(): the view's folders are links, which rglob does not follow
        place = top / folder
        files += place.resolve().rglob("Kconfig*") if place.is_symlink() else _walk(place)
    return files


def _walk(folder: Path) -> list[Path]:
    found: list[Path] = []
    for entry in folder.iterdir() if folder.is_dir() else ():
        if entry.is_dir():
            found += entry.resolve().rglob("Kconfig*") if entry.is_symlink() else _walk(entry)
        elif entry.name.startswith("Kconfig"):
            found.append(entry)
    return found


def bindings(before: Tree, after: Tree) -> list[Result]:
    """The devicetree bindings of the series through dtschema, and our own lint of them."""
    from patchgen.checks.binding.api import check_binding

    results = []
    for path in after.changes_since(before):
        if not path.startswith("Documentation/devicetree/bindings/") or not path.endswith(".yaml"):
            continue
        findings, skips = check_binding(path, after.read(path))
        bad = [f for f in findings if f.severity != "note"]
        results.append(Result(
            "binding", path, "failed" if bad else "passed",
            bad[0].message if bad else "schema and example hold",
            log=tuple(f"{f.line}: {f.message}" for f in bad)))
        results += [Result("binding", path, "skipped", skip.reason) for skip in skips]
    return results


def module_facts(module: Path, symbol: str) -> Result:
    """What modinfo must tell of a module: license, description, device table, parameters."""
    try:
        done = process.run(["modinfo", module], timeout=60)
    except PatchgenError as error:
        return Result("modinfo", module.name, "failed", str(error))
    fields: dict[str, list[str]] = {}
    for line in done.text.splitlines():
        key, _, value = line.partition(":")
        fields.setdefault(key.strip(), []).append(value.strip())
    missing = [f for f in ("license", "description", "alias") if not fields.get(f)]
    undescribed = [p for p in fields.get("parm", []) if p.count(":") < 1 or p.endswith(":(uint)")]
    problems = [f"no {name}" for name in missing]
    problems += [f"parameter without a description: {p}" for p in undescribed]
    if fields.get("license", ["?"])[0] not in ("GPL", "GPL v2", "Dual BSD/GPL", "Dual MIT/GPL"):
        problems.append(f"license {fields.get('license')}")
    return Result("modinfo", module.name, "failed" if problems else "passed",
                  "; ".join(problems) or
                  f"{symbol}: license {fields['license'][0]}, {len(fields['alias'])} aliases, "
                  f"{len(fields.get('parm', []))} described parameters")
