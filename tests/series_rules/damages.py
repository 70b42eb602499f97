"""Small damages to one correct four-mail series, each with the check that has to see it."""

from __future__ import annotations

import base64
import quopri
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

DATA = Path(__file__).resolve().parent / "data"
BASE = DATA / "base"
COVER, BINDING, DRIVER, OWNERS = range(4)


def good_mails() -> list[bytes]:
    """The correct series: cover letter, binding, driver, MAINTAINERS."""
    return [p.read_bytes() for p in sorted((DATA / "good").glob("*.patch"))]


@dataclass
class Mails:
    """The series under the knife. ``extra`` mails are put behind the four."""

    mails: list[bytes] = field(default_factory=good_mails)

    def sub(self, number: int, old: str, new: str, count: int = 1) -> None:
        """Replace text of one mail; it has to be there."""
        before = self.mails[number]
        assert old.encode() in before, old
        self.mails[number] = before.replace(old.encode(), new.encode(), count)

    def regex(self, number: int, pattern: str, new: str, count: int = 1) -> None:
        """Replace by regular expression; it has to match."""
        self.mails[number], n = re.subn(
            pattern.encode(), new.encode(), self.mails[number], count=count, flags=re.MULTILINE)
        assert n, pattern

    def subjects(self, pattern: str, new: str) -> None:
        """Replace in the subject of every mail."""
        for number in range(len(self.mails)):
            self.regex(number, f"(^Subject: .*){pattern}", f"\\g<1>{new}")

    def encode(self, number: int, encoding: str, *, crlf: bool = False) -> None:
        """Re-encode the body of one mail the way mail servers do."""
        head, _, body = self.mails[number].partition(b"\n\n")
        if crlf:
            body = body.replace(b"\n", b"\r\n")
        coded = quopri.encodestring(body) if encoding == "quoted-printable" else (
            base64.encodebytes(body))
        head += (f"\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
                 f"Content-Transfer-Encoding: {encoding}").encode()
        self.mails[number] = head + b"\n\n" + coded


Damage = Callable[[Mails], None]
DAMAGES: dict[str, tuple[str, Damage]] = {}
"""Name: the check that must report it, and the function that does it."""


def damage(check: str) -> Callable[[Damage], Damage]:
    """Register a damage under its function's name."""

    def register(function: Damage) -> Damage:
        assert function.__name__ not in DAMAGES
        DAMAGES[function.__name__] = (check, function)
        return function

    return register


def each(check: str, number: int, changes: dict[str, tuple[str, str]]) -> None:
    """Register damages that are one replacement of text each."""
    for name, (old, new) in changes.items():
        def apply(mails: Mails, old: str = old, new: str = new) -> None:
            mails.sub(number, old, new)

        assert name not in DAMAGES
        DAMAGES[name] = (check, apply)


SIGN = "Signed-off-by: Jane Doe <jane@example.org>\n"

# --- A. numbering, threads, cover ---------------------------------------------------------


@damage("subject-marker")
def counter_glued_to_version(m: Mails) -> None:
    m.subjects(r"v2 (\d)/3", r"v2,\g<2>/3")


@damage("series-version")
def cover_v3_patches_unversioned(m: Mails) -> None:
    m.subjects("PATCH v2", "PATCH")
    m.sub(COVER, "[PATCH 0/3]", "[PATCH v3 0/3]")


@damage("series-version")
def one_patch_of_v1(m: Mails) -> None:
    m.sub(DRIVER, "[PATCH v2 2/3]", "[PATCH v1 2/3]")


@damage("series-version")
def one_patch_without_version(m: Mails) -> None:
    m.sub(OWNERS, "[PATCH v2 3/3]", "[PATCH 3/3]")


@damage("series-version")
def cover_without_version(m: Mails) -> None:
    m.sub(COVER, "[PATCH v2 0/3]", "[PATCH 0/3]")


@damage("series-version")
def rfc_in_one_subject(m: Mails) -> None:
    m.sub(DRIVER, "[PATCH v2 2/3]", "[RFC PATCH v2 2/3]")


@damage("series-gap")
def one_patch_lost(m: Mails) -> None:
    del m.mails[DRIVER]


@damage("series-gap")
def last_patch_lost(m: Mails) -> None:
    del m.mails[OWNERS]


