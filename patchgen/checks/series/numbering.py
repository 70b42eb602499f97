"""Numbers, totals and versions in the subjects of a series."""

from __future__ import annotations

from collections import Counter

from patchgen.checks.registry import check, get
from patchgen.checks.series.context import Findings, SeriesContext, in_mail


@check(
    "series-gap",
    scope="series",
    severity="error",
    rule="Every number from 1 to the total has its patch",
    why="A maintainer's tools wait for the missing mail, or apply a series with a hole.",
    fix="send the whole series again as a new version",
)
def series_gap(context: SeriesContext) -> Findings:
    """Missing numbers."""
    series = context.series
    if not series.patches:
        if series.cover is not None and (series.expected or 0) > 0:
            yield get("series-gap").finding(
                f"only the cover letter is here, its {series.expected} patches are not",
                severity="warning",
                patch=0,
            )
        return
    missing = series.missing
    if missing and len(series.mails) == 1:
        yield in_mail(
            "series-gap",
            series.patches[0],
            f"one patch of {series.expected} is here, rules for a whole series say nothing",
            severity="note",
        )
    elif missing:
        names = ", ".join(f"{n}/{series.expected}" for n in missing[:8])
        more = f" and {len(missing) - 8} more" if len(missing) > 8 else ""
        yield get("series-gap").finding(f"no patch {names}{more}", patch=missing[0])


@check(
    "series-duplicate",
    scope="series",
    severity="error",
    rule="No number occurs twice in one version",
    why="Tools take one of the two mails, and not always the right one.",
    fix="send the whole series again as a new version; a corrected patch is not slipped in",
)
def series_duplicate(context: SeriesContext) -> Findings:
    """A second mail of the same number, and stray unnumbered patches."""
    for other in context.series.others:
        if other.reason == "duplicate":
            number = other.subject.number
            what = "cover letter" if number == 0 else f"patch {number}/{other.subject.total}"
            yield get("series-duplicate").finding(
                f"there is a second {what}: {other.subject.title!r}",
                patch=number,
                file=other.source,
            )
        elif other.reason == "unnumbered":
            yield get("series-duplicate").finding(
                f"a patch without a number in a numbered series: {other.subject.title!r}",
                file=other.source,
            )
    titles = Counter(p.subject.title.lower() for p in context.series.patches)
    for patch in context.series.patches:
        if titles[patch.subject.title.lower()] > 1 and patch.subject.title:
            yield in_mail(
                "series-duplicate",
                patch,
                "another patch of the series has the same subject",
                severity="warning",
                hint="say in each subject what this patch does",
            )


@check(
    "series-total",
    scope="series",
    severity="error",
    rule="All subjects name the same total, and no number is beyond it",
    why="With two totals in one series nobody can tell whether it is complete.",
    fix="let git format-patch number the series (--cover-letter, -n)",
)
def series_total(context: SeriesContext) -> Findings:
    """Totals that differ, numbers past the total, numbers missing from some subjects."""
    series = context.series
    if series.expected is None:
        return
    for mail in series.mails:
        subject = mail.subject
        if subject.total is None:
            yield in_mail(
                "series-total",
                mail,
                f"the subject has no number, other subjects count to {series.expected}",
            )
        elif subject.total != series.expected:
            yield in_mail(
                "series-total",
                mail,
                f"the subject counts to {subject.total}, the others to {series.expected}",
            )
        elif mail.number > subject.total:
            yield in_mail("series-total", mail, f"number {mail.number} of {subject.total}")


@check(
    "series-version",
    scope="series",
    severity="error",
    rule="All subjects name the same version",
    why="Patchwork and b4 sort mails by version: one that differs becomes its own series.",
    fix="git format-patch -v N puts the version into every subject",
)
def series_version(context: SeriesContext) -> Findings:
    """Versions that differ, RFC or RESEND in some subjects only."""
    series = context.series
    for mail in series.mails:
        version = mail.subject.effective_version
        if version != series.version:
            named = f"v{version}" if mail.subject.version is not None else "no version"
            yield in_mail(
                "series-version",
                mail,
                f"the subject names {named}, most of the series v{series.version}",
            )
    for word in ("rfc", "resend"):
        having = [m for m in series.mails if getattr(m.subject, word)]
        if having and len(having) < len(series.mails):
            lacking = [m for m in series.mails if m not in having]
            for mail in min(having, lacking, key=len):
                yield in_mail(
                    "series-version",
                    mail,
                    f"{word.upper()} stands in some subjects of the series only",
                    severity="warning",
                )


@check(
    "subject-marker",
    scope="series",
    severity="warning",
    rule="Subjects start with [PATCH vN n/m], version and counter parted by a blank",
    why="b4 0.16 takes [PATCH v2,1/3] for a series of its own and loses patches.",
    fix="use git format-patch -v N instead of writing the version into --subject-prefix",
)
def subject_marker(context: SeriesContext) -> Findings:
    """Markers that tools misread, and mails without one."""
    if not context.is_mailed:
        return
    for mail in context.series.mails:
        subject = mail.subject
        if mail.header("X-Patchwork-Id") or not mail.header("Subject"):
            continue
        if subject.glued and subject.is_patch:
            yield in_mail("subject-marker", mail, "version and counter are glued together")
        elif not subject.is_patch and subject.tags and subject.number is not None:
            if not subject.glued:
                yield in_mail("subject-marker", mail, "the subject's brackets do not say PATCH")
        elif not subject.is_patch and any(m.subject.is_patch for m in context.series.mails):
            yield in_mail("subject-marker", mail, "the subject has no [PATCH n/m]")


@check(
    "series-length",
    scope="series",
    severity="warning",
    rule="At most 15 patches a series, and a cover letter from 3 patches on",
    why="Longer series do not get reviewed; without a cover letter nobody knows the aim.",
    fix="split the series; git format-patch --cover-letter",
)
def series_length(context: SeriesContext) -> Findings:
    """Too long, or no cover letter."""
    series = context.series
    if len(series.mails) == 1 and series.missing:
        return
    count = max(len(series.patches), series.expected or 0)
    if count > 15:
        yield get("series-length").finding(f"{count} patches in one series")
    numbered = any(p.subject.number is not None for p in series.patches)
    if count >= 3 and series.cover is None and numbered and context.is_mailed:
        yield get("series-length").finding(
            f"{count} patches and no cover letter", hint="git format-patch --cover-letter"
        )
