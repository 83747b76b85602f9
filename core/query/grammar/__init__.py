"""Rules of composition: which two neighbouring meanings give which meaning, one module a family."""

from treeline.core.query.grammar import (
    change,
    comparison,
    conditions,
    counting,
    course,
    facts,
    formal,
    groups,
    maps,
    place,
    ranking,
    several,
    statistics,
    time,
)
from treeline.core.query.grammar.registry import RULES, Rule, rules_for

FAMILIES = (
    time, place, statistics, conditions, comparison, change, ranking, counting, course, groups, maps, facts,
    several, formal,
)  # fmt: skip

__all__ = ["FAMILIES", "RULES", "Rule", "rules_for"]
