"""Rules on Kconfig entries that a series adds or changes."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.build.context import BuildContext, kernel_symbols
from patchgen.checks.build.kconfig import Entry, parse_kconfig
from patchgen.findings import Finding


def _new_entries(context: BuildContext) -> Iterator[tuple[str, Entry]]:
    for path, kconfig in context.kconfigs.items():
        for entry in kconfig.entries:
            if context.is_new_entry(path, entry):
                yield path, entry


@registry.check(
    "kconfig-keyword", scope="build", severity="error",
    rule="Every line of a Kconfig file starts with a word of the language.",
    why="kconfig stops the whole build of everybody at a word it does not know.",
    fix="correct the word, or indent the line if it belongs to the help text",
)
def kconfig_keyword(context: BuildContext) -> Iterator[Finding]:
    """Misspelt keywords, and blocks that are not closed."""
    check = registry.get("kconfig-keyword")
    for path, kconfig in context.kconfigs.items():
        for word, line in kconfig.unknown:
            yield check.finding(f"{word!r} is no Kconfig keyword", file=path, line=line)
        for word, line in kconfig.open_blocks:
            yield check.finding(f"this {word} is never closed", file=path, line=line,
                                hint=f"add end{word}")


@registry.check(
    "kconfig-undefined-symbol", scope="build", severity="error",
    rule="Every symbol that a Kconfig line names is defined.",
    why="A select of an undefined symbol is ignored without a word, a dependency on one can "
        "never be met.",
    fix="name a symbol that exists",
)
def kconfig_undefined_symbol(context: BuildContext) -> Iterator[Finding]:
    """Symbols that neither the kernel nor the touched files define."""
    check = registry.get("kconfig-undefined-symbol")
    for path, kconfig in context.kconfigs.items():
        for reference in dict.fromkeys(kconfig.references):
            symbol = reference.symbol
            if context.defines(symbol) or not context.is_new_line(path, reference.line):
                continue
            near = difflib.get_close_matches(symbol, kernel_symbols(), 1, 0.86)
            yield check.finding(
                f"{reference.how} names {symbol}, which no Kconfig file defines",
                hint=f"did you mean {near[0]}?" if near else None,
                file=path, line=reference.line)


@registry.check(
    "kconfig-help", scope="build", severity="error",
    rule="A symbol that a user is asked for has a help text that says what it is for.",
    why="Users decide from the help text alone; checkpatch and maintainers ask for some lines.",
    fix="describe the hardware, what the driver does, and the module's name",
)
def kconfig_help(context: BuildContext) -> Iterator[Finding]:
    """Missing help texts, and texts of a few words."""
    check = registry.get("kconfig-help")
    for path, entry in _new_entries(context):
        if entry.prompt is None:
            continue
        words = sum(len(line.split()) for line in entry.help)
        if entry.help_line is None or not words:
            yield check.finding(f"{entry.name} has a prompt but no help text",
                                file=path, line=entry.line)
        elif words < 8:
            yield check.finding(f"the help text of {entry.name} has only {words} words",
                                file=path, line=entry.help_line, severity="warning")


@registry.check(
    "kconfig-type", scope="build", severity="error",
    rule="A symbol has a type, a number has a range, and names are not defined twice.",
    why="An untyped symbol is an error in kconfig; a number without a range lets users enter a "
        "negative or absurd value that the code then trusts.",
    fix="write bool, tristate, int or string below config; give numbers a range",
)
def kconfig_type(context: BuildContext) -> Iterator[Finding]:
    """Entries without a type, numbers without a range, double definitions."""
    check = registry.get("kconfig-type")
    for path, kconfig in context.kconfigs.items():
        seen: dict[str, int] = {}
        for entry in kconfig.entries:
            if not context.is_new_entry(path, entry):
                continue
            if not entry.type:
                yield check.finding(f"{entry.name} has no type", file=path, line=entry.line)
            if entry.type in ("int", "hex") and entry.prompt and not entry.has_range:
                yield check.finding(f"{entry.name} is a number without a range",
                                    file=path, line=entry.line, severity="warning")
            if entry.name in seen:
                yield check.finding(f"{entry.name} is defined a second time", file=path,
                                    line=entry.line)
            seen[entry.name] = entry.line


@registry.check(
    "kconfig-order", scope="build", severity="warning",
    rule="A new entry stands where the order of its neighbours wants it.",
    why="Entries added at the end or at random places make every later merge a conflict.",
    fix="move the entry between the neighbours that its name sorts between",
)
def kconfig_order(context: BuildContext) -> Iterator[Finding]:
    """New entries that break the order which the entries around them keep."""
    check = registry.get("kconfig-order")
    for path, kconfig in context.kconfigs.items():
        if context.before is None or not context.before.exists(path):
            continue
        old = {e.name for e in parse_kconfig(context.before.read(path)).entries}
        names = [e.name for e in kconfig.entries]
        for index, entry in enumerate(kconfig.entries):
            if entry.name in old:
                continue
            before = next((n for n in reversed(names[:index]) if n in old), None)
            after = next((n for n in names[index + 1 :] if n in old), None)
            if before is None or after is None or before > after:
                continue
            if not before < entry.name < after and not entry.name.startswith(before):
                yield check.finding(
                    f"{entry.name} stands between {before} and {after}",
                    file=path, line=entry.line)


_PLATFORM = ("ARCH_", "MACH_", "SOC_", "PLAT_")
_ARCHES = frozenset({"MIPS", "ARM", "ARM64", "X86", "X86_64", "PPC", "PPC64", "S390", "RISCV",
                     "SPARC", "SPARC64", "LOONGARCH", "M68K", "CPU_BIG_ENDIAN",
                     "CPU_LITTLE_ENDIAN"})
_ASSEMBLY = ("arch/",)


def _is_platform(symbol: str) -> bool:
    return symbol.startswith(_PLATFORM) or symbol in _ARCHES


@registry.check(
    "kconfig-compile-test", scope="build", severity="warning",
    rule="A driver that depends on a platform can also be built with COMPILE_TEST.",
    why="Without it no build robot compiles the driver, and tree-wide changes break it unseen.",
    fix="write depends on (PLATFORM || COMPILE_TEST)",
)
def kconfig_compile_test(context: BuildContext) -> Iterator[Finding]:
    """New driver entries tied to a platform only."""
    check = registry.get("kconfig-compile-test")
    for path, entry in _new_entries(context):
        if entry.type not in ("bool", "tristate") or entry.prompt is None \
                or path.startswith(_ASSEMBLY):
            continue
        depends = entry.depends()
        if any(_is_platform(s) for s in depends) and "COMPILE_TEST" not in depends:
            line = next((r.line for r in entry.references if r.how == "depends"), entry.line)
            yield check.finding(f"{entry.name} is built for its platform only", file=path,
                                line=line)
