"""What was written is what was meant: mails are read back and applied on a fresh base."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchgen.checks.registry import check as register
from patchgen.checks.registry import get
from patchgen.findings import Finding, Skip
from patchgen.history import Recorded, Scratch
from patchgen.mail.format import STAT_WIDTH, Mail, MailOptions
from patchgen.series.plan import Plan


@register(
    "placeholder-author", scope="plan", severity="warning",
    rule="A series needs a real author",
    why="Signed-off-by is a legal statement by a person; nobody can make it for a placeholder.",
    fix="git config --global user.name '…' and user.email '…', or use --from 'Name <mail>'",
)
def placeholder_author() -> Finding:
    """The finding for a series without a configured identity."""
    return get("placeholder-author").finding(
        "no author is configured: the mails carry a placeholder and patchgen send refuses them")


@register(
    "kernel-mismatch", scope="plan", severity="warning",
    rule="--kernel fits the tree",
    why="Templates rendered for another version use APIs that the tree does not have.",
    fix="leave out --kernel: the tree's own Makefile says its version",
)
def plan_warning(text: str) -> Finding:
    """The finding for a doubt that planning had."""
    return get("kernel-mismatch").finding(text)


@register(
    "mail-applies", scope="plan", severity="error",
    rule="Every mail, read back, applies on a fresh base and gives the planned tree",
    why="A maintainer runs git am; what it makes has to be what was checked.",
    fix="report this: git's own diff of two trees did not survive being mailed",
)
def check(
    plan: Plan, mails: Sequence[Mail], repository: Scratch, recorded: Recorded,
    options: MailOptions,
) -> list[Finding]:
    """Read the mails with unidiff, apply them to a temporary index, compare trees."""
    findings = [*_numbering(plan, mails, options)]
    start = recorded.prerequisites[-1] if recorded.prerequisites else recorded.base
    findings += _applies(mails[1:], repository, start, recorded.patches)
    findings += _diff_contents(plan, mails[1:])
    findings += _diffstat(mails[0], repository, start, recorded.patches[-1])
    return findings


def _numbering(
    plan: Plan, mails: Sequence[Mail], options: MailOptions
) -> Iterator[Finding]:
    from email.parser import BytesHeaderParser
    from email.policy import default

    total = len(plan.patches)
    subjects = [plan.series.spec.title, *(patch.subject for patch in plan.patches)]
    version = f" v{options.version}"
    width = len(str(total))
    for number, (mail, subject) in enumerate(zip(mails, subjects, strict=True)):
        header = " ".join(str(
            BytesHeaderParser(policy=default).parsebytes(mail.data)["Subject"]).split())
        wanted = f"[{options.subject_prefix}{version} {number:0{width}}/{total}] {subject}"
        if header != " ".join(wanted.split()):
            yield get("mail-applies").finding(
                f"the subject reads {header!r}, meant was {wanted!r}", patch=number)


def _applies(
    mails: Sequence[Mail], repository: Scratch, start: str, commits: Sequence[str]
) -> Iterator[Finding]:
    trees = repository.git("rev-parse", *(f"{commit}^{{tree}}" for commit in commits)).text.split()
    results = repository.apply_in_turn(start, [mail.data for mail in mails])
    for number, ((made, complaint), wanted) in enumerate(
            zip(results, trees, strict=False), start=1):
        if made is None:
            first = complaint.splitlines()[0] if complaint else "git apply failed"
            yield get("mail-applies").finding(f"does not apply: {first}", patch=number)
            return
        if made != wanted:
            yield get("mail-applies").finding(
                "applies, but gives another tree than the planned one", patch=number)


def _diff_contents(plan: Plan, mails: Sequence[Mail]) -> Iterator[Finding]:
    """unidiff as a second reader: the same files and line counts as the trees say."""
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    for number, (mail, patch) in enumerate(zip(mails, plan.patches, strict=True), start=1):
        try:
            files = PatchSet(mail.data.decode("utf-8", "surrogateescape"))
        except UnidiffParseError as error:
            yield get("mail-applies").finding(f"cannot be read as a diff: {error}", patch=number)
            continue
        read = sorted(file.path for file in files)
        if read != list(patch.paths):
            yield get("mail-applies").finding(
                f"the mail changes {', '.join(read)}, the plan {', '.join(patch.paths)}",
                patch=number)
        for file in files:
            if file.is_added_file:
                entry = patch.after.entry(file.path)
                lines = entry.data.count(b"\n") if entry else 0
                if file.added != lines:
                    yield get("mail-applies").finding(
                        f"adds {file.added} lines, the file has {lines}",
                        patch=number, file=file.path)


@register(
    "cover-stat", scope="plan", severity="error",
    rule="The cover letter's diffstat is what git diff --stat says",
    why="Reviewers judge size and reach of a series by it.",
    fix="report this: git wrote the cover letter",
)
def _diffstat(cover: Mail, repository: Scratch, start: str, tip: str) -> Iterator[Finding]:
    stat = repository.git("diff", f"--stat={STAT_WIDTH}", "--summary", "--no-renames", start,
                          tip).stdout
    if stat.rstrip() not in cover.data:
        yield get("cover-stat").finding(
            "the diffstat of the cover letter is not what git diff --stat says", patch=0)


def check_rules(
    plan: Plan, mails: Sequence[Mail], ignore: frozenset[str]
) -> tuple[list[Finding], list[Skip]]:
    """The rules that hold for anybody's series, on ours."""
    from patchgen.checks.series import check_series
    from patchgen.mail import read_series

    series = read_series([mail.data for mail in mails])
    findings, skips = check_series(series, tree=plan.trees[0], kernel=plan.profile, ignore=ignore)
    return list(findings), list(skips)