@damage("series-gap")
def gap_in_numbers(m: Mails) -> None:
    for number, (old, new) in enumerate([("0/3", "0/4"), ("1/3", "1/4"), ("2/3", "3/4"),
                                         ("3/3", "4/4")]):
        m.sub(number, f"v2 {old}]", f"v2 {new}]")


@damage("series-duplicate")
def number_twice(m: Mails) -> None:
    m.sub(OWNERS, "v2 3/3]", "v2 2/3]")


@damage("series-duplicate")
def corrected_patch_slipped_in(m: Mails) -> None:
    again = m.mails[DRIVER].replace(b"Message-Id: <", b"Message-Id: <again.", 1)
    m.mails.append(again)


@damage("series-duplicate")
def second_cover(m: Mails) -> None:
    m.mails.append(m.mails[COVER].replace(b"Message-Id: <", b"Message-Id: <again.", 1))


@damage("series-total")
def one_total_differs(m: Mails) -> None:
    m.sub(OWNERS, "v2 3/3]", "v2 3/4]")


@damage("series-total")
def cover_total_differs(m: Mails) -> None:
    m.sub(COVER, "v2 0/3]", "v2 0/4]")


@damage("series-duplicate")
def subject_twice(m: Mails) -> None:
    m.regex(DRIVER, r"^(Subject: \[.*\]) .*$",
            r"\1 dt-bindings: rng: add ACME A100 random number generator")


@damage("thread-broken")
def one_patch_unthreaded(m: Mails) -> None:
    m.regex(DRIVER, r"^(?:In-Reply-To|References): .*\n", "", 2)


@damage("thread-broken")
def all_unthreaded(m: Mails) -> None:
    for number in (BINDING, DRIVER, OWNERS):
        m.regex(number, r"^(?:In-Reply-To|References): .*\n", "", 2)


@damage("thread-broken")
def threaded_to_something_else(m: Mails) -> None:
    m.regex(DRIVER, r"^(In-Reply-To|References): .*$", r"\1: <other@example.org>", 2)


@damage("thread-id")
def message_id_twice(m: Mails) -> None:
    first = re.search(rb"^Message-Id: (.*)$", m.mails[BINDING], re.MULTILINE)
    assert first
    m.regex(DRIVER, r"^Message-Id: .*$", "Message-Id: " + first[1].decode())


@damage("series-length")
def no_cover(m: Mails) -> None:
    del m.mails[COVER]


@damage("cover-diffstat")
def cover_diffstat_stale(m: Mails) -> None:
    m.sub(DRIVER, "+\tint ret;\n", "+\tint ret;\n+\tint spare;\n")
    m.sub(DRIVER, "+1,121 @@", "+1,122 @@")
    m.sub(DRIVER, "acme-rng.c | 121 +", "acme-rng.c | 122 +")
    m.sub(DRIVER, "132 insertions", "133 insertions")


each("cover-diffstat", COVER, {
    "cover_stat_lacks_a_file": (
        " MAINTAINERS                                   |   7 +\n", ""),
    "cover_stat_total": ("174 insertions(+)", "179 insertions(+)"),
    "cover_stat_files": ("5 files changed", "4 files changed"),
    "cover_stat_row": ("acme-rng.c             | 121 ", "acme-rng.c             | 120 "),
    "cover_stat_path": (" drivers/char/hw_random/Makefile               |", " drivers/char/Makefile"
                        "                         |"),
})
each("cover-shortlog", COVER, {
    "shortlog_title": ("  hwrng: acme - add driver for the ACME A100 generator",
                       "  hwrng: acme - add a driver"),
    "shortlog_lacks_patch": ("  hwrng: acme - add driver for the ACME A100 generator\n", ""),
    "shortlog_count": ("Jane Doe (3):", "Jane Doe (2):"),
    "shortlog_no_colon": ("Jane Doe (3):", "Jane Doe (3)"),
})


@damage("cover-shortlog")
def patch_renamed_after_cover(m: Mails) -> None:
    m.sub(DRIVER, "hwrng: acme - add driver for the ACME A100 generator",
          "hwrng: acme - add A100 driver")


