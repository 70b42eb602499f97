"""Run the rules of every scope that fits what was given, and put findings to patches."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from patchgen.checks.review.components import group_parts, group_sources, read_text
from patchgen.checks.review.options import ReviewOptions
from patchgen.checks.review.parallel import Job, check_components
from patchgen.checks.review.results import Results, collect_results
from patchgen.checks.silence import Silence, apply_silences
from patchgen.findings import Finding, Skip, sort_key
from patchgen.mail.apply import Applied
from patchgen.mail.model import MailSeries
from patchgen.tree import Tree

EXTERNAL = ("checkpatch", "sparse", "smatch", "coccinelle")
_NEED_TREE = frozenset({"makefile-object-source"})
_BINDINGS = "Documentation/devicetree/bindings/"


@dataclass
class Review:
    """What was found. ``ran`` names external tools with their versions."""

    series: MailSeries | None
    findings: list[Finding] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    silenced: list[tuple[Finding, Silence]] = field(default_factory=list)
    ran: list[tuple[str, str]] = field(default_factory=list)

    def finish(self, options: ReviewOptions) -> Review:
        """Apply select, ignore and silences; sort."""
        wanted = [f for f in dict.fromkeys(self.findings) if options.wants(f.check)]
        kept, taken = apply_silences(wanted, options.silences)
        self.findings = sorted(kept, key=lambda f: (*sort_key(f), f.message))
        self.silenced = taken
        self.skips = list(dict.fromkeys(self.skips))
        return self


def review_series(series: MailSeries, tree: Tree | None, options: ReviewOptions) -> Review:
    """Series rules, then the rules for code, build files and bindings on the result."""
    from patchgen.checks.series import check_context
    from patchgen.checks.series.context import SeriesContext

    review = Review(series)
    context = SeriesContext(series, tree, options.kernel)
    found, skips = check_context(context, select=options.select, ignore=options.ignore)
    review.findings += found
    review.skips += skips
    applied = context.applied
    results = collect_results(applied, tree)
    for more in (_code(results, options), _build(results, options), _bindings(results, options)):
        review.findings += [_placed(f, applied, series) for f in more[0]]
        review.skips += more[1]
    if options.external:
        from patchgen.checks.external import run_external

        wanted = [id for id in EXTERNAL if options.wants(id)]
        external = run_external(series, results.after, tree, results.whole, results.lines, wanted)
        review.findings += [_placed(f, applied, series) for f in external.findings]
        review.skips += external.skips
        review.ran += external.ran
    return review.finish(options)


def review_sources(sources: Mapping[str, str], options: ReviewOptions) -> Review:
    """The code rules on files named directly; files of one folder are one component."""
    review = Review(None)
    folders: dict[str, dict[str, str]] = {}
    for path, text in sources.items():
        folders.setdefault(posixpath.dirname(path), {})[path] = text
    jobs = [_job(component, None, options) for component in folders.values()]
    for findings, skips in check_components(jobs):
        review.findings += findings
        review.skips += skips
    return review.finish(options)


Found = tuple[list[Finding], list[Skip]]


def _placed(finding: Finding, applied: Applied, series: MailSeries) -> Finding:
    """The finding with the patch that wrote its line, or last touched its file."""
    if finding.patch is not None or finding.file is None:
        return finding
    number = applied.origin(finding.file, finding.line) if finding.line else None
    if number is None:
        number = max((p.number for p in series.patches
                      for c in p.changes if c.path == finding.file), default=None)
    return replace(finding, patch=number)


def _code(results: Results, options: ReviewOptions) -> Found:
    sources = [p for p in results.whole if p.endswith((".c", ".h"))]
    if not sources and not results.parts:
        return [], []
    if options.select and not _any_selected(options, "code"):
        return [], []
    findings: list[Finding] = []
    skips: list[Skip] = []
    jobs = [
        _job(component, {p: results.lines.get(p, frozenset()) for p in component}, options)
        for component in [*group_sources(results.after, sources), *group_parts(results.parts)]
    ]
    for found, skipped in check_components(jobs):
        findings += found
        skips += skipped
    return findings, skips


def _job(sources: Mapping[str, str], lines: Mapping[str, frozenset[int]] | None,
         options: ReviewOptions) -> Job:
    return Job(sources, lines, options.kernel, options.selected, options.ignore or None)


def _any_selected(options: ReviewOptions, *scopes: str) -> bool:
    from patchgen.checks.registry import get

    return any(get(id).scope in scopes for id in options.select)


def _build(results: Results, options: ReviewOptions) -> Found:
    known = [p for p in results.touched if p in results.whole]
    if not known:
        return [], []
    from patchgen.checks.build import check_build_files

    before = results.before if results.has_tree else None
    found = check_build_files(results.after, known, before=before, select=options.selected,
                              ignore=options.ignore or None)
    if not results.has_tree:
        found = [f for f in found if f.check not in _NEED_TREE]
    return [f for f in found if _is_written(f, results)], []


def _is_written(finding: Finding, results: Results) -> bool:
    lines = results.lines.get(finding.file or "")
    return finding.line is None or lines is None or finding.line in lines


def _bindings(results: Results, options: ReviewOptions) -> Found:
    findings: list[Finding] = []
    skips: list[Skip] = []
    for path in _binding_paths(results.whole):
        from patchgen.checks.binding import check_binding

        text = read_text(results.after, path)
        if text is not None:
            found, skipped = check_binding(path, text, select=options.selected,
                                           ignore=options.ignore or None)
            findings += [f for f in found if _is_written(f, results)]
            skips += skipped
    return findings, skips


def _binding_paths(paths: Iterable[str]) -> list[str]:
    return [p for p in paths if p.startswith(_BINDINGS) and p.endswith((".yaml", ".txt"))]
