"""Rules of composition: which two neighbouring meanings give which meaning, one module a family."""

from treeline.core.query.grammar import (
    against,
    alternatives,
    anaphora,
    bands,
    change,
    changing,
    claims,
    clouds,
    comparison,
    conditions,
    counting,
    course,
    crossings,
    dated,
    differences,
    facts,
    formal,
    glosses,
    groups,
    levels,
    lines,
    listed,
    maps,
    measured,
    place,
    polygons,
    quantified,
    ranking,
    relations,
    relative,
    several,
    sizes,
    spots,
    statistics,
    time,
    trends,
)
from treeline.core.query.grammar.registry import RULES, Rule, rules_for

FAMILIES = (
    time, place, statistics, conditions, comparison, change, changing, ranking, counting, course, trends,
    groups, maps, facts, several, formal, levels, relative, spots, dated, clouds, bands, claims,
    alternatives, glosses, polygons, quantified, crossings, anaphora, against, sizes,
    relations, differences, measured, lines, listed,
)  # fmt: skip

__all__ = ["FAMILIES", "RULES", "Rule", "rules_for"]
