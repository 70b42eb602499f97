"""Who the author is: ``--from``, the series file, or the user's git configuration."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from patchgen import process
from patchgen.errors import InputError

PLACEHOLDER_NAME = "PLACEHOLDER set user.name and user.email"
PLACEHOLDER_MAIL = "placeholder@patchgen.invalid"


@dataclass(frozen=True, slots=True)
class Identity:
    """Name and mail address of the author."""

    name: str
    mail: str

    def __str__(self) -> str:
        return f"{self.name} <{self.mail}>"

    @property
    def is_placeholder(self) -> bool:
        """Whether nobody has said who the author is; such a series must not be sent."""
        return self.mail == PLACEHOLDER_MAIL


PLACEHOLDER = Identity(PLACEHOLDER_NAME, PLACEHOLDER_MAIL)


def parse(text: str) -> Identity:
    """From ``Name <mail>``; raises ``InputError`` for anything else."""
    match = re.fullmatch(r"\s*([^<>\n\r\0]*[^<>\s])\s*<([^@\s<>]+@[^@\s<>]+)>\s*", text)
    name, mail = match.groups() if match else ("", "")
    name = name.strip('"').strip()
    if not name:
        raise InputError(f"{text!r} is not an author",
                         advice="write it as 'Full Name <name@example.org>'")
    return Identity(name, mail)


def from_git() -> Identity | None:
    """What the user's own git configuration says, or None when it lacks name or mail."""
    # GIT_AUTHOR_* is what git itself would put first.
    wanted = {"user.name": os.environ.get("GIT_AUTHOR_NAME", ""),
              "user.email": os.environ.get("GIT_AUTHOR_EMAIL", "")}
    if not all(wanted.values()):
        done = process.run(["git", "config", "--get-regexp", "-z", r"^user\.(name|email)$"],
                           timeout=10, check=False)
        for item in done.text.split("\0"):
            key, _, value = item.partition("\n")
            if key in wanted and not os.environ.get(f"GIT_AUTHOR_{key[5:].upper()}"):
                wanted[key] = value.strip()
    if not all(wanted.values()):
        return None
    return Identity(wanted["user.name"], wanted["user.email"])


def choose(option: str | None, series_author: str | None) -> Identity:
    """The author: the option, the series, git's configuration, or the marked placeholder."""
    if option:
        return parse(option)
    if series_author:
        return parse(series_author)
    return from_git() or PLACEHOLDER
