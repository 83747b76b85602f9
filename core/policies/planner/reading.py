"""From a question in plain words to an :class:`Intent`."""

from __future__ import annotations

import re
from dataclasses import replace

from treeline.core.policies.planner import cues, phrases
from treeline.core.policies.planner.beyond import beyond_reach
from treeline.core.policies.planner.changing import change_asked
from treeline.core.policies.planner.coded import MASKS, as_cover, without_amounts
from treeline.core.policies.planner.comparing import (
    against_others,
    compared_times,
    in_order,
    is_comparing,
)
from treeline.core.policies.planner.conventions import (
    EXTENTS,
    conventional,
    ground_condition,
    severity_classes,
)
from treeline.core.policies.planner.fires import of_two_dates
from treeline.core.policies.planner.intent import Composite, Intent, Operation, Statistic, Subject, Threshold
from treeline.core.policies.planner.leftovers import unknown_place, unread_numbers
from treeline.core.policies.planner.linking import Linked, link
from treeline.core.policies.planner.names import read_names, read_sensors
from treeline.core.policies.planner.nesting import split
from treeline.core.policies.planner.notes import about_clearness, stand_in_notes
from treeline.core.policies.planner.operation import (
    COUNTING,
    first_of,
    grouping_of,
    limit_of,
    operation_of,
)
from treeline.core.policies.planner.periods import Times, read_times
from treeline.core.policies.planner.ranking import read_ranking
from treeline.core.policies.planner.scenery import remedy_of, unlimited_area, unused_scenery
from treeline.core.policies.planner.statistic import (
    direction,
    end_of_range,
    listed_percentiles,
    listed_statistics,
    percentile,
    trend_methods,
    without_composite,
)
from treeline.core.policies.planner.text import Reading, Span
from treeline.core.policies.planner.thresholds import read_limits
from treeline.core.policies.planner.vocabulary import Lexicon, read_mentions
from treeline.core.policies.planner.whether import (
    any_at_all,
    anywhere,
    claim_of,
    limit_of_doubt,
    without_limit,
    without_times,
)
from treeline.core.policies.planner.zones import ZONE
from treeline.core.policies.planner.zoning import in_zones, read_zones, size_is_asked

_ANSWER_UNITS = (
    (r"\b(?:in|as) (?:degc)|\(degc\)", "degC"),
    (r"\b(?:in|as) (?:k\b)|\(k\)", "K"),
    (r"\b(?:in|as) (?:db|decibels?)\b|\(db\)", "dB"),
    (r"\b(?:in |how many |as |\()(?:ha)\b", "ha"),
    (r"\b(?:in |how many |as |\()(?:km2)\b", "km2"),
    (r"\b(?:in |how many |as |\()(?:m2)\b", "m2"),
)


def read(question: str, lexicon: Lexicon) -> Intent:
    """Return what a question asks for.

    Where it names the date by another variable, that question is read for itself.

    Parameters
    ----------
    question : str
    lexicon : Lexicon
        What can be named in the workspace.

    Returns
    -------
    Intent
        With no subjects where no variable was recognised.
    """
    parts = split(question)
    if parts is not None:
        asked, chosen = (_read(part, lexicon) for part in parts)
        if asked.subjects and chosen.subjects and (asked.operation, chosen.operation) == ("value", "extreme"):
            return replace(asked, chosen_by=_within(chosen, asked))
    return _read(question, lexicon)


def _within(chosen: Intent, asked: Intent) -> Intent:
    """Return the question for a date within the period and place of what is asked for then."""
    here, subject = asked.subjects[0], chosen.subjects[0]
    period = here.period if subject.period.open else subject.period
    place, sensor = subject.place or here.place, subject.sensor or here.sensor
    subject = replace(subject, period=period, place=place, sensor=sensor)
    return replace(chosen, subjects=(subject,), grouping="date", clear_only=asked.clear_only)


