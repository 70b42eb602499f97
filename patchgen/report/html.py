"""One self-contained HTML page: the series at a glance, findings in the diff where they are.

No network, no storage; a Content-Security-Policy forbids both. Everything from outside goes
through ``printable`` and Jinja's escaping.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from patchgen import __version__
from patchgen.findings import SEVERITIES, Finding
from patchgen.mail.model import FileChange, PatchMail
from patchgen.mail.text import printable
from patchgen.report.document import Report, silence_entry
from patchgen.report.text import place

_TEMPLATE = "page.html.j2"
_MOST_LINES = 4000
"""Lines of one file's diff that are shown; the rest of a huge one is cut, findings stay."""


@dataclass(slots=True)
class Row:
    """One line of a diff as shown, with the findings that belong to it."""

    kind: str
    old: int | None
    new: int | None
    text: str
    findings: list[Finding] = field(default_factory=list)


@dataclass(slots=True)
class FileView:
    """One file of a patch."""

    path: str
    what: str
    added: int
    removed: int
    rows: list[Row]
    loose: list[Finding]
    cut: int = 0

    @property
    def findings(self) -> int:
        """How many findings it shows."""
        return len(self.loose) + sum(len(r.findings) for r in self.rows)


@dataclass(slots=True)
class MailView:
    """One mail: its numbers, the findings about it as a mail, its files."""

    number: int
    title: str
    author: str
    message: list[str]
    files: list[FileView]
    loose: list[Finding]

    @property
    def findings(self) -> list[Finding]:
        """Every finding of the mail."""
        inner = [f for v in self.files for r in v.rows for f in r.findings]
        return [*self.loose, *(f for v in self.files for f in v.loose), *inner]

    def count(self, severity: str) -> int:
        """Findings of one severity."""
        return sum(f.severity == severity for f in self.findings)


def render_html(report: Report) -> str:
    """The page."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True,
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )
    mails = list(_mails(report))
    known = {m.number for m in mails}
    series = report.series
    return environment.get_template(_TEMPLATE).render(
        title=printable(series.title) if series and series.title else "Sources",
        version=f"v{series.version}" if series else "",
        mails=mails,
        general=[f for f in report.findings if f.patch not in known],
        counts=report.counts, severities=SEVERITIES,
        checks=sorted({f.check for f in report.findings}),
        rules=report.rules, skips=report.skips, ran=report.ran, silenced=report.silenced,
        place=place, silence=silence_entry, tool=f"patchgen {__version__}",
    ) + "\n"


def _mails(report: Report) -> Iterator[MailView]:
    if report.series is None:
        return
    by_patch: dict[int | None, list[Finding]] = defaultdict(list)
    for finding in report.findings:
        by_patch[finding.patch].append(finding)
    for mail in report.series.mails:
        mine = by_patch[mail.number]
        paths = {c.path for c in mail.changes}
        files = [_file(change, [f for f in mine if f.file == printable(change.path)])
                 for change in mail.changes]
        shown = {printable(p) for p in paths}
        yield MailView(
            mail.number, printable(mail.subject.title) or "(no subject)",
            printable(str(mail.author)) if mail.author else "",
            [printable(line) for line in _message(mail)], files,
            [f for f in mine if f.file not in shown],
        )


def _message(mail: PatchMail) -> list[str]:
    lines = list(mail.written)
    if not mail.changes and mail.cut_line is not None:
        lines += ["---", *mail.below]
    return lines


def _file(change: FileChange, findings: list[Finding]) -> FileView:
    by_line: dict[int | None, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_line[finding.line].append(finding)
    added, removed = change.counts
    rows: list[Row] = []
    cut = 0
    for hunk in change.hunks:
        rows.append(Row("hunk", None, None, printable(
            f"@@ -{hunk.old_start},{hunk.old_count} +{hunk.new_start},{hunk.new_count} @@ "
            f"{hunk.section}")))
        for sign, old, new, text in hunk.numbered():
            here = by_line.pop(new, []) if sign != "-" else []
            if len(rows) > _MOST_LINES and not here:
                cut += 1
                continue
            kind = {"+": "add", "-": "del"}.get(sign, "same")
            rows.append(Row(kind, None if sign == "+" else old, None if sign == "-" else new,
                            printable(text), here))
    loose = [f for line in sorted(by_line, key=lambda n: n or 0) for f in by_line[line]]
    return FileView(printable(change.path), _what(change), added, removed, rows, loose, cut)


def _what(change: FileChange) -> str:
    words = {"add": "new", "delete": "deleted", "rename": "renamed", "copy": "copied"}
    what = words.get(change.kind, "")
    if change.kind in ("rename", "copy") and change.old_path:
        what += f" from {printable(change.old_path)}"
    if change.binary:
        what += " binary"
    if change.old_mode and change.new_mode and change.old_mode != change.new_mode:
        what += f" mode {change.old_mode} to {change.new_mode}"
    return what.strip()
