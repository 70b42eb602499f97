"""Checks of a series we generated ourselves: its plan, its trees and its mails together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from patchgen.checks.plan import claims, code, vectors, written
from patchgen.findings import Finding, Skip, sort_key
from patchgen.history import Recorded, Scratch
from patchgen.mail.format import Mail, MailOptions
from patchgen.series.plan import Plan


def check_plan(
    plan: Plan, mails: Sequence[Mail], repository: Scratch, recorded: Recorded,
    options: MailOptions, *, ignore: frozenset[str], progress: Callable[[str], None],
) -> tuple[tuple[Finding, ...], tuple[Skip, ...]]:
    """Every check that applies, in order of cost; findings sorted for people."""
    findings: list[Finding] = []
    skips: list[Skip] = []
    if plan.identity.is_placeholder:
        findings.append(written.placeholder_author())
    findings += [written.plan_warning(text) for text in plan.warnings]
    progress("checking: test vectors")
    findings += vectors.check(plan)
    progress("checking: figures of the cover letter")
    findings += claims.check(plan, options.version)
    progress("checking: mails apply and say what is true")
    findings += written.check(plan, mails, repository, recorded, options)
    progress("checking: series rules")
    more, skipped = written.check_rules(plan, mails, ignore)
    findings += more
    skips += skipped
    if plan.series.spec.generator is not None:
        from patchgen.checks.openwrt.series import check_series

        progress("checking: configuration layers")
        findings += check_series(plan.trees, kernel=plan.options.kernel, linux=plan.options.linux)
    progress("checking: code, Kconfig, bindings")
    more, skipped = code.check(plan, ignore)
    findings += more
    skips += skipped
    kept = [finding for finding in findings if finding.check not in ignore]
    return tuple(sorted(kept, key=sort_key)), tuple(skips)
