"""JUnit XML, as CI systems show it: a suite a mail, a failed case a finding."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from patchgen.mail.text import one_line
from patchgen.report.document import Report
from patchgen.report.text import place


def render_junit(report: Report) -> str:
    """The report as JUnit XML. Notes pass with their text as output, skips are skipped."""
    root = ET.Element("testsuites", name=f"patchgen {report.command}")
    rules = report.rules
    for number, title in _suites(report):
        mine = [f for f in report.findings if f.patch == number]
        suite = ET.SubElement(root, "testsuite", name=title)
        if not mine:
            ET.SubElement(suite, "testcase", classname="patchgen", name="no findings")
        for finding in mine:
            case = ET.SubElement(suite, "testcase", classname=finding.check,
                                 name=f"{place(finding)}: {finding.message}".lstrip(": "))
            if finding.file is not None:
                case.set("file", finding.file)
            if finding.line is not None:
                case.set("line", str(finding.line))
            rule = rules.get(finding.check)
            text = "\n".join(filter(None, [rule.why if rule else "", finding.hint or ""]))
            if finding.severity == "note":
                ET.SubElement(case, "system-out").text = text
            else:
                failure = ET.SubElement(case, "failure", type=finding.severity,
                                        message=finding.message)
                failure.text = text
        _count(suite)
    if report.skips:
        suite = ET.SubElement(root, "testsuite", name="skipped")
        for skip in report.skips:
            case = ET.SubElement(suite, "testcase", classname=skip.check, name=skip.check)
            ET.SubElement(case, "skipped", message=skip.reason)
        _count(suite)
    _count(root)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suites(report: Report) -> list[tuple[int | None, str]]:
    suites: list[tuple[int | None, str]] = []
    if report.series is not None:
        suites += [(m.number, one_line(f"{m.number}: {m.subject.title}"))
                   for m in report.series.mails]
    known = {number for number, _ in suites}
    more: set[int | None] = {f.patch for f in report.findings} - known
    suites += [(n, "the series" if n is None else f"{n}:") for n in sorted(
        more, key=lambda n: (n is None, n or 0))]
    return suites or [(None, "the sources")]


def _count(element: ET.Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    element.set("failures", str(sum(c.find("failure") is not None for c in cases)))
    element.set("skipped", str(sum(c.find("skipped") is not None for c in cases)))