@damage("patch-diffstat")
def patch_edited_after_stat(m: Mails) -> None:
    m.sub(DRIVER, "+\tint ret;\n", "+\tint ret;\n+\tint spare;\n")
    m.sub(DRIVER, "+1,121 @@", "+1,122 @@")


each("patch-diffstat", DRIVER, {
    "patch_stat_total": ("132 insertions(+)", "131 insertions(+)"),
    "patch_stat_file": (" drivers/char/hw_random/Makefile   |   1 +\n", ""),
})
each("placeholder-text", COVER, {
    "subject_here": ("hwrng: add a driver for the ACME A100", "*** SUBJECT HERE ***"),
    "blurb_here": ("This series adds", "*** BLURB HERE ***\n\nThis series adds"),
    "editme": ("This series adds", "EDITME: describe the series\nThis series adds"),
    "editme_subject": ("hwrng: add a driver for the ACME A100", "EDITME: cover title for acme"),
})


@damage("cover-empty")
def cover_without_words(m: Mails) -> None:
    m.regex(COVER, r"^This series adds[\s\S]*(?=^Jane Doe \(3\))", "")


@damage("changelog-missing")
def no_changelog(m: Mails) -> None:
    m.regex(COVER, r"^Changes in v2:\n(?:- .*\n)+", "")


@damage("changelog-missing")
def changelog_of_older_version(m: Mails) -> None:
    m.subjects("PATCH v2", "PATCH v4")


@damage("changelog-place")
def changelog_above_cut(m: Mails) -> None:
    m.sub(DRIVER, SIGN, "Changes in v2:\n- poll with a time limit\n\n" + SIGN)


@damage("changelog-place")
def changelog_above_cut_arrow(m: Mails) -> None:
    m.sub(DRIVER, SIGN, "v1 -> v2: poll with a time limit\n\n" + SIGN)


@damage("message-missing")
def description_below_cut(m: Mails) -> None:
    m.regex(OWNERS, r"^Jane Doe wrote .*\n\n", "")
    m.sub(OWNERS, "---\n", "---\nJane Doe wrote the driver, has the boards and looks after it.\n\n")


@damage("message-missing")
def no_description(m: Mails) -> None:
    m.regex(OWNERS, r"^Jane Doe wrote .*\n\n", "")


@damage("base-commit")
def base_commit_zeros(m: Mails) -> None:
    m.regex(COVER, r"^base-commit: .*$", "base-commit: " + "0" * 40)


@damage("base-commit")
def base_commit_short(m: Mails) -> None:
    m.regex(COVER, r"^base-commit: (.{12}).*$", r"base-commit: \1")


@damage("base-missing")
def base_commit_absent(m: Mails) -> None:
    m.regex(COVER, r"^base-commit: .*\n", "")


@damage("recipients-differ")
def cover_misses_list(m: Mails) -> None:
    m.sub(COVER, "linux-crypto@vger.kernel.org,\n    ", "")


@damage("recipients-differ")
def each_patch_to_its_own(m: Mails) -> None:
    m.sub(BINDING, "    linux-crypto@vger.kernel.org,\n", "")
    m.sub(DRIVER, ",\n    devicetree@vger.kernel.org", "")


@damage("recipients-missing")
def devicetree_not_addressed(m: Mails) -> None:
    for number in range(4):
        m.sub(number, ",\n    devicetree@vger.kernel.org", "")


@damage("recipients-differ")
def one_mail_to_nobody(m: Mails) -> None:
    m.regex(OWNERS, r"^To: [\s\S]*?(?=\n\n)", "X-Nobody: 1")


# --- B. mail and diff -----------------------------------------------------------------------


@damage("tabs-lost")
def kconfig_tabs_to_spaces(m: Mails) -> None:
    head, mark, diff = m.mails[DRIVER].partition(b"diff --git a/drivers/char/hw_random/Kconfig")
    hunk, next_mark, rest = diff.partition(b"diff --git")
    m.mails[DRIVER] = head + mark + hunk.replace(b"\t", b" " * 8) + next_mark + rest


@damage("whitespace")
def one_kconfig_line_with_spaces(m: Mails) -> None:
    m.sub(DRIVER, "+\tdepends on OF", "+        depends on OF")


