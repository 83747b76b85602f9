"""How a question would be worked on, without a pixel being read."""

from __future__ import annotations

from pathlib import Path

from treeline.core.lab.dry_run import explain
from treeline.core.policies.reading_choice import HowToRead
from treeline.core.workspace import Workspace


def test_the_plan_has_the_calls_that_do_not_depend_on_values(bands: Path, tmp_path: Path):
    told = explain("What is the mean NDVI of each date?", Workspace(tmp_path / "w", [bands])).to_json()
    assert told["status"] == "read" and len(told["readings"]) == 1 and told["offers"] == []
    assert told["readings"][0]["number"] == 1
    assert len(told["plan"]) > 1, "every world takes the same calls"
    assert told["notes"] == [], "nothing after these calls is left open"


def test_a_question_that_was_kept_in_an_earlier_form_is_not_followed(tmp_path, bands):
    workspace = Workspace(tmp_path / "w", [bands])
    earlier = HowToRead(former={"version": 1, "node": "NodeOfEarlier"})
    fragment = explain("and in 2017?", workspace, earlier).reading
    assert fragment.status == "declined"
    assert "The question before was kept in an earlier form" in " ".join(fragment.notes)
    whole = explain("What is the mean NDVI of each date?", workspace, earlier).reading
    assert whole.status == "read" and "earlier form" not in " ".join(whole.notes)
