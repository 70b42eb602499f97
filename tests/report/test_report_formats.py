"""The formats of a report: the same findings, each in its standard's shape."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from patchgen.checks.registry import get
from patchgen.checks.silence import Silence
from patchgen.errors import InputError
from patchgen.findings import Finding, Skip
from patchgen.mail import read_series
from patchgen.report.document import FORMATS, Report, build_report, render, silence_entry
from patchgen.report.text import finding_lines, place, summary_line

GOOD = Path(__file__).resolve().parents[1] / "series_rules" / "data" / "good"
CODE = "drivers/char/hw_random/acme-rng.c"

# The parts of the OASIS schema of SARIF 2.1.0 that we write, in our own words.
SARIF = {
    "type": "object", "required": ["version", "runs", "$schema"],
    "properties": {
        "version": {"const": "2.1.0"},
        "$schema": {"type": "string", "pattern": "sarif-schema-2.1.0.json$"},
        "runs": {"type": "array", "minItems": 1, "items": {
            "type": "object", "required": ["tool", "results"], "additionalProperties": False,
            "properties": {
                "tool": {"type": "object", "required": ["driver"], "properties": {"driver": {
                    "type": "object", "required": ["name", "version", "rules"],
                    "properties": {"rules": {"type": "array", "uniqueItems": True, "items": {
                        "type": "object", "required": ["id", "shortDescription", "help"],
                        "properties": {"defaultConfiguration": {"properties": {
                            "level": {"enum": ["none", "note", "warning", "error"]}}}}}}}}}},
                "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                "invocations": {"type": "array", "items": {
                    "type": "object", "required": ["executionSuccessful"]}},
                "results": {"type": "array", "items": {
                    "type": "object", "required": ["message", "ruleId", "level"],
                    "properties": {
                        "message": {"type": "object", "required": ["text"]},
                        "level": {"enum": ["none", "note", "warning", "error"]},
                        "ruleIndex": {"type": "integer", "minimum": 0},
                        "suppressions": {"type": "array", "items": {
                            "required": ["kind"],
                            "properties": {"kind": {"enum": ["inSource", "external"]}}}},
                        "locations": {"type": "array", "items": {
                            "type": "object", "required": ["physicalLocation"],
                            "properties": {"physicalLocation": {
                                "required": ["artifactLocation"],
                                "properties": {
                                    "artifactLocation": {"required": ["uri"]},
                                    "region": {"properties": {
                                        "startLine": {"type": "integer", "minimum": 1},
                                        "startColumn": {"type": "integer", "minimum": 1}}},
                                }}}}}}}}},
        }},
    },
}


@pytest.fixture
def report() -> Report:
    series = read_series(GOOD)
    findings = [
        get("whitespace").finding("blanks at the end of the line", patch=2, file=CODE, line=30,
                                  column=4),
        get("series-length").finding("16 patches in one series"),
        get("cover-diffstat").finding("too few <lines> & \"more\"", patch=0, file="cover.patch",
                                      line=9, severity="warning"),
        get("blob-differs").finding("hash", patch=2, file=CODE),
    ]
    silenced = [(get("spdx").finding("no license", patch=2, file=CODE, line=1),
                 Silence("spdx", "generated file"))]
    return build_report("validate", series, findings, [Skip("sparse", "not installed")], silenced,
                        [("checkpatch.pl", "0.32")])


def test_json_has_the_contract_s_shape(report: Report) -> None:
    document = json.loads(render(report, "json"))
    assert document["command"] == "validate"
    assert document["summary"] == {"error": 1, "warning": 2, "note": 1}
    assert document["skipped"] == [{"check": "sparse", "reason": "not installed"}]
    assert list(document["findings"][0]) == [
        "check", "severity", "patch", "file", "line", "column", "message", "hint"]
    assert document["findings"][0]["line"] == 30
    assert document["series"]["version"] == 2
    assert [p["added"] for p in document["series"]["patches"]] == [35, 132, 7]
    assert document["silenced"][0]["reason"] == "generated file"
    assert document["rules"]["whitespace"]["why"].endswith(".")
    assert 'check = "whitespace"' in document["rules"]["whitespace"]["silence"]
    assert document["ran"] == [{"tool": "checkpatch.pl", "version": "0.32"}]


def test_sarif_is_valid_and_complete(report: Report) -> None:
    log = json.loads(render(report, "sarif"))
    jsonschema.validate(log, SARIF)
    run = log["runs"][0]
    levels = [result["level"] for result in run["results"]]
    assert levels == ["error", "warning", "warning", "note", "warning"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    first = run["results"][0]["locations"][0]["physicalLocation"]
    assert first == {"artifactLocation": {"uri": CODE}, "region": {"startLine": 30,
                                                                   "startColumn": 4}}
    assert run["results"][-1]["suppressions"][0]["justification"] == "generated file"
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert notes[0]["message"]["text"] == "sparse skipped: not installed"


def test_junit_counts_what_it_holds(report: Report) -> None:
    root = ET.fromstring(render(report, "junit").partition("\n")[2])
    assert root.tag == "testsuites"
    assert (root.get("failures"), root.get("skipped")) == ("3", "1")
    suites = {s.get("name"): s for s in root}
    assert len(suites) == 6
    clean = suites["3: MAINTAINERS: add an entry for the ACME random number generator"]
    assert (clean.get("tests"), clean.get("failures")) == ("1", "0")
    case = next(c for c in root.iter("testcase") if c.get("classname") == "whitespace")
    assert (case.get("file"), case.get("line")) == (CODE, "30")
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("type") == "error"
    for suite in root:
        assert int(suite.get("tests", "-1")) == len(suite)


def test_text_says_where_what_why_and_how(report: Report) -> None:
    lines = render(report, "text").splitlines()
    assert lines[0] == "hwrng: add a driver for the ACME A100: v2, 3 patches, cover letter"
    assert lines[1] == (f"error: patch 2, {CODE}:30:4: blanks at the end of the line [whitespace]")
    assert lines[2].startswith("    why: ")
    assert lines[3].startswith("    fix: git diff --check")
    assert "silenced: warning: patch 2, " + CODE + ":1: no license [spdx]: generated file" in lines
    assert "skipped: sparse: not installed" in lines
    assert "ran: checkpatch.pl 0.32" in lines
    assert lines[-2] == "1 error, 2 warnings, 1 note"


def test_nothing_found_is_said_briefly() -> None:
    text = render(build_report("validate", read_series(GOOD), []), "text")
    assert text.splitlines()[1:] == ["0 errors, 0 warnings"]


def test_places_and_summaries() -> None:
    assert place(Finding("a", "error", "m")) == ""
    assert place(Finding("a", "error", "m", patch=0)) == "cover letter"
    assert place(Finding("a", "error", "m", file="x.c", line=3)) == "x.c:3"
    assert summary_line([]) == "0 errors, 0 warnings"
    assert list(finding_lines([Finding("a", "note", "m\n\x1b[1mx", hint="h")])) == [
        "note: m \\x1b[1mx [a]"]


def test_unknown_format_and_silence_entry() -> None:
    with pytest.raises(InputError, match="no format 'pdf'"):
        render(build_report("validate", None, []), "pdf")
    entry = silence_entry(Finding("spdx", "error", "m", file="a/b.c"))
    assert entry.splitlines()[:3] == [
        "[[tool.patchgen.silence]]", 'check = "spdx"', 'path = "a/b.c"']


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_the_same_twice_and_takes_sources(report: Report, format: str) -> None:
    assert render(report, format) == render(report, format)
    alone = build_report("validate", None, [Finding("spdx", "error", "m", file="x.c", line=1)])
    assert re.search("spdx", render(alone, format))
