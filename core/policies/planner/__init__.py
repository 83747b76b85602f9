"""The planner: a policy that answers without a language model.

The question is read into an expression (:mod:`treeline.core.query`); the planner compiles the
expression to steps and carries them out through the engine's actions. It has no table of questions.
"""

from treeline.core.policies.planner import (
    arithmetic,
    choosing,
    conditions,
    conventions,
    courses,
    facts,
    fusions,
    masks,
    pictures,
    shortcuts,
    spectra,
    spots,
    statistics,
    variables,
)
from treeline.core.policies.planner.policy import Planner

__all__ = [
    "Planner",
    "arithmetic",
    "choosing",
    "conditions",
    "conventions",
    "courses",
    "facts",
    "fusions",
    "masks",
    "pictures",
    "shortcuts",
    "spectra",
    "spots",
    "statistics",
    "variables",
]
