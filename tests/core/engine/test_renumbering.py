"""A step of another record names results by the numbers of the record that takes it over."""

from __future__ import annotations

import pytest

from treeline.core.engine.actions import Call, Doc, Observation, ProductRecord
from treeline.core.engine.call_reuse import SAME_AS
from treeline.core.engine.renumbering import name_handles, rename_results, renumber
from treeline.core.engine.state import Step


@pytest.mark.parametrize(
    ("given", "renamed"),
    [
        ("@result4", "@result7"),
        (
            {"x": ["@result4", 3, None], "deep": {"y": "@result4"}},
            {"x": ["@result7", 3, None], "deep": {"y": "@result7"}},
        ),
        ('get_rows(rows="@result4", first=25)', 'get_rows(rows="@result7", first=25)'),
        (f"{SAME_AS}4, which made the same call:", f"{SAME_AS}7, which made the same call:"),
        ("@result40 and @result5", "a result of another member and @result5"),
        ("result4 of @ndvi", "result4 of @ndvi"),
    ],
)
def test_results_are_named_as_they_are_numbered_there(given: object, renamed: object):
    assert rename_results(given, {4: 7, 5: 5}) == renamed


def test_a_step_names_itself_by_its_new_number():
    rest = Observation(
        "result", "1; 2\n... get_rows(rows='@result3')", hint="@result1", warnings=("@result1",)
    )
    step = renumber(Step(3, Call("mean", {"x": "@result1"}), rest), 8, {1: 6})
    assert (step.number, step.action) == (8, Call("mean", {"x": "@result6"}))
    assert "@result8" in step.observation.text
    assert (step.observation.hint, step.observation.warnings) == ("@result6", ("@result6",))
    assert renumber(Step(3, Doc("mean"), rest), 8, {1: 6}).action == Doc("mean")


def test_collections_have_the_handles_of_the_record_that_takes_a_step_over():
    product = ProductRecord("a.tif", "/m/a.tif", "ndvi", "1", handle="@ndvi-made-2")
    said = Observation("result", "wrote @ndvi-made-2 of @ndvi-made", products=(product,))
    step = Step(1, Call("keep_where", {"image_path": "@ndvi-made[2016]"}), said)
    named = name_handles(step, {"@ndvi-made": "@ndvi", "@ndvi-made-2": "@ndvi-2"})
    assert named.action == Call("keep_where", {"image_path": "@ndvi[2016]"})
    assert named.observation.text == "wrote @ndvi-2 of @ndvi"
    assert [each.handle for each in named.observation.products] == ["@ndvi-2"]
    assert name_handles(step, {"@ndvi-made": "@ndvi-made"}) == name_handles(step, {}) == step
