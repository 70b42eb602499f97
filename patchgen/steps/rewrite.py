"""All steps that rewrite C by structure (and Kconfig entries at structural anchors)."""

from __future__ import annotations

from patchgen.steps.rewrite_base import Outcome, outcome_of
from patchgen.steps.rewrite_condition import ConditionStep
from patchgen.steps.rewrite_file import BlockStep, IncludeStep, MoveDefineStep
from patchgen.steps.rewrite_function import BodyStep
from patchgen.steps.rewrite_kconfig import KconfigBehindStep
from patchgen.steps.rewrite_parameter import ArgumentStep, ParameterStep
from patchgen.steps.rewrite_statement import DeleteStep, InsertStep, LocalStep, ReplaceStep
from patchgen.steps.rewrite_struct import FieldStep

__all__ = ["Outcome", "RewriteStep", "outcome_of"]

RewriteStep = (
    ArgumentStep
    | BlockStep
    | BodyStep
    | ConditionStep
    | DeleteStep
    | FieldStep
    | IncludeStep
    | InsertStep
    | KconfigBehindStep
    | LocalStep
    | MoveDefineStep
    | ParameterStep
    | ReplaceStep
)
"""One operation of a patch; ``kind`` in the series file selects it."""
