"""How roles are shared out among executors."""

from __future__ import annotations

import datetime as dt

import pytest

from treeline.core.policies.planner.derivation import AvailableRole, DerivedRole
from treeline.core.policies.planner.layers import Layer
from treeline.core.query.expression import Variable
from treeline.core.query.inventory import Holding, Inventory
from treeline.core.teams import orchestrator
from treeline.core.teams.orchestrator import _group, _stays_whole
from treeline.toolkit import registry


@pytest.mark.parametrize(
    ("count", "groups"),
    [
        (0, []),
        (1, [["a", "b", "c"]]),
        (2, [["a"], ["b", "c"]]),
        (3, [["a"], ["b"], ["c"]]),
        (4, [["a"], ["b"], ["c"]]),
    ],
)
def test_each_group_has_one_role_and_the_last_one_the_rest(count: int, groups: list[list[str]]):
    assert _group(["a", "b", "c"], count) == groups and _group([], count) == []


@pytest.mark.parametrize(
    ("tool", "clouds_known", "whole"),
    [
        ("calculate_batch_ndvi", True, False),  # each pixel of an index is of the same pixel of its bands
        ("compute_tvdi", True, True),
        ("compute_tvdi", False, False),
    ],
)
def test_what_is_not_made_pixel_by_pixel_stays_whole_where_clouds_are_left_in_or_out(
    monkeypatch: pytest.MonkeyPatch, tool: str, clouds_known: bool, whole: bool
):
    monkeypatch.setattr(orchestrator, "needs_clouds", lambda node: True)
    made = DerivedRole("made", registry().get(tool), {}, ())
    inventory = Inventory(cloud_dates=(dt.date(2021, 5, 3),) if clouds_known else ())
    expression = Variable("made")
    assert _stays_whole([expression], {expression: made}, inventory) == whole


@pytest.mark.parametrize(("sites", "whole"), [(["Bled"], False), (["Bled", "Bohinj"], True)])
def test_rasters_of_two_places_stay_whole_where_the_question_names_none(sites: list[str], whole: bool):
    expression, layer = Variable("ndvi"), Layer("ndvi", ())
    inventory = Inventory(holdings=(Holding("ndvi", sites=tuple(sites)),))
    assert _stays_whole([expression], {expression: AvailableRole("ndvi", layer)}, inventory) == whole
