"""Benchmark logs: read every form, compare, find break-even sizes, make tables and pictures.

What other rooms use is named here; the modules hold the rest.
"""

from patchgen.bench.claims import Claim, Table, numbers_in, unsupported
from patchgen.bench.letter import KINDS, OPTIONS, cover_table, recommendation
from patchgen.bench.reader import read_log

__all__ = [
    "KINDS", "OPTIONS", "Claim", "Table", "cover_table", "numbers_in", "read_log",
    "recommendation", "unsupported",
]