@damage("tabs-lost")
def all_tabs_to_spaces(m: Mails) -> None:
    head, mark, diff = m.mails[DRIVER].partition(b"\ndiff --git")
    m.mails[DRIVER] = head + mark + diff.replace(b"\t", b" " * 8)


@damage("whitespace")
def one_code_line_with_spaces(m: Mails) -> None:
    m.sub(DRIVER, "+\treturn done;", "+        return done;")


each("whitespace", DRIVER, {
    "trailing_blank": ("+\treturn done;", "+\treturn done; "),
    "trailing_tab": ("+\treturn done;", "+\treturn done;\t"),
    "blank_before_tab": ("+\treturn done;", "+ \treturn done;"),
    "no_break_space": ("+\treturn done;", "+\treturn\u00a0done;"),
    "zero_width": ("+\treturn done;", "+\treturn d\u200bone;"),
    "no_newline_at_end": ('+MODULE_LICENSE("GPL");\n',
                          '+MODULE_LICENSE("GPL");\n\\ No newline at end of file\n'),
})


@damage("mail-crlf")
def crlf_in_one_hunk(m: Mails) -> None:
    head, mark, hunk = m.mails[DRIVER].rpartition(b"\n@@ ")
    m.mails[DRIVER] = head + mark + hunk.replace(b"\n", b"\r\n")


@damage("mail-crlf")
def crlf_in_one_line(m: Mails) -> None:
    m.sub(DRIVER, "+\treturn done;\n", "+\treturn done;\r\n")


@damage("mail-crlf")
def crlf_in_one_mail(m: Mails) -> None:
    m.mails[DRIVER] = m.mails[DRIVER].replace(b"\n", b"\r\n")


@damage("mail-crlf")
def crlf_in_the_body(m: Mails) -> None:
    head, mark, body = m.mails[DRIVER].partition(b"\n\n")
    m.mails[DRIVER] = head + mark + body.replace(b"\n", b"\r\n")


@damage("mail-crlf")
def base64_with_crlf(m: Mails) -> None:
    m.encode(DRIVER, "base64", crlf=True)


@damage("mail-encoding")
def base64_body(m: Mails) -> None:
    m.encode(DRIVER, "base64")


@damage("mail-encoding")
def quoted_printable_body(m: Mails) -> None:
    m.encode(DRIVER, "quoted-printable")


@damage("mail-format")
def format_flowed(m: Mails) -> None:
    head, mark, body = m.mails[DRIVER].partition(b"\n\n")
    stuffed = re.sub(rb"^([ >]|From )", rb" \1", body, flags=re.MULTILINE)
    m.mails[DRIVER] = head + b"\nContent-Type: text/plain; format=flowed" + mark + stuffed


@damage("mail-format")
def attached(m: Mails) -> None:
    head, _, body = m.mails[DRIVER].partition(b"\n\n")
    m.mails[DRIVER] = head + (
        b'\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="xx"\n\n'
        b"--xx\nContent-Type: text/plain\n\nsee the attachment\n\n--xx\n"
        b'Content-Type: text/x-patch; name="a.patch"\nContent-Disposition: attachment; '
        b'filename="a.patch"\n\n' + body + b"\n--xx--\n")


@damage("mail-format")
def html_alternative(m: Mails) -> None:
    head, _, body = m.mails[DRIVER].partition(b"\n\n")
    m.mails[DRIVER] = head + (
        b'\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="xx"\n\n'
        b"--xx\nContent-Type: text/plain\n\n" + body
        + b"\n--xx\nContent-Type: text/html\n\n<p>a patch</p>\n--xx--\n")


@damage("hunk-corrupt")
def new_count_too_high(m: Mails) -> None:
    m.sub(DRIVER, "+6,16 @@", "+6,17 @@")


@damage("hunk-corrupt")
def new_count_too_low(m: Mails) -> None:
    m.sub(DRIVER, "+6,16 @@", "+6,15 @@")


@damage("hunk-corrupt")
def old_count_wrong(m: Mails) -> None:
    m.sub(DRIVER, "@@ -6,6 +6,16 @@", "@@ -6,7 +6,16 @@")


@damage("hunk-corrupt")
def new_file_count_wrong(m: Mails) -> None:
    m.sub(DRIVER, "+1,121 @@", "+1,120 @@")


