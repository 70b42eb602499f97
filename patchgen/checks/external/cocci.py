"""The kernel's semantic patches (scripts/coccinelle of the tree) in report mode."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from patchgen import process
from patchgen.checks.external.cache import cache_key, load, store
from patchgen.checks.external.model import External
from patchgen.checks.external.scratch import Sources, lay_out
from patchgen.checks.registry import check, get
from patchgen.errors import PatchgenError, ToolMissingError
from patchgen.findings import Severity, Skip

RULES = (
    "api/err_cast", "api/kfree_mismatch", "api/platform_get_irq", "api/pm_runtime",
    "free/clk_put", "free/devm_free", "free/iounmap", "free/kfree",
    "iterators/itnull", "iterators/use_after_iter",
    "locks/call_kern", "locks/double_lock", "locks/flags", "locks/mini_lock",
    "misc/irqf_oneshot", "misc/noderef", "misc/of_table", "misc/semicolon",
    "null/deref_null", "null/eno", "tests/odd_ptr_err", "tests/unsigned_lesser_than_zero",
)
"""Rules that report faults, not taste; a rule that the tree does not have is passed over."""

_LINE = re.compile(r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+)(?:-\d+)?: (?P<text>.*)$")
_NOISE = re.compile(r"\s*$|(?:init_defs_builtins|HANDLING): ")
_TIMEOUT = 300


@check(
    "coccinelle", scope="external", severity="warning",
    rule="The kernel's semantic patches report nothing",
    why="They are run over every tree by the 0-day robot, which mails what they find.",
    fix="make coccicheck MODE=report M=FOLDER shows it again",
)
def coccinelle(sources: Sources) -> External:
    """Each rule once over all changed C files; remarks on lines of the series are kept."""
    result = External()
    files = tuple(p for p in sources.paths if p.endswith(".c"))
    root = sources.root
    rules = [root / f"scripts/coccinelle/{name}.cocci" for name in RULES] if root else []
    rules = [rule for rule in rules if rule.is_file()]
    if not files:
        return result
    if not rules:
        result.skips.append(Skip("coccinelle", "needs --tree with scripts/coccinelle"))
        return result
    try:
        version = process.run(["spatch", "--version"], timeout=20).text.split("\n")[0]
    except (ToolMissingError, PatchgenError) as error:
        result.skips.append(Skip("coccinelle", str(error)))
        return result
    content = [sources.data(path) for path in files]
    with tempfile.TemporaryDirectory(prefix="patchgen-") as name:
        folder = Path(name)
        lay_out(sources, folder, files)
        for rule in rules:
            key = cache_key("1", version, rule.stem, rule.read_bytes(), "\0".join(files), *content)
            lines = load("coccinelle", key)
            if lines is None:
                try:
                    lines = _run(rule, folder, files)
                except PatchgenError as error:
                    result.skips.append(Skip("coccinelle", f"{rule.stem}: {error}"))
                    continue
                store("coccinelle", key, lines)
            _take(result, sources, rule.stem, [str(line) for line in lines])
    result.ran.append(("coccinelle", f"{version} ({len(rules)} rules)"))
    return result


def _run(rule: Path, folder: Path, files: tuple[str, ...]) -> list[str]:
    done = process.run(
        ["spatch", "-D", "report", "--very-quiet", "--no-show-diff", "--cocci-file", rule, *files],
        cwd=folder, timeout=_TIMEOUT, check=False, env={"LC_ALL": "C.UTF-8"})
    lines = done.text.splitlines()
    if done.returncode != 0:
        lines += [f"spatch ended with status {done.returncode}", *done.error_text.splitlines()[:5]]
    return lines


def _take(result: External, sources: Sources, rule: str, lines: list[str]) -> None:
    rule_check = get("coccinelle")
    for line in lines:
        match = _LINE.match(line)
        if match is None:
            if not _NOISE.match(line):
                result.findings.append(rule_check.finding(f"{rule}: {line}"))
        elif sources.is_written(match["file"], int(match["line"])):
            text = match["text"]
            severity: Severity = "error" if text.startswith("ERROR") else "warning"
            result.findings.append(rule_check.finding(
                f"{rule}: {text}", severity=severity, file=match["file"], line=int(match["line"]),
                column=int(match["column"]) + 1))
