"""``patchgen validate PATH…``: check any series, or C files named directly."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from patchgen.cli import options
from patchgen.errors import InputError

if TYPE_CHECKING:
    from patchgen.checks.review import Review, ReviewOptions
    from patchgen.mail.model import MailSeries
    from patchgen.tree import Base, Tree

NAME = "validate"
HELP = "Check any series: mails, an mbox, a folder, a git range; or C files named directly."

FORMATS = ("text", "json", "sarif", "junit", "html")
_SOURCES = (".c", ".h")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``patchgen validate``."""
    parser.add_argument("paths", nargs="*", metavar="PATH",
                        help="mails, mboxes, folders, maildirs, '-', REV..REV with --tree, or "
                        ".c and .h files")
    parser.add_argument("--tree", metavar="PATH[@REV]",
                        help="what the series applies to; an OpenWrt tree alone is checked itself")
    parser.add_argument("--kernel", metavar="X.Y", help="judge the code for this kernel version")
    parser.add_argument("-v", "--reroll-count", type=options.reroll_count, metavar="N",
                        help="take version N of several (default: the newest complete one)")
    parser.add_argument("--format", choices=FORMATS, default="text")
    parser.add_argument("--json", action="store_const", const="json", dest="format",
                        help="the same as --format json")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE",
                        help="write the report to a file instead of standard output")
    parser.add_argument("--select", action="append", type=options.names, default=[],
                        metavar="ID", help="run only these checks")
    parser.add_argument("--ignore", "--no-check", action="append", type=options.names, default=[],
                        metavar="ID", help="leave these checks out")
    parser.add_argument("--no-external", action="store_true",
                        help="do not run checkpatch.pl, sparse, smatch or coccinelle")
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")
    parser.add_argument("--config", type=Path, metavar="FILE",
                        help="a TOML file with [tool.patchgen] (default: the nearest "
                        "pyproject.toml that has one)")
    parser.add_argument("--linux", type=Path, metavar="DIR",
                        help="with an OpenWrt tree: a Linux source for its Kconfig")
    parser.add_argument("--fix", action="store_true",
                        help="with an OpenWrt tree: write the repaired files below -o DIR")
    parser.add_argument("--force", action="store_true", help="replace what -o names")


def run(args: argparse.Namespace) -> int:
    """Check, report; 1 when there is an error (with ``--strict``: or a warning)."""
    from patchgen.tree import open_base

    base = open_base(args.tree) if args.tree else None
    if not args.paths:
        if base is None:
            raise InputError("nothing to check", advice="name mails, a folder, an mbox, a git "
                             "range with --tree, or C files")
        return _openwrt(args, base)
    if args.fix:
        raise InputError("--fix mends OpenWrt trees only", advice="leave out the paths")
    settings = _options(args, base)
    review = _review(args, base, settings)
    return _report(args, review)


def _openwrt(args: argparse.Namespace, base: Base) -> int:
    if not base.list_dir("target/linux"):
        raise InputError("no paths given, and the tree is not OpenWrt's", path=args.tree,
                         advice="name the mails to check")
    from patchgen.checks.openwrt import check_tree
    from patchgen.checks.review import Review

    if args.fix:
        return _fix(args, base)
    findings, skips = check_tree(base, kernel=args.kernel, linux=args.linux,
                                 ignore=_ids(args.ignore), select=_ids(args.select))
    return _report(args, Review(None, findings, skips).finish(_options(args, base)))


def _fix(args: argparse.Namespace, base: Base) -> int:
    """Write the repairs that the layers of an OpenWrt tree need, as mails for git am."""
    import datetime as dt

    from patchgen.checks.openwrt import fix_tree
    from patchgen.checks.openwrt.written import fix_mails
    from patchgen.cli.output import say
    from patchgen.folder import write_folder
    from patchgen.history import commit_date
    from patchgen.series.identity import choose

    if args.output is None:
        raise InputError("--fix needs -o DIR for the patches")
    repairs = fix_tree(base, kernel=args.kernel, linux=args.linux)
    if not repairs:
        say("nothing to mend")
        return 0
    date = commit_date(dt.datetime.now(dt.UTC).replace(microsecond=0))
    mails = fix_mails(base, repairs, choose(None, None), date)
    write_folder(args.output, {mail.name: mail.data for mail in mails}, force=args.force)
    for repair in repairs:
        say(f"{repair.subject}: {', '.join(sorted(repair.files))}")
    say(f"wrote {len(mails)} patches to {args.output}")
    say(f"next: git am {args.output}/*.patch")
    return 0


