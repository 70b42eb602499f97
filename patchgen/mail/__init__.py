"""Patch mails: reading any of them, cover letters, recipients, threading, sending."""
