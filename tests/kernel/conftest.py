"""Kernel tests keep their build folders between runs, as ``patchgen verify`` does."""

from __future__ import annotations

import os

from patchgen.kernel.workspace import builds_folder

os.environ.setdefault("PATCHGEN_KERNEL_BUILDS", str(builds_folder()))
