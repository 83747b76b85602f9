from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace

from treeline.core.query.expression import (
    Aggregate,
    Compare,
    Node,
    Number,
    Place,
    Span,
    Trend,
    Variable,
    When,
    Which,
)
from treeline.core.query.reading import Reading
from treeline.core.teams.expressions import (
    kind_of_question,
    recalled_reading,
    stored_reading,
    words_of_kind,
)


def day(text: str) -> When:
    date = dt.date.fromisoformat(text)
    return When((Span(date, date),))


def year(number: int) -> When:
    return When((Span(dt.date(number, 1, 1), dt.date(number, 12, 31)),))


def mean(variable: Variable) -> Aggregate:
    return Aggregate("mean", variable, "pixel")


NDVI = Variable("ndvi", year(2016))
HIGHEST = Which(mean(NDVI), "highest")


def kind(node: Node) -> str:
    return kind_of_question([node], ["ndvi:given"])


def test_questions_that_differ_in_dates_numbers_and_names_alone_are_of_one_kind() -> None:
    forest = replace(NDVI, where=Place("class", ("Forest",), "landcover"))
    meadow = replace(NDVI, where=Place("class", ("Meadow",), "landcover"), when=year(2017))
    assert kind(mean(forest)) == kind(mean(meadow))
    above = Aggregate("share", Compare(NDVI, "gt", Number(0.6)), "pixel")
    assert kind(above) == kind(replace(above, of=Compare(replace(NDVI, when=year(2018)), "gt", Number(0.7))))
    assert kind(Trend(mean(NDVI), level=0.05)) == kind(Trend(mean(NDVI), level=0.01))
    several = When((*year(2016).spans, *year(2017).spans))
    assert kind(mean(NDVI)) == kind(mean(replace(NDVI, when=several)))


def test_what_is_asked_tells_kinds_apart() -> None:
    above = Aggregate("share", Compare(NDVI, "gt", Number(0.6)), "pixel")
    nodes = [
        HIGHEST,
        replace(HIGHEST, direction="lowest"),
        replace(HIGHEST, top=0),
        mean(NDVI),
        mean(replace(NDVI, role="ndwi")),
        mean(replace(NDVI, when=day("2016-08-14"))),
        mean(replace(NDVI, when=replace(year(2016), pick=1))),
        mean(replace(NDVI, when=replace(year(2016), pick=-1))),
        mean(replace(NDVI, clouds="masked")),
        mean(replace(NDVI, assumed=("clouds",))),
        Aggregate("max", NDVI, "pixel"),
        Aggregate("mean", NDVI, "date"),
        above,
        replace(above, of=Compare(NDVI, "lt", Number(0.6))),
        replace(above, statistic="area"),
    ]
    assert len({kind(node) for node in nodes}) == len(nodes)
    assert kind(HIGHEST) != kind_of_question([HIGHEST], ["ndvi:calculate_ndvi"])


def test_a_kind_holds_no_date_and_no_number() -> None:
    text = kind(Aggregate("percentile", replace(NDVI, when=day("2016-08-14")), "pixel", parameter=90.0))
    assert not any(character.isdigit() for character in text)
    assert {"percentile", "variable", "ndvi", "pixel", "day"} <= set(words_of_kind(text).split())


def test_a_reading_comes_back_from_json_as_it_was() -> None:
    whole = Reading(
        "When was it highest?",
        "declined",
        uncovered=("it",),
        notes=("A note.",),
        offers=(("date of the highest NDVI", HIGHEST),),
        missing=(("warmth", "lst"),),
    )
    for reading in (whole, Reading("The highest?", "asks", expressions=(HIGHEST, mean(NDVI)))):
        stored = json.loads(json.dumps(stored_reading(reading)))
        assert recalled_reading(reading.question, stored) == reading