def _read(question: str, lexicon: Lexicon) -> Intent:
    reading = Reading(question)
    times = read_times(reading, lexicon.southern)
    limits = read_limits(reading)
    reading.timeless = reading.rest
    composite: Composite = first_of(reading.text, phrases.COMPOSITES) or ""
    statistic = first_of(without_composite(reading.text), cues.STATISTICS)
    zoning = read_zones(reading, lexicon.zones, times, statistic)
    for match in list(reading.find(phrases.CLEAR)):
        reading.consume(Span(*match.span()))
    mentions = read_mentions(reading, lexicon)
    rank, top, nth = read_ranking(reading)
    operation = "extreme" if zoning.pick or rank else operation_of(reading, times)
    if operation == "trend" and any(m.role == "terrain_slope" for m in mentions):
        operation = "value"
    if statistic is None and zoning.is_line and reading.has(r"\bprofiles?\b"):
        operation = "profile"
    linked = link(reading, limits, mentions, statistic, operation, lexicon)
    places = read_names(reading.text, lexicon.places) if len(lexicon.places) > 1 else []
    sensors = _sensors(reading, lexicon) if len(lexicon.sensors) > 1 else []
    if not mentions and not limits and reading.has(phrases.CLEAR) and lexicon.available("cloud_mask"):
        about_clearness(linked, statistic, operation)
    if size_is_asked(linked, zoning, bool(mentions), statistic):
        linked.target = linked.named = ZONE
        statistic = statistic if statistic in EXTENTS else "area"
    grounded = linked.target is None and bool(zoning.zones)
    usual = linked.target != ZONE and not grounded and conventional(reading, linked, statistic, lexicon)
    if usual:
        statistic = statistic if statistic in EXTENTS else "share"
    of_classes = severity_classes(reading, linked)
    if of_classes:
        statistic = "share" if reading.has(r"\bshares?\b|%|\bproportions?\b") else "area"
    unchangeable = change_asked(reading, linked, statistic, operation, times)
    if not usual and not zoning.zones and (ground := ground_condition(reading, linked, statistic, lexicon)):
        linked.conditions.append(ground)
    base = _base(reading, linked, statistic, operation)
    if base is None:
        return Intent((), beyond=beyond_reach(reading))
    whether = None if usual else limit_of_doubt(reading, base, linked, operation)
    if whether is not None:
        base = replace(
            base,
            statistic=anywhere(reading, whether) or statistic or end_of_range(reading),
            threshold=None,
            conditions=(),
        )
    subjects, times_used = _subjects(reading, base, linked, times, operation, places, sensors, lexicon)
    subjects = in_zones(subjects, zoning)
    each = of_classes or zoning.every or (len(zoning.zones) > 1 and not is_comparing(reading))
    each = each or (len(subjects) > 1 and reading.has(phrases.APART) and not is_comparing(reading))
    if len(subjects) > 1 and operation == "value":
        operation = "change"
    scenery, unlimited = unused_scenery(reading, subjects, lexicon)
    of_hotspots = base.statistic == "share" and reading.has(phrases.SHARE_OF_HOTSPOTS)
    beyond = (
        unchangeable
        or beyond_reach(reading)
        or unlimited_area(statistic, base, operation, reading, lexicon)
        or without_amounts(base.role, base.statistic)
        or (without_limit(reading, operation, statistic) if not usual and whether is None else "")
        or without_times(reading, operation, subjects)
        or ("a limit on the share of each date" if _unused_share(linked, base, operation) else "")
    )
    return Intent(
        subjects=subjects,
        operation=operation,
        grouping=grouping_of(reading, subjects),
        direction=direction(reading, base.role),
        limit=limit_of(linked, operation),
        whether=any_at_all(reading, base, operation) if usual else whether,
        only_percent=reading.has(phrases.ONLY_PER_CENT) and not reading.has(phrases.BOTH),
        absolute=reading.has(r"\babsolute (?:difference|change|value)"),
        comparing=is_comparing(reading),
        ratio="named" if reading.has(phrases.RATIO) else "factor" if reading.has(phrases.FACTOR) else "",
        unknown=linked.unknown,
        beyond=beyond or (f"which pixels belong to \u201c{unlimited}\u201d" if unlimited else ""),
        remedy="" if beyond or not unlimited else remedy_of(unlimited, lexicon),
        each=each,
        pick=zoning.pick or rank,
        top=top,
        nth=nth,
        claim=claim_of(reading, subjects, times),
        over_dates=operation == "correlation" and reading.has(phrases.OVER_DATES),
        extremes_of="change" if re.search(cues.CHANGE_EXTREME, reading.text) else "value",
        as_share_of_dates=operation == "count" and reading.has(phrases.SHARE_OF_DATES),
        composite=composite or ("mean" if of_hotspots else ""),
        of_hotspots=of_hotspots,
        trend_by=trend_methods(reading),
        in_percent=reading.has(phrases.PER_CENT_CHANGE),
        clear_only=reading.has(phrases.CLEAR),
        unit=first_of(reading.text, _ANSWER_UNITS) or "",
        forms=() if reading.has(phrases.LEAF_WATER) else ("open water",),
        methods=tuple(
            dict.fromkeys(t for words, t in lexicon.methods.items() if re.search(words, reading.text))
        ),
        notes=(
            *unread_numbers(reading, rank or bool(zoning.zones)),
            *unknown_place(reading, lexicon, bool(zoning.zones)),
            *scenery,
            *times.notes,
            *stand_in_notes(linked),
            *linked.notes,
            *zoning.notes,
            *times_used,
        ),
    )


