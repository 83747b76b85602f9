from __future__ import annotations

import pytest

from core.options import RunOptions
from core.teams.report import team_report
from tests.pages.conftest import ask, assert_whole


@pytest.mark.parametrize("team", ["evolver", "layered"])
def test_a_team_is_chosen_and_its_members_stand_in_lanes(app, served, team):
    app.run()
    app.selectbox(key="team").set_value(team).run()
    run = ask(app, served, "What is the mean NDVI of each date?")
    served.manager.wait(run, 60)
    app.run()
    assert_whole(app)
    record = served.store.run(run)
    assert record.status == "answered" and record.options["team"] == team
    assert "Team" in [tab.label for tab in app.tabs]
    shown = "\n".join(item.value for item in [*app.markdown, *app.caption])
    for member in team_report(served.store, run)["members"]:
        assert f"**{member['role']}**" in shown
    lane = "Variant 2" if team == "evolver" else "Synthesis and application"
    assert lane in shown


def test_a_run_of_one_policy_has_no_team(app, served):
    run = ask(app, served, "What is the mean NDVI of each date?")
    assert RunOptions.from_json(served.store.run(run).options).team == "solo"
    assert "Team" not in [tab.label for tab in app.tabs]
