"""Arguments that several commands share, and what they turn into."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from patchgen.errors import InputError

if TYPE_CHECKING:
    from patchgen.mail.format import MailOptions
    from patchgen.series.load import Series
    from patchgen.series.plan import PlanOptions
    from patchgen.tree import Base


def add_base(parser: argparse.ArgumentParser) -> None:
    """``--tree`` and ``--kernel``."""
    parser.add_argument("--tree", metavar="PATH[@REV]",
                        help="an unpacked source tree, or a git repository and revision")
    parser.add_argument("--kernel", metavar="X.Y", help="render for this kernel version")
    parser.add_argument("--linux", type=Path, metavar="DIR",
                        help="a Linux source that says what configuration symbols mean")


def add_generation(parser: argparse.ArgumentParser) -> None:
    """Everything that changes what is generated."""
    add_base(parser)
    parser.add_argument("-v", "--reroll-count", type=reroll_count, metavar="N",
                        help="version of the series (default: what the series file says)")
    parser.add_argument("--rfc", action="store_true", help="subjects say RFC PATCH")
    parser.add_argument("--prefix", metavar="P", help="subject prefix instead of PATCH")
    parser.add_argument("--from", dest="author", metavar="IDENT", help="author: 'Name <mail>'")
    parser.add_argument("--to", action="append", default=[], metavar="ADDRESS")
    parser.add_argument("--cc", action="append", default=[], metavar="ADDRESS")
    parser.add_argument("--features", type=names, default=(), metavar="a,b",
                        help="template features that are on from the start")


def reroll_count(text: str) -> int:
    """A version number from 1 to 999."""
    if not re.fullmatch(r"\d{1,3}", text) or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a version from 1 to 999")
    return int(text)


def names(text: str) -> tuple[str, ...]:
    """Comma-separated names."""
    return tuple(part for part in (p.strip() for p in text.split(",")) if part)


def base_of(args: argparse.Namespace) -> Base | None:
    """The base that ``--tree`` names; None is the embedded one."""
    from patchgen.tree import open_base

    return open_base(args.tree) if args.tree else None


def plan_options(args: argparse.Namespace, series: Series) -> PlanOptions:
    """What planning needs from the arguments; raises ``InputError`` for an unknown feature."""
    from patchgen.render import component_paths, features_of
    from patchgen.series.identity import choose
    from patchgen.series.plan import PlanOptions

    known: set[str] = set()
    for component in series.components:
        known.update(*(features_of(component, path) for path in component_paths(component)))
    for feature in args.features:
        if feature not in known:
            raise InputError(f"--features: no template of {series.name} has a feature {feature!r}",
                             advice=f"there are: {', '.join(sorted(known)) or 'none'}")
    return PlanOptions(kernel=args.kernel, identity=choose(args.author, series.spec.author),
                       features=frozenset(args.features), linux=args.linux)


def mail_options(args: argparse.Namespace, series: Series) -> MailOptions:
    """What the mails need from the arguments; raises ``InputError`` for a bad address."""
    from email.utils import parseaddr

    from patchgen.mail.format import MailOptions

    for option in ("to", "cc"):
        for address in getattr(args, option):
            if not re.fullmatch(r"[^@\s<>]+@[^@\s<>]+", parseaddr(address)[1]) or "\n" in address:
                raise InputError(f"--{option}: {address!r} is not a mail address")
    prefix = args.prefix if args.prefix is not None else series.spec.prefix
    if not prefix.strip() or re.search(r"[\]\[\x00-\x1f]", prefix):
        raise InputError(f"--prefix: {prefix!r} cannot stand in a subject")
    return MailOptions(
        version=args.reroll_count or series.spec.version, prefix=prefix, rfc=args.rfc,
        to=(*series.spec.to, *args.to), cc=(*series.spec.cc, *args.cc),
    )