@damage("hunk-corrupt")
def hunk_position_wrong(m: Mails) -> None:
    m.sub(DRIVER, "@@ -6,6 +6,16 @@", "@@ -7,6 +6,16 @@")


@damage("hunk-corrupt")
def line_of_a_hunk_lost(m: Mails) -> None:
    m.sub(DRIVER, "+\tsize_t done = 0;\n", "")


@damage("hunk-corrupt")
def line_wrapped(m: Mails) -> None:
    m.sub(DRIVER, "+static int acme_rng_read(struct hwrng *rng, void *data, size_t max, bool wait)",
          "+static int acme_rng_read(struct hwrng *rng, void *data, size_t max,\nbool wait)")


@damage("hunk-corrupt")
def context_line_wrapped(m: Mails) -> None:
    m.sub(DRIVER, '+\ttristate "ACME A100 random number generator"',
          '+\ttristate "ACME A100 random\nnumber generator"')


@damage("hunk-corrupt")
def trailing_blank_lines_stripped(m: Mails) -> None:
    m.sub(DRIVER, "+1,121 @@", "+1,123 @@")


@damage("context-blank")
def blank_context_stripped(m: Mails) -> None:
    m.regex(DRIVER, r"^ $", "", 2)


@damage("mail-header")
def bare_diff(m: Mails) -> None:
    m.mails = [m.mails[OWNERS][m.mails[OWNERS].index(b"--- a/"):]]


@damage("mail-header")
def no_from(m: Mails) -> None:
    m.regex(DRIVER, r"^From: .*\n", "")


@damage("patch-empty")
def patch_without_diff(m: Mails) -> None:
    m.mails[OWNERS] = m.mails[OWNERS][: m.mails[OWNERS].index(b"diff --git")] + b"-- \n2.39.5\n"


@damage("subject-form")
def subject_with_full_stop(m: Mails) -> None:
    m.sub(DRIVER, "the ACME A100 generator\n", "the ACME A100 generator.\n")


@damage("subject-form")
def subject_too_long(m: Mails) -> None:
    m.sub(DRIVER, "the ACME A100 generator\n",
          "the ACME A100 generator that is found in all evaluation boards\n")


# --- C. trailers ----------------------------------------------------------------------------

