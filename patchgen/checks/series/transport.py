"""What mail programs and servers do to patches on their way."""

from __future__ import annotations

from patchgen.checks.registry import check
from patchgen.checks.series.context import Findings, SeriesContext, in_mail

_LONGEST = 998
"""RFC 5322 section 2.1.1: no line of a mail is longer."""


@check(
    "mail-crlf",
    scope="series",
    severity="error",
    rule="Lines of a patch end in a bare newline",
    why="Carriage returns end up in the files, or keep the patch from applying.",
    fix="send with git send-email; save mails as they are (raw), not through an editor",
)
def mail_crlf(context: SeriesContext) -> Findings:
    """CRLF in some lines, in an encoded body, or in some mails of the series only."""
    mails = context.series.mails
    stored = [m for m in mails if m.transport.wire_crlf]
    for mail in mails:
        lines = mail.transport.crlf_lines
        if lines:
            yield in_mail(
                "mail-crlf",
                mail,
                f"{len(lines)} lines end in CRLF",
                line=lines[0],
                severity=None if mail.changes else "warning",
            )
        elif mail.transport.wire_crlf and (len(stored) < len(mails)):
            yield in_mail(
                "mail-crlf",
                mail,
                "this mail has CRLF line ends, others do not",
                line=mail.message_line,
            )


@check(
    "mail-encoding",
    scope="series",
    severity="warning",
    rule="A patch travels as plain 7bit or 8bit text",
    why="Archives, grep and many scripts see =3D and =09 instead of the code.",
    fix="git send-email --transfer-encoding=8bit; ask the provider not to convert",
)
def mail_encoding(context: SeriesContext) -> Findings:
    """Quoted-printable and base64, worst where nothing in the text needed it."""
    for mail in context.series.mails:
        transport = mail.transport
        if transport.encoding not in ("base64", "quoted-printable"):
            continue
        needed = not transport.ascii_only or transport.longest_line > _LONGEST
        yield in_mail(
            "mail-encoding",
            mail,
            f"the text is {transport.encoding}" + ("" if needed else " though it is plain ASCII"),
            severity="note" if needed or not mail.changes else None,
        )


@check(
    "mail-format",
    scope="series",
    severity="warning",
    rule="A patch is inline plain text: no HTML, no attachment, no format=flowed",
    why="Reviewers quote the patch in their reply; attachments and HTML cannot be quoted, and "
    "format=flowed joins and stuffs lines.",
    fix="send with git send-email",
)
def mail_format(context: SeriesContext) -> Findings:
    """How the text is packed."""
    for mail in context.series.mails:
        transport = mail.transport
        if transport.html:
            yield in_mail(
                "mail-format", mail, "the mail has an HTML part; lists reject it", severity="error"
            )
        if transport.attachment is not None:
            yield in_mail("mail-format", mail, f"the patch is attached ({transport.attachment})")
        if transport.flowed:
            yield in_mail("mail-format", mail, "the text is format=flowed")
        if any(d.kind == "charset" for d in mail.damages):
            yield in_mail(
                "mail-format",
                mail,
                f"the text does not fit its charset {transport.charset or 'UTF-8'}",
            )


@check(
    "patch-empty",
    scope="series",
    severity="error",
    rule="A mail numbered as a patch holds a diff",
    why="git am stops at a mail without a patch.",
    fix="check what the mail program did with the text or the attachment",
)
def patch_empty(context: SeriesContext) -> Findings:
    """Numbered mails without a diff."""
    for patch in context.series.patches:
        if not patch.changes:
            yield in_mail("patch-empty", patch, "no diff in this mail", line=patch.message_line)
