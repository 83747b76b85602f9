"""A question as it was read: how a sub-goal keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treeline.core.query.form import from_json, to_json
from treeline.core.query.reading import Reading


def reading_to_json(reading: Reading) -> dict[str, Any]:
    """Return a reading as JSON values."""
    return {
        "status": reading.status,
        "words": [list(word) for word in reading.words],
        "expressions": [to_json(node) for node in reading.expressions],
        "uncovered": list(reading.uncovered),
        "notes": list(reading.notes),
        "offers": [[said, to_json(node)] for said, node in reading.offers],
        "missing": [list(one) for one in reading.missing],
    }


def reading_from_json(question: str, stored: Mapping[str, Any]) -> Reading:
    """Return the reading that :func:`reading_to_json` gave."""
    return Reading(
        question,
        stored["status"],
        tuple((text, entry, kind) for text, entry, kind in stored["words"]),
        expressions=tuple(map(from_json, stored["expressions"])),
        uncovered=tuple(stored["uncovered"]),
        notes=tuple(stored["notes"]),
        offers=tuple((said, from_json(node)) for said, node in stored["offers"]),
        missing=tuple((word, role) for word, role in stored["missing"]),
    )
