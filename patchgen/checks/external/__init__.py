"""Other people's checkers, where they are installed: their output as findings of our shape.

A line of output that is not understood is a finding too, never noise. A program that is
missing, or cannot do its work here, is a named skip.
"""

from __future__ import annotations

from patchgen.checks.external.model import External
from patchgen.checks.external.run import available, run_external

__all__ = ["External", "available", "run_external"]
