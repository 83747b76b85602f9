"""Rules of composition: which two neighbouring meanings give which meaning, one module a family."""

from treeline.core.query.grammar import (
    against,
    alternatives,
    anaphora,
    availability,
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
    differences,
    facts,
    formal,
    glosses,
    groups,
    levels,
    lines,
    maps,
    measures,
    missing_pixels,
    orders,
    paired_comparisons,
    place,
    polygons,
    quantifiers,
    range_lists,
    ranking,
    relations,
    several,
    sizes,
    spots,
    statistics,
    time,
    time_modifiers,
    trends,
)
from treeline.core.query.grammar.registry import RULES, Rule, rules_for

FAMILIES = (
    time, place, statistics, conditions, comparison, change, changing, ranking, counting, course,
    trends, groups, maps, facts, several, formal, levels, paired_comparisons, spots, time_modifiers,
    clouds, bands, claims, alternatives, glosses, polygons, quantifiers, crossings, anaphora, against,
    sizes, relations, differences, measures, lines, range_lists, availability, missing_pixels, orders,
)  # fmt: skip

__all__ = ["FAMILIES", "RULES", "Rule", "rules_for"]
