"""patchgen generates, proves and mails Linux kernel patch series."""

__version__ = "0.1.0"