each("signoff-missing", DRIVER, {
    "no_signoff": (SIGN, ""),
    "signoff_below_cut": (SIGN + "---\n", "---\n" + SIGN),
})
each("signoff-author", DRIVER, {
    "signoff_of_another": (SIGN, "Signed-off-by: John Roe <john@example.net>\n"),
    "signoff_other_name": (SIGN, "Signed-off-by: J. Roe <jane@example.org>\n"),
    "signoff_other_mail": (SIGN, "Signed-off-by: Jane Doe <jane@elsewhere.example>\n"),
})
each("trailer-form", DRIVER, {
    "signoff_misspelt": (SIGN, "Signed-of-by: Jane Doe <jane@example.org>\n"),
    "signoff_case": (SIGN, "Signed-Off-By: Jane Doe <jane@example.org>\n"),
    "signoff_blank_before_colon": (SIGN, "Signed-off-by : Jane Doe <jane@example.org>\n"),
    "signoff_no_blank": (SIGN, "Signed-off-by:Jane Doe <jane@example.org>\n"),
    "signoff_broken_address": (SIGN, "Signed-off-by: Jane Doe <jane@example.org\n"),
    "reviewed_without_address": (SIGN, SIGN + "Reviewed-by: John Roe\n"),
    "reviewed_misspelt": (SIGN, SIGN + "Reviewd-by: John Roe <john@example.net>\n"),
    "co_authored": (SIGN, "Co-authored-by: John Roe <john@example.net>\n" + SIGN),
    "acked_indented": (SIGN, "  Acked-by: John Roe <john@example.net>\n" + SIGN),
})
each("trailer-layout", DRIVER, {
    "blank_line_in_trailers": (SIGN, 'Fixes: 0123456789ab ("hwrng: core - a subject")\n\n' + SIGN),
    "text_after_trailers": (SIGN, SIGN + "\nThis text came too late.\n"),
    "no_blank_before_trailers": ("\n\n" + SIGN, "\n" + SIGN),
})
each("trailer-duplicate", DRIVER, {
    "signoff_twice": (SIGN, SIGN + SIGN),
    "ack_twice": (SIGN, "Acked-by: John Roe <john@example.net>\n" * 2 + SIGN),
})
each("trailer-foreign", DRIVER, {
    "change_id": (SIGN, "Change-Id: I0123456789abcdef0123456789abcdef01234567\n" + SIGN),
    "reviewed_on": (SIGN, SIGN + "Reviewed-on: https://review.example.org/c/1234\n"),
    "bug_equals": (SIGN, "BUG=b:1234\n\n" + SIGN),
})
each("trailer-order", DRIVER, {
    "fixes_after_signoff": (SIGN, SIGN + 'Fixes: 0123456789ab ("hwrng: core - a subject")\n'),
})
each("co-developed", DRIVER, {
    "co_developed_alone": (SIGN, "Co-developed-by: John Roe <john@example.net>\n" + SIGN),
})
each("reported-closes", DRIVER, {
    "reported_without_closes": (SIGN, "Reported-by: John Roe <john@example.net>\n" + SIGN),
})
each("link-form", DRIVER, {
    "link_no_url": (SIGN, "Link: the thread on linux-crypto\n" + SIGN),
    "closes_number": (SIGN, "Closes: #1234\n" + SIGN),
})
each("fixes-form", DRIVER, {
    name: (SIGN, line + "\n" + SIGN) for name, line in {
        "fixes_short": 'Fixes: 0123456 ("hwrng: core - a subject")',
        "fixes_no_subject": "Fixes: 0123456789ab",
        "fixes_commit": 'Fixes: commit 0123456789ab ("hwrng: core - a subject")',
        "fixes_wrapped": 'Fixes: 0123456789ab ("hwrng: core - a\nsubject")',
        "fixes_wrapped_indented": 'Fixes: 0123456789ab ("hwrng: core - a\n subject")',
        "fixes_unquoted": "Fixes: 0123456789ab (hwrng: core - a subject)",
        "fixes_no_brackets": 'Fixes: 0123456789ab "hwrng: core - a subject"',
        "fixes_no_colon": 'Fixes 0123456789ab ("hwrng: core - a subject")',
        "fixes_upper_case": 'Fixes: 0123456789AB ("hwrng: core - a subject")',
        "fixes_title_only": "Fixes: hwrng: core - a subject",
    }.items()
})

# --- D. order, files, MAINTAINERS ---------------------------------------------------------------


def _move_file(m: Mails, path: str, source: int, target: int) -> None:
    """Move one file's part of the diff into another patch; diffstats go with it."""
    for number in (source, target):
        m.regex(number, r"^---\n(?: .*\n)+\n(?=diff)", "---\n\n")
    text = m.mails[source]
    start = text.index(f"diff --git a/{path} ".encode())
    ends = [text.find(mark, start + 1) for mark in (b"\ndiff --git", b"\n-- \n")]
    end = min(e for e in ends if e > 0) + 1
    part = text[start:end]
    m.mails[source] = text[:start] + text[end:]
    m.mails[target] = m.mails[target].replace(b"\n-- \n", b"\n" + part + b"-- \n", 1)


@damage("bisect-hook")
def makefile_before_source(m: Mails) -> None:
    _move_file(m, "drivers/char/hw_random/Makefile", DRIVER, BINDING)


@damage("bisect-hook")
def source_after_makefile(m: Mails) -> None:
    _move_file(m, "drivers/char/hw_random/acme-rng.c", DRIVER, OWNERS)


@damage("binding-first")
def binding_after_driver(m: Mails) -> None:
    first, second = m.mails[BINDING], m.mails[DRIVER]
    m.mails[BINDING] = second.replace(b"v2 2/3]", b"v2 1/3]")
    m.mails[DRIVER] = first.replace(b"v2 1/3]", b"v2 2/3]")


@damage("binding-apart")
def binding_with_driver(m: Mails) -> None:
    _move_file(m, "Documentation/devicetree/bindings/rng/acme,a100-rng.yaml", BINDING, DRIVER)


