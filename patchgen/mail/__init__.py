"""Patch mails: reading any of them, cover letters, recipients, threading, sending."""

from patchgen.mail.model import FileChange, Hunk, MailSeries, OtherMail, PatchMail, Transport
from patchgen.mail.read import read_range, read_series
from patchgen.mail.subject import Subject
from patchgen.mail.trailers import Trailer

__all__ = [
    "FileChange", "Hunk", "MailSeries", "OtherMail", "PatchMail", "Subject", "Trailer",
    "Transport", "read_range", "read_series",
]
