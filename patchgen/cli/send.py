"""``patchgen send DIR``: pre-flight checks, then ``git send-email``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from patchgen.errors import ChecksFailedError, InputError

HELP = "Check a generated folder once more, then hand it to git send-email."

PASSES_ON = True
"""What follows ``--`` is for git send-email."""

HOURS = 3600.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``patchgen send``."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="what patchgen series wrote")
    parser.add_argument("--to", action="append", default=[], metavar="ADDRESS")
    parser.add_argument("--cc", action="append", default=[], metavar="ADDRESS")
    parser.add_argument("--dry-run", action="store_true", help="do all but send")
    parser.usage = f"{parser.prog} DIR [--to …] [--cc …] [--dry-run] [-- git-send-email args]"


def run(args: argparse.Namespace) -> int:
    """Refuse what must not be sent, then run git send-email on the terminal."""
    from patchgen.cli.output import note
    from patchgen.process import find_tool, run_attached

    mails = _mails(args.folder)
    _refuse_placeholder(args.folder)
    _refuse_errors(mails)
    _refuse_nobody(mails, args)
    find_tool("git")
    find_tool("git-send-email")
    words = ["git", "send-email", "--no-thread", "--suppress-cc=self"]
    words += [f"--to={address}" for address in args.to]
    words += [f"--cc={address}" for address in args.cc]
    words += ["--dry-run"] if args.dry_run else []
    status = run_attached([*words, *args.passed_on, *(str(mail) for mail in mails)], timeout=HOURS)
    if status != 0:
        raise InputError(f"git send-email ended with status {status}",
                         advice="see what it printed above")
    note(f"{'would send' if args.dry_run else 'sent'} {len(mails)} mails")
    return 0


def _mails(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise InputError("no such folder", path=folder,
                         advice="generate it first: patchgen series NAME")
    mails = sorted(folder.glob("*.patch"))
    if not mails:
        raise InputError("holds no .patch file", path=folder,
                         advice="generate it first: patchgen series NAME")
    return mails


def _refuse_placeholder(folder: Path) -> None:
    from patchgen.series.identity import PLACEHOLDER_MAIL

    description = folder / "series.json"
    placeholder = False
    if description.is_file():
        try:
            placeholder = bool(json.loads(description.read_bytes()).get("placeholder_author"))
        except (ValueError, AttributeError) as error:
            raise InputError("is not what patchgen series wrote", path=description,
                             advice="generate the folder again") from error
    needle = PLACEHOLDER_MAIL.encode("ascii")
    if placeholder or any(needle in mail.read_bytes() for mail in folder.glob("*.patch")):
        raise ChecksFailedError(
            f"{folder}: the author is a placeholder; set user.name and user.email in git, "
            "generate the series again with --force, then send it")


def _refuse_errors(mails: list[Path]) -> None:
    from patchgen.checks.series import check_series
    from patchgen.cli.output import say
    from patchgen.mail import read_series
    from patchgen.report.text import finding_lines

    findings, _ = check_series(read_series(mails), tree=None, kernel=None)
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        for line in finding_lines(errors):
            say(line)
        raise ChecksFailedError(f"{len(errors)} errors; nothing was sent")


def _refuse_nobody(mails: list[Path], args: argparse.Namespace) -> None:
    if args.to or args.cc or any(word.startswith("--to") for word in args.passed_on):
        return
    for mail in mails:
        head = mail.read_bytes().split(b"\n\n", 1)[0].lower()
        if b"\nto:" not in head and b"\ncc:" not in head:
            raise InputError(f"{mail.name} has no recipient",
                             advice="add --to, or to = […] in series.toml")