def _add_repair(m: Mails, subject: str, old: str, new: str, tag: str = "") -> None:
    """A fourth patch that changes one line of the driver."""
    lines = m.mails[DRIVER].decode().split("+++ b/drivers/char/hw_random/acme-rng.c\n")[1]
    code = [line[1:] for line in lines.split("\n") if line.startswith("+")]
    at = code.index(old)
    hunk = (f"@@ -{at - 2},7 +{at - 2},7 @@\n" + "".join(f" {c}\n" for c in code[at - 3 : at])
            + f"-{old}\n+{new}\n" + "".join(f" {c}\n" for c in code[at + 1 : at + 4]))
    head = m.mails[OWNERS][: m.mails[OWNERS].index(b"\n\n")].decode()
    head = re.sub(r"Subject: .*\n .*", f"Subject: [PATCH v2 4/4] {subject}", head)
    head = re.sub(r"Message-Id: <", "Message-Id: <4.", head)
    path = "drivers/char/hw_random/acme-rng.c"
    body = (f"{head}\n\nThe line was not what it should be.\n\n{tag}{SIGN}---\n\ndiff --git "
            f"a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n{hunk}-- \n2.39.5\n")
    m.subjects("/3", "/4")
    m.mails.append(body.encode())


@damage("self-repair")
def later_patch_fixes_typo(m: Mails) -> None:
    _add_repair(m, "hwrng: acme - fix typo", "\tacme->rng.quality = 900;",
                "\tacme->rng.quality = 800;")


@damage("self-repair")
def later_patch_rewrites(m: Mails) -> None:
    _add_repair(m, "hwrng: acme - tune the quality", "\tacme->rng.quality = 900;",
                "\tacme->rng.quality = 800;")


@damage("self-repair")
def later_patch_with_fixes(m: Mails) -> None:
    _add_repair(m, "hwrng: acme - use another quality", "\tacme->rng.quality = 900;",
                "\tacme->rng.quality = 800;",
                'Fixes: 0123456789ab ("hwrng: acme - add driver for the ACME A100 generator")\n')


@damage("self-repair")
def repair_in_passing(m: Mails) -> None:
    path = "drivers/char/hw_random/acme-rng.c"
    hunk = ("@@ -96,7 +96,7 @@\n \tacme->rng.init = acme_rng_init;\n"
            " \tacme->rng.cleanup = acme_rng_cleanup;\n \tacme->rng.read = acme_rng_read;\n"
            "-\tacme->rng.quality = 900;\n+\tacme->rng.quality = 1000;\n \n"
            " \treturn devm_hwrng_register(dev, &acme->rng);\n }\n")
    part = f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n{hunk}"
    m.regex(OWNERS, r"^---\n(?: .*\n)+\n(?=diff)", "---\n\n")
    m.sub(OWNERS, "\n-- \n", f"\n{part}-- \n")


@damage("unfinished-patch")
def fixup_patch(m: Mails) -> None:
    m.sub(OWNERS, "MAINTAINERS: add an entry", "fixup! MAINTAINERS: add an entry")


@damage("patch-conflict")
def context_of_another_tree(m: Mails) -> None:
    m.sub(DRIVER, " config HW_RANDOM_ALPHA\n", " config HW_RANDOM_BETA\n")


@damage("patch-offset")
def hunk_one_line_off(m: Mails) -> None:
    m.sub(DRIVER, "@@ -6,6 +6,16 @@", "@@ -7,6 +7,16 @@")


@damage("patch-conflict")
def file_missing_in_tree(m: Mails) -> None:
    m.mails[OWNERS] = m.mails[OWNERS].replace(b"a/MAINTAINERS", b"a/MAINTAINER").replace(
        b"b/MAINTAINERS", b"b/MAINTAINER")


each("file-mode", DRIVER, {"executable_source": ("new file mode 100644", "new file mode 100755")})
each("spdx", DRIVER, {
    "no_spdx": ("+// SPDX-License-Identifier: GPL-2.0-only\n", "+// The random numbers of ACME\n"),
    "spdx_comment_kind": ("+// SPDX-License-Identifier: GPL-2.0-only\n",
                          "+/* SPDX-License-Identifier: GPL-2.0-only */\n"),
})
each("spdx", BINDING, {"binding_license": ("(GPL-2.0-only OR BSD-2-Clause)", "GPL-2.0-only")})
each("unsafe-path", DRIVER, {
    "path_leaves_tree": ("+++ b/drivers/char/hw_random/acme-rng.c",
                         "+++ b/../../etc/acme-rng.c"),
})


