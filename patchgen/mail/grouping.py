"""Which mails make up which series, and which version of it to take.

Threads come first; then what real mail does to them is undone: a patch that lost its
In-Reply-To, a version named in some subjects only, two versions in one mbox, resends.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from patchgen.mail.index import Entry

_MOST_HOMES = 200
"""Incomplete threads that are tried for a piece without a cover; archives have thousands."""


@dataclass(slots=True)
class Group:
    """The mails of one version of one series; ``rest`` are those that do not fit in."""

    version: int
    numbered: dict[int, Entry] = field(default_factory=dict)
    unnumbered: list[Entry] = field(default_factory=list)
    duplicates: list[Entry] = field(default_factory=list)
    resend: bool = False

    def add(self, entry: Entry) -> None:
        """Put a mail in its place; a second one of the same number is a duplicate."""
        number = entry.subject.number
        if number is None:
            self.unnumbered.append(entry)
        elif number in self.numbered:
            self.duplicates.append(entry)
        else:
            self.numbered[number] = entry

    @property
    def total(self) -> int | None:
        """The total that most subjects name."""
        totals = Counter(e.subject.total for e in self.numbered.values())
        return totals.most_common(1)[0][0] if totals else None

    @property
    def missing(self) -> tuple[int, ...]:
        """Numbers from 1 to the total that no mail has (the first thousand of them)."""
        last = min(self.total or 0, 1000 + len(self.numbered))
        return tuple(n for n in range(1, last + 1) if n not in self.numbered)

    @property
    def complete(self) -> bool:
        """Whether every patch is there."""
        return not self.missing and bool(self.numbered.keys() - {0} or self.unnumbered)

    @property
    def first_order(self) -> int:
        """Position in the input of the first mail."""
        return min((e.order for e in self.entries()), default=0)

    def entries(self) -> list[Entry]:
        """All mails of the group, in the order of the input."""
        found = [*self.numbered.values(), *self.unnumbered, *self.duplicates]
        return sorted(found, key=lambda e: e.order)

    @property
    def title(self) -> str:
        """What the series is called, for comparing versions."""
        lead = self.numbered.get(0) or self.numbered.get(1)
        if lead is None:
            lead = next(iter(self.entries()), None)
        return " ".join(lead.subject.title.lower().split()) if lead else ""


def group_series(entries: Sequence[Entry]) -> list[list[Group]]:
    """The series of an input, each with its versions in ascending order.

    The series of the first patch comes first. Entries that are no patches only help to find
    the threads.
    """
    patches = [e for e in entries if e.is_patch]
    threads = _merge_threads(list(_threads(entries, patches).values()))
    topics = [_versions(thread) for thread in threads]
    return _merge_topics(topics)


def _threads(entries: Iterable[Entry], patches: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Patches by the root of their thread; mails without Message-ID share one."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        path = []
        while parent.get(name, name) != name:
            path.append(name)
            name = parent[name]
        for passed in path:
            parent[passed] = name
        return name

    for entry in entries:
        if entry.message_id is None:
            continue
        mine = root(entry.message_id)
        for other in entry.parents:
            top = root(other)
            if top != mine:
                parent[mine] = top
                mine = top
    found: dict[str, list[Entry]] = defaultdict(list)
    for entry in patches:
        found[root(entry.message_id) if entry.message_id else ""].append(entry)
    return found


def _numbers(thread: list[Entry]) -> set[int]:
    return {e.subject.number for e in thread if e.subject.number is not None}


def _totals(thread: list[Entry]) -> set[int]:
    return {e.subject.total for e in thread if e.subject.total is not None}


def _merge_threads(threads: list[list[Entry]]) -> list[list[Entry]]:
    """Join threads that are pieces of one series whose mails lost their references."""
    if all(not _numbers(thread) for thread in threads):
        together = sorted((e for t in threads for e in t), key=lambda e: e.order)
        return [together] if together else []
    merged: list[list[Entry]] = []
    open_homes: list[list[Entry]] = []
    for thread in sorted(threads, key=lambda t: (not _is_head(t), t[0].order)):
        home = None if _is_head(thread) else next(
            (m for m in open_homes[:_MOST_HOMES] if _belongs(thread, m)), None)
        if home is None:
            home = list(thread)
            merged.append(home)
            if _has_gaps(home):
                open_homes.append(home)
        else:
            home.extend(thread)
            if not _has_gaps(home):
                open_homes = [m for m in open_homes if m is not home]
    for thread in merged:
        thread.sort(key=lambda e: e.order)
    return sorted(merged, key=lambda t: t[0].order)


def _has_gaps(thread: list[Entry]) -> bool:
    """Whether some number up to the total that its mails name is missing."""
    numbers, totals = _numbers(thread), _totals(thread)
    return bool(numbers) and len(numbers - {0}) < max(totals, default=0)


def _is_head(thread: list[Entry]) -> bool:
    return 0 in _numbers(thread)


def _belongs(piece: list[Entry], home: list[Entry]) -> bool:
    """Whether a thread without a cover fills gaps of another one."""
    numbers = _numbers(piece)
    if not numbers or 0 in numbers or not _numbers(home):
        return False
    fits = not (numbers & _numbers(home))
    return fits and bool(_totals(piece) & _totals(home) or len(piece) == 1)


def _versions(thread: list[Entry]) -> list[Group]:
    """The versions of one thread, mails with a wrong version put where they are missing."""
    groups: dict[tuple[int, bool], Group] = {}
    for entry in thread:
        key = (entry.subject.effective_version, entry.subject.resend)
        group = groups.setdefault(key, Group(key[0], resend=key[1]))
        group.add(entry)
    found = sorted(groups.values(), key=lambda g: (g.version, g.resend))
    return _absorb(found)


def _absorb(groups: list[Group]) -> list[Group]:
    """Join groups that only together are one series: some subjects name a wrong version."""
    changed = True
    while changed and len(groups) > 1:
        changed = False
        for small in groups:
            for large in groups:
                if small is not large and _fills(small, large):
                    for entry in small.entries():
                        large.add(entry)
                    groups = [g for g in groups if g is not small]
                    changed = True
                    break
            if changed:
                break
    return groups


def _fills(small: Group, large: Group) -> bool:
    """Whether all numbers of one group are exactly gaps of another, larger one."""
    if not small.numbered or small.unnumbered or small.duplicates:
        return False
    if len(small.numbered) > len(large.numbered) or not large.numbered:
        return False
    gaps = set(large.missing)
    if 0 not in large.numbered:
        gaps.add(0)
    if not small.numbered.keys() <= gaps:
        return False
    lone_cover = set(small.numbered) == {0}
    return not small.complete and (lone_cover or small.total == large.total)


def _merge_topics(topics: list[list[Group]]) -> list[list[Group]]:
    """Join what was sent in several threads, by equal titles: versions, and second covers."""
    merged: list[list[Group]] = []
    by_title: dict[str, list[Group]] = {}
    for groups in topics:
        titles = {g.title for g in groups}
        known = next((by_title[t] for t in sorted(titles) if t in by_title), None)
        if known is None:
            merged.append(groups)
            by_title.update((t, groups) for t in titles)
            continue
        there = {(g.version, g.resend): g for g in known}
        twins = [g for g in groups if (g.version, g.resend) in there]
        if not twins:
            known.extend(groups)
            known.sort(key=lambda g: (g.version, g.resend))
            by_title.update((t, known) for t in titles)
        elif len(groups) == 1 and set(groups[0].numbered) == {0}:
            for entry in groups[0].entries():
                there[groups[0].version, groups[0].resend].add(entry)
        else:
            merged.append(groups)
    return merged
