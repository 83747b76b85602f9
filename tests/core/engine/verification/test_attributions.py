"""What a clause mentions: its numbers, and the classes and dates that it names."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from treeline.core.engine.verification.attributions import _mentions


@pytest.mark.parametrize(
    ("classes", "clause", "named"),
    [
        (["beech forest"], "The forest covers it.", ["forest"]),
        (["open water"], "The water covers it.", ["water"]),
        (["paved road"], "The road covers it.", []),  # so short a word is often of something else
        (["paved road"], "The paved road covers it.", ["paved road"]),
    ],
)
def test_of_a_class_the_kind_names_it_too_where_it_is_no_short_word(
    classes: list[str], clause: str, named: list[str]
):
    answer = SimpleNamespace(
        legend=dict(enumerate(classes)), names_of_facts=frozenset[str](), columns=list[object]()
    )
    assert [mention.label for mention in _mentions(answer, clause)] == named  # type: ignore[arg-type]
