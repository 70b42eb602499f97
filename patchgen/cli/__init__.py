"""The command line: one small module per command; the only code that prints."""