@damage("maintainers-missing")
def no_maintainers_entry(m: Mails) -> None:
    del m.mails[OWNERS]
    m.subjects("/3", "/2")


each("maintainers-entry", OWNERS, {
    "entry_unsorted": ("+ACME RANDOM NUMBER GENERATOR DRIVER", "+VENDOR ACME RANDOM NUMBER DRIVER"),
    "entry_blank_for_tab": ("+S:\tMaintained", "+S: Maintained"),
    "entry_field_order": ("+M:\tJane Doe <jane@example.org>\n+L:\tlinux-crypto@vger.kernel.org\n",
                          "+L:\tlinux-crypto@vger.kernel.org\n+M:\tJane Doe <jane@example.org>\n"),
    "entry_wrong_file": ("+F:\tdrivers/char/hw_random/acme-rng.c",
                         "+F:\tdrivers/char/hw_random/acme_rng.c"),
})
each("subject-prefix", DRIVER, {
    "prefix_of_elsewhere": ("hwrng: acme - add driver", "net: acme - add driver"),
    "prefix_missing": ("hwrng: acme - add driver", "Add driver"),
})
each("subject-prefix", BINDING, {
    "binding_prefix": ("dt-bindings: rng: add ACME", "hwrng: document ACME"),
})
each("message-line", DRIVER, {
    "long_message_line": ("every 40 clock cycles and says in a status register how many are "
                          "waiting.\n", "every 40 clock cycles and says in a status register how "
                          "many are waiting, "),
})
each("conflict-marker", DRIVER, {
    "conflict_marker_left": ("+\tsize_t done = 0;\n", "+<<<<<<< HEAD\n"),
})

# --- more of the same kinds -----------------------------------------------------------------


@damage("cut-missing")
def no_cut_line(m: Mails) -> None:
    m.sub(DRIVER, "\n---\n drivers", "\n drivers")


@damage("hunk-corrupt")
def diff_without_prefixes(m: Mails) -> None:
    for side in ("a", "b"):
        m.mails[DRIVER] = m.mails[DRIVER].replace(f" {side}/drivers".encode(), b" drivers")


@damage("hunk-corrupt")
def names_disagree(m: Mails) -> None:
    m.sub(DRIVER, "+++ b/drivers/char/hw_random/Makefile", "+++ b/drivers/char/hw_random/Kbuild")


each("mail-author", DRIVER, {
    "author_localhost": ("From: Jane Doe <jane@example.org>", "From: Jane Doe <jane@localhost>"),
    "author_root": ("From: Jane Doe <jane@example.org>", "From: root <root@build7.example.org>"),
})
each("mail-disclaimer", DRIVER, {
    "disclaimer": ("-- \n2.39.5", "-- \n2.39.5\n\nThis e-mail is confidential and intended "
                   "only for the addressee."),
})
each("whitespace", DRIVER, {
    "html_entities": ("#include <linux/module.h>", "#include &lt;linux/module.h&gt;"),
    "curly_quotes": ('.name = "acme-rng"', ".name = \u201cacme-rng\u201d"),
})
each("line-length", DRIVER, {
    "long_code_line": ("+\tif (!acme)\n", "+\tif (!acme && acme_rng_another_condition_of_the_"
                       "driver && acme_rng_yet_another_condition_of_it)\n"),
})
each("trailer-form", DRIVER, {
    "stable_address": (SIGN, "Cc: stable@vger.kernel.com\n" + SIGN),
})
each("message-spelling", DRIVER, {"misspelt_word": ("Partial words", "Seperate words")})
each("message-spelling", COVER, {"misspelt_in_cover": ("evaluation board", "evalution board")})


@damage("mail-date")
def date_missing(m: Mails) -> None:
    m.regex(DRIVER, r"^Date: .*\n", "")


@damage("mail-date")
def date_of_another_year(m: Mails) -> None:
    m.sub(DRIVER, "2 Mar 2026", "2 Mar 2019")


@damage("base-commit")
def prerequisite_malformed(m: Mails) -> None:
    m.sub(COVER, "base-commit:", "prerequisite-patch-id: none\nbase-commit:")
