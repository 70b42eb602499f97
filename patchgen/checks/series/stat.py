"""Shortlog and diffstats against what the patches really do."""

from __future__ import annotations

from collections.abc import Mapping

from patchgen.checks.registry import check
from patchgen.checks.series.context import Findings, SeriesContext, in_mail
from patchgen.checks.series.covertext import read_shortlog
from patchgen.mail.diffstat import same_path
from patchgen.mail.model import DiffStat, PatchMail

_LISTED = 4


@check(
    "cover-shortlog",
    scope="series",
    severity="error",
    rule="The cover letter's shortlog names exactly the patches of the series",
    why="A stale shortlog shows that the letter describes another state of the series.",
    fix="let git format-patch --cover-letter write it after the last rebase",
)
def cover_shortlog(context: SeriesContext) -> Findings:
    """Titles and counts per author."""
    series = context.series
    cover = series.cover
    if cover is None or series.missing or not series.patches:
        return
    groups = read_shortlog(cover)
    if not groups:
        if len(series.patches) > 1:
            yield in_mail(
                "cover-shortlog", cover, "the cover letter has no shortlog", severity="note"
            )
        return
    real = [" ".join(p.subject.title.split()) for p in series.patches]
    shown = [" ".join(t.split()) for g in groups for t in g.titles]
    for group in groups:
        if group.count != len(group.titles):
            yield in_mail(
                "cover-shortlog",
                cover,
                f"{group.author} is counted with {group.count} patches, "
                f"{len(group.titles)} are listed",
                line=group.line,
            )
        if not group.has_colon:
            yield in_mail(
                "cover-shortlog",
                cover,
                "the shortlog is not git's own: no colon after the count",
                severity="warning",
                line=group.line,
            )
    line = groups[0].line
    for title in [t for t in shown if t not in real][:_LISTED]:
        yield in_mail(
            "cover-shortlog",
            cover,
            f"the shortlog lists {title!r}, no patch has that subject",
            line=line,
        )
    for title in [t for t in real if t not in shown][:_LISTED]:
        yield in_mail("cover-shortlog", cover, f"the shortlog lacks {title!r}", line=line)
    if sorted(shown) == sorted(real):
        yield from _authors(context, cover, line)


def _authors(context: SeriesContext, cover: PatchMail, line: int) -> Findings:
    shown = {" ".join(t.split()): g.author for g in read_shortlog(cover) for t in g.titles}
    for patch in context.series.patches:
        author = shown.get(" ".join(patch.subject.title.split()))
        if (
            author
            and patch.author
            and patch.author.name
            and (author.casefold() != patch.author.name.casefold())
        ):
            yield in_mail(
                "cover-shortlog",
                cover,
                f"the shortlog gives patch {patch.number} to {author}, "
                f"it is from {patch.author.name}",
                severity="warning",
                line=line,
            )


@check(
    "cover-diffstat",
    scope="series",
    severity="error",
    rule="The cover letter's diffstat is that of the series",
    why="Reviewers judge size and reach by it; a stale one shows a late change nobody described.",
    fix="write the cover letter again with git format-patch --cover-letter",
)
def cover_diffstat(context: SeriesContext) -> Findings:
    """Paths, lines a file, and sums of the whole series."""
    series = context.series
    cover = series.cover
    if cover is None or series.missing or not series.patches:
        return
    stat = cover.diffstat
    if stat is None:
        if len(series.patches) > 1:
            yield in_mail(
                "cover-diffstat", cover, "the cover letter has no diffstat", severity="note"
            )
        return
    net = _net(context)
    loose = {
        path
        for path, by in context.touched_by.items()
        if len(by) > 1 and path not in context.created
    }
    yield from _compare(cover, stat, net, loose, "cover-diffstat", "the series")