def _ids(lists: list[tuple[str, ...]]) -> frozenset[str]:
    """The check ids of an option; raises ``InputError`` for one that is none."""
    ids = frozenset(id for names in lists for id in names)
    if ids:
        from patchgen.checks.registry import get

        for id in sorted(ids):
            get(id)
    return ids


def _options(args: argparse.Namespace, base: Base | None) -> ReviewOptions:
    from patchgen.checks.review import ReviewOptions
    from patchgen.checks.silence import find_config, load_silences
    from patchgen.profiles import DEFAULT_KERNEL, profile_for

    if args.config is not None and not args.config.is_file():
        raise InputError("no such file", path=args.config)
    config = args.config or find_config(Path.cwd())
    kernel = args.kernel or (base.kernel_version if base else None) or DEFAULT_KERNEL
    return ReviewOptions(
        kernel=profile_for(kernel), select=_ids(args.select), ignore=_ids(args.ignore),
        external=not args.no_external, silences=load_silences(config) if config else (),
    )


def _review(args: argparse.Namespace, base: Base | None, settings: ReviewOptions) -> Review:
    from patchgen.checks.review import review_series, review_sources
    from patchgen.tree import Tree

    sources = [p for p in args.paths if p.endswith(_SOURCES) and Path(p).is_file()]
    if sources:
        if len(sources) != len(args.paths):
            other = next(p for p in args.paths if p not in sources)
            raise InputError("C files and mails are checked apart", path=other)
        return review_sources({p: _text(Path(p)) for p in sources}, settings)
    tree = Tree(base) if base is not None else None
    return review_series(_series(args, base), _tree_before(args, base, tree), settings)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error


def _is_range(word: str) -> bool:
    return ".." in word and not Path(word).exists() and not word.startswith(("/", "../", "./"))


def _series(args: argparse.Namespace, base: Base | None) -> MailSeries:
    from patchgen.mail import read_range, read_series

    if any(_is_range(p) for p in args.paths):
        if len(args.paths) > 1:
            raise InputError("a git range stands alone", path=args.paths[0])
        return read_range(_repository(args, base), args.paths[0])
    inputs = [sys.stdin.buffer if p == "-" else Path(p) for p in args.paths]
    return read_series(inputs, version=args.reroll_count)


def _repository(args: argparse.Namespace, base: Base | None) -> Path:
    from patchgen.tree import DirectoryBase, GitBase

    if isinstance(base, GitBase):
        return base.repository
    if isinstance(base, DirectoryBase):
        return base.root
    raise InputError(f"{args.paths[0]} needs --tree with a git repository")


def _tree_before(args: argparse.Namespace, base: Base | None, tree: Tree | None) -> Tree | None:
    """The tree that the patches apply to; for a range that is where it starts."""
    if base is None or not any(_is_range(p) for p in args.paths):
        return tree
    from patchgen.tree import GitBase
    from patchgen.tree import Tree as MakeTree

    start = args.paths[0].partition("..")[0] or "HEAD"
    return MakeTree(GitBase(_repository(args, base), start))


def _report(args: argparse.Namespace, review: Review) -> int:
    from patchgen.report.document import build_report, render

    report = build_report("validate", review.series, review.findings, review.skips,
                          review.silenced, review.ran)
    text = render(report, args.format)
    if args.output is not None:
        _write(args, text)
    else:
        sys.stdout.write(text)
    bad = ("error", "warning") if args.strict else ("error",)
    return int(any(f.severity in bad for f in review.findings))


def _write(args: argparse.Namespace, text: str) -> None:
    target: Path = args.output
    if target.exists() and not args.force:
        raise InputError("already exists", path=target, advice="use --force to replace it")
    partial = target.with_name(f".{target.name}.partial")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(target)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise InputError(f"cannot be written: {error.strerror}", path=target) from error
