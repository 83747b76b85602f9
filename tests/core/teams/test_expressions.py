from __future__ import annotations

import datetime as dt
import json

from treeline.core.query.expression import Aggregate, Span, Variable, When, Which
from treeline.core.query.reading import Reading
from treeline.core.teams.expressions import reading_from_json, reading_to_json

NDVI = Variable("ndvi", When((Span(dt.date(2016, 1, 1), dt.date(2016, 12, 31)),)))
MEAN = Aggregate("mean", NDVI, "pixel")
HIGHEST = Which(MEAN, "highest")


def test_a_reading_comes_back_from_json_as_it_was() -> None:
    whole = Reading(
        "When was it highest?",
        "declined",
        uncovered=("it",),
        notes=("A note.",),
        offers=(("date of the highest NDVI", HIGHEST),),
        missing=(("warmth", "lst"),),
    )
    for reading in (whole, Reading("The highest?", "asks", expressions=(HIGHEST, MEAN))):
        stored = json.loads(json.dumps(reading_to_json(reading)))
        assert reading_from_json(reading.question, stored) == reading