def _unused_share(linked: Linked, base: Subject, operation: Operation) -> bool:
    chosen = operation == "extreme" or (operation == "value" and base.statistic not in EXTENTS)
    return linked.area_limit is not None and chosen


def _sensors(reading: Reading, lexicon: Lexicon) -> list[str]:
    if reading.has(phrases.BOTH_SENSORS):
        return list(lexicon.sensors)
    return read_sensors(reading.text, lexicon.sensors)


def _base(
    reading: Reading, linked: Linked, statistic: Statistic | None, operation: Operation
) -> Subject | None:
    """Return the subject without its period, place and sensor."""
    if linked.target is None:
        return None
    role, threshold = linked.target, linked.threshold
    if role == "precipitation" and statistic is None and reading.has(r"\bhow much\b(?! \w+er\b)|\bfell\b"):
        statistic = "sum"
    if role == "frp" and statistic is None:
        statistic, threshold = "pixels", threshold or Threshold("above", 0.0)
    if role in MASKS and threshold is None and statistic in (None, "mean", "share", "area", "pixels"):
        statistic = statistic if statistic in ("area", "pixels") else "share"
        threshold = Threshold("above", 0.0)
    chosen: Statistic = statistic or (end_of_range(reading) if operation == "value" else "mean")
    doubled = reading.has(r"\bmean\b|\baverages?\b") or reading.has(cues.CHANGE_EXTREME)
    if operation == "extreme" and chosen in ("max", "min") and doubled:
        chosen = "mean"
    if chosen in ("mean", "share", "area", "pixels", "max", "min", "sum") and operation in COUNTING:
        of_area = statistic == "share" and not reading.has(phrases.SHARE_OF_DATES)
        chosen = "share" if linked.area_limit is not None or of_area else "mean"
    if (
        chosen in ("share", "area", "pixels")
        and threshold is None
        and not linked.conditions
        and operation not in COUNTING
        and role != ZONE
    ):
        chosen = "mean"
    if statistic is None and threshold is not None and operation not in COUNTING:
        chosen = "share"
    if chosen not in ("share", "area", "pixels"):
        if threshold is not None and operation not in COUNTING:
            linked.conditions.insert(0, linked.own_condition())
        threshold = None
    return Subject(
        role,
        chosen,
        percentile(reading) if chosen == "percentile" else None,
        threshold,
        tuple(linked.conditions),
    )


def _subjects(
    reading: Reading,
    base: Subject,
    linked: Linked,
    times: Times,
    operation: Operation,
    places: list[str],
    sensors: list[str],
    lexicon: Lexicon,
) -> tuple[tuple[Subject, ...], tuple[str, ...]]:
    """Return the subjects that are compared: they differ in place, sensor, condition, variable or time."""
    comparing = is_comparing(reading) and not of_two_dates(base.role)
    whole = times.whole
    within = replace(base, period=whole.period, which=whole.which)
    if len(lexicon.places) == 2 and comparing and reading.has(phrases.TWO_PLACES):
        places = list(lexicon.places)
    if len(places) > 1:
        return tuple(replace(within, place=place) for place in places), ()
    within = replace(within, place=places[0] if places else "")
    if len(sensors) > 1 and comparing:
        return tuple(replace(within, sensor=sensor) for sensor in sensors), ()
    within = replace(within, sensor=sensors[0] if sensors else "")
    listed = listed_statistics(reading) if operation == "value" and base.threshold is None else []
    if len(listed) > 1:
        linked.rivals = [{"statistic": name} for name in listed]
    if base.statistic == "percentile" and (several := listed_percentiles(reading)):
        linked.rivals = [{"statistic": "percentile", "percentile": each} for each in several]
    if linked.rivals and (comparing or not {"role", "statistic", "name"}.isdisjoint(linked.rivals[0])):
        return tuple(as_cover(replace(within, **rival)) for rival in linked.rivals), ()
    parts = against_others(reading, times)
    if not parts or operation not in ("value", "extreme"):
        parts = in_order(reading, compared_times(reading, times, operation, comparing))
    if len(parts) > 1 and not of_two_dates(base.role):
        return tuple(replace(within, period=w.period, which=w.which) for w in parts), ()
    return (within,), ()
