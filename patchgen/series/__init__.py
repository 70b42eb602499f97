"""The typed model of a series, its loading and its planning."""
