"""Checks: functions from a series, its trees or its mails to findings. They never print."""