def _net(context: SeriesContext) -> dict[str, tuple[int, int]]:
    """Insertions and deletions of the whole series, by path."""
    found: dict[str, tuple[int, int]] = {}
    for patch in context.series.patches:
        for change in patch.changes:
            added, removed = change.counts
            before = found.get(change.path, (0, 0))
            if change.kind == "rename" and change.old_path in found:
                before = found.pop(change.old_path)
            found[change.path] = (before[0] + added, before[1] + removed)
    for gone in context.applied.replaced:
        if gone.path in found:
            added, removed = found[gone.path]
            found[gone.path] = (added - 1, removed - 1)
    never = [
        p
        for p, by in context.created.items()
        if p in found and context.applied.files.get(p, 0) is None and by
    ]
    for path in never:
        if context.tree is None or not _in_base(context, path):
            del found[path]
    return found


def _in_base(context: SeriesContext, path: str) -> bool:
    from patchgen.errors import InputError

    try:
        return context.tree is not None and context.tree.exists(path)
    except InputError:
        return False


def _compare(
    mail: PatchMail,
    stat: DiffStat,
    real: Mapping[str, tuple[int, int]],
    loose: set[str],
    rule: str,
    what: str,
) -> Findings:
    """A written diffstat against counts; ``loose`` paths may show less than their sum."""
    unseen = dict(real)
    for row in stat.rows:
        path = next((p for p in unseen if same_path(row.path, p)), None)
        if path is None:
            yield in_mail(
                rule,
                mail,
                f"the diffstat names {row.path}, {what} does not touch it",
                line=row.line,
            )
            continue
        added, removed = unseen.pop(path)
        wanted = added + removed
        fits = (
            row.changed is None
            or row.changed == wanted
            or (path in loose and row.changed <= wanted and (wanted - row.changed) % 2 == 0)
        )
        if not fits:
            yield in_mail(
                rule,
                mail,
                f"the diffstat counts {row.changed} lines in {row.path}, {what} changes {wanted}",
                line=row.line,
            )
    for path in list(unseen)[:_LISTED]:
        yield in_mail(rule, mail, f"the diffstat lacks {path}", line=stat.line)
    yield from _sums(mail, stat, real, bool(loose), rule, what)


def _sums(
    mail: PatchMail,
    stat: DiffStat,
    real: Mapping[str, tuple[int, int]],
    loose: bool,
    rule: str,
    what: str,
) -> Findings:
    added = sum(a for a, _ in real.values())
    removed = sum(r for _, r in real.values())
    if stat.files != len(real):
        yield in_mail(
            rule,
            mail,
            f"the diffstat says {stat.files} files, {what} touches {len(real)}",
            line=stat.line,
        )
    shown = (stat.insertions, stat.deletions)
    fits = shown == (added, removed) or (
        loose and shown[0] <= added and shown[0] - shown[1] == added - removed
    )
    if not fits:
        yield in_mail(
            rule,
            mail,
            f"the diffstat says +{shown[0]} -{shown[1]}, {what} has +{added} -{removed}",
            line=stat.line,
        )


@check(
    "patch-diffstat",
    scope="series",
    severity="error",
    rule="The diffstat of a patch is that of its diff",
    why="A patch whose diffstat is stale was edited after it was made; so nobody tested it.",
    fix="change the commit and run git format-patch again instead of editing the mail",
)
def patch_diffstat(context: SeriesContext) -> Findings:
    """Every patch that shows a diffstat, against its own diff."""
    for patch in context.series.patches:
        stat = patch.diffstat
        if stat is None or not patch.changes:
            continue
        real: dict[str, tuple[int, int]] = {}
        for change in patch.changes:
            added, removed = change.counts
            before = real.get(change.path, (0, 0))
            real[change.path] = (before[0] + added, before[1] + removed)
        yield from _compare(patch, stat, real, set(), "patch-diffstat", "the diff")
        made = {c.new_path for c in patch.changes if c.kind == "add"}
        for path in stat.created:
            if path not in made and not path.startswith("..."):
                yield in_mail(
                    "patch-diffstat",
                    patch,
                    f"the diffstat creates {path}, the diff does not",
                    line=stat.line,
                )
