from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.pages.conftest import ask, assert_whole
from treeline.core.context.ledger import ledger_of
from treeline.core.engine.actions import Answer, Call, Observation, ProductRecord
from treeline.core.engine.events import Note, RunFinished, RunStarted, StepFinished, StepStarted
from treeline.core.engine.journal import record_event
from treeline.core.record.store import Store
from treeline.core.runs.exports.forms import as_json
from treeline.core.runs.options import RunOptions
from treeline.core.runs.reporting import run_result
from treeline.core.teams.model import Contract, HandedLayer, Member, SubGoal
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.shared.text import plain
from treeline.pages.parts.workbench.team.board import board
from treeline.pages.parts.workbench.team.ledger import describe_cost, member_rows
from treeline.pages.parts.workbench.team.model import layers_between, merge_members, team_of

QUESTION = "What is the mean NDVI of each date?"
ATTACK = "<script>alert(1)</script><img src=x onerror=alert(2)>"
NDVI = SubGoal("ndvi", f"Make ndvi {ATTACK}", "prepare", Contract(("nir", ATTACK), ("ndvi",)), layer=2)
ANSWER = SubGoal("answer", QUESTION, "answer", Contract(("ndvi",), ("answer",)), ("ndvi",), layer=3)


def choose_team(app, served, team: str) -> str:
    app.run()
    app.selectbox(key="team").set_value(team).run()
    run = ask(app, served, QUESTION)
    served.manager.wait(run, 60)
    app.run()
    return run


def shown_board(app) -> str:
    return "".join(item.proto.body for item in app.get("html") if 'class="team' in item.proto.body)


@pytest.mark.parametrize("team", ["evolver", "layered"])
def test_a_team_is_chosen_and_its_board_has_members_contracts_and_verdict(app, served, team):
    run = choose_team(app, served, team)
    assert_whole(app)
    record = served.store.run(run)
    assert record.status == "answered" and record.options["team"] == team
    found = team_of(served.store, run)
    html = shown_board(app)
    for lane in found.lanes:
        assert lane.goal in html or lane.role in html
        assert all(lane.keeps_promise(output) for output in lane.contract.outputs)
    assert "calculate_batch_ndvi" in html and "@ndvi ×3" in html
    assert "nothing speaks against it" in html and '<span class="badge taken">' in html
    assert ("Variant 2" if team == "evolver" else "Layer 3") in html


def test_a_members_tree_and_steps_are_shown_when_it_is_chosen(app, served):
    run = choose_team(app, served, "evolver")
    member = next(m for m in team_of(served.store, run).members if m.goal == "ndvi")
    app.segmented_control(key="team-part").set_value("Tree and steps").run()
    app.selectbox(key=f"team-member-{run}").set_value(member.name).run()
    assert_whole(app)
    labels = [part.label for part in app.expander]
    assert any(plain("calculate_batch_ndvi") in label for label in labels)
    assert not any(plain("calc_batch_image_mean") in label for label in labels)


def test_a_run_of_one_policy_has_no_team(app, served):
    run = ask(app, served, QUESTION)
    assert RunOptions.from_json(served.store.run(run).options).team == "solo"
    assert team_of(served.store, run) is None
    assert shown_board(app) == ""


def test_a_past_team_is_stepped_through_with_its_board_as_it_was(app, served):
    run = choose_team(app, served, "layered")
    app.switch_page("runs.py")
    app.query_params["inspected-run"] = run
    app.run()
    assert_whole(app)
    last = app.slider(key="replay-step").max
    assert last == len(team_of(served.store, run).moments)
    assert "badge taken" in shown_board(app)
    app.slider(key="replay-step").set_value(1).run()
    assert_whole(app)
    assert "badge taken" not in shown_board(app)


def test_the_export_of_a_run_has_its_team(app, served):
    run = choose_team(app, served, "evolver")
    body = json.loads(as_json(run_result(served.store, run)))
    assert {member["role"] for member in body["members"]} == {"executor"}


@pytest.fixture
def store(tmp_path) -> Store:
    opened = Store(tmp_path / "store.sqlite")
    yield opened
    opened.close()


def team_run(store: Store, kind: str, member: Member, *, ended: bool) -> str:
    """Record a team of which one member is at work or has ended, and another one waits."""
    store.create_run("team", "w", QUESTION, RunOptions(team=kind).to_json())
    store.set_status("team", "running")
    record_event(store, "team", RunStarted(QUESTION))
    for goal in (NDVI, ANSWER):
        told = {key: getattr(goal, key) for key in ("id", "brief", "depends", "layer")}
        contract = {"inputs": goal.contract.inputs, "outputs": goal.contract.outputs}
        data = {"team": "sub_goal", "variant": 1, "contract": contract, **told}
        record_event(store, "team", Note(goal.brief, data))
    store.create_run("part", "w", "q", RunOptions(member=member.to_json()).to_json(), "team")
    store.set_status("part", "running")
    record_event(store, "part", RunStarted("q"))
    record_event(store, "part", StepStarted(1, Call("calculate_batch_ndvi", {}), "because"))
    if ended:
        product = ProductRecord("ndvi.tif", "/x/ndvi.tif", "ndvi", "1", "@ndvi", "raster", "2021-06-03")
        record_event(store, "part", StepFinished(1, Observation("result", "ok", products=(product,)), 1.0))
        record_event(store, "part", RunFinished("answered", Answer("ready", None, "", None, (1,))))
        store.set_status("part", "answered")
    return "team"


def test_a_team_at_work_shows_who_is_busy_and_what_is_awaited(store):
    run = team_run(store, "layered", Member("Segmentor", NDVI), ended=False)
    team = team_of(store, run)
    busy, waiting = team.lanes
    assert (busy.status, waiting.status) == ("running", "waiting")
    assert busy.keeps_promise("ndvi") is None
    html = board(team, lambda lane: (), dark=False)
    assert "calculate_batch_ndvi …" in html
    assert '<span class="chip planned"' in html
    (handed,) = layers_between(team, 2)
    assert (handed.role, handed.source, handed.target, handed.planned) == (
        "ndvi",
        busy.name,
        waiting.name,
        True,
    )


def test_what_comes_from_data_is_escaped_on_the_board(store):
    run = team_run(store, "layered", Member(ATTACK, NDVI), ended=True)
    record_event(store, run, Note(ATTACK, {"team": "rollback", "said": ATTACK}))
    verdict = {
        "variant": 1,
        "strategy": ATTACK,
        "success": False,
        "confidence": 0.4,
        "signals": {ATTACK: 0.5},
        "steps": 1,
        "why": ATTACK,
        "chosen": True,
    }
    record_event(store, run, Note("", {"team": "verdict", **verdict}))
    for kind in ("layered", "evolver"):
        html = board(replace(team_of(store, run), kind=kind), lambda lane: (), dark=True)
        assert "<script" not in html and "<img" not in html
        assert "&lt;script&gt;" in html


def test_a_broken_contract_is_told(store):
    run = team_run(store, "evolver", Member("executor", NDVI), ended=False)
    record_event(store, "part", RunFinished("failed", reason="The disk is full."))
    store.set_status("part", "failed")
    (failed, _) = team_of(store, run).lanes
    assert failed.keeps_promise("ndvi") is False
    html = board(team_of(store, run), lambda lane: (), dark=False)
    assert "✕ ndvi" in html and "The disk is full." in html


def test_products_that_were_handed_on_name_their_maker(store):
    handed = (HandedLayer("ndvi", ("/p/1-ndvi-1/a.tif", "/p/1-ndvi-1/b.tif"), ("2021", "2022")),)
    run = team_run(store, "layered", Member("Top", ANSWER, handed=handed), ended=False)
    lane = team_of(store, run).lane("1-answer-1")
    assert [(h.role, h.count, h.source) for h in lane.handed] == [("ndvi", 2, "1-ndvi-1")]


def test_a_team_as_it_was_has_only_what_had_happened(store):
    run = team_run(store, "layered", Member("Segmentor", NDVI), ended=True)
    (moment,) = team_of(store, run).moments
    before = team_of(store, run, moment - timedelta(microseconds=1))
    assert before.lanes[0].status == "running" and not before.lanes[0].view.steps
    assert team_of(store, run, moment).lanes[0].rasters_by_role == {"ndvi": (1, "@ndvi")}


def test_the_steps_of_all_members_stand_in_one_row(store):
    run = team_run(store, "layered", Member("Segmentor", NDVI), ended=True)
    (step,) = merge_members(team_of(store, run), RunView()).steps
    assert step.thought == "[Segmentor] because"
    assert step.observation.products[0].name == "1-ndvi-1/ndvi.tif"


def test_the_ledger_has_a_row_for_each_member_and_what_was_not_taken(store):
    run = team_run(store, "evolver", Member("executor", NDVI), ended=True)
    record_event(
        store, run, Note("", {"team": "verdict", "variant": 1, "chosen": False, "strategy": "whole"})
    )
    team = team_of(store, run)
    ledgers = {lane.name: ledger_of(lane.view.state) for lane in team.members}
    member, total = member_rows(team, ledgers)
    assert member["Member"] == "executor: ndvi" and member["Steps"] == 1 and member["Tokens in"] > 0
    summed = ("Steps", "Seconds", "Tokens in", "Tokens out")
    assert total == {"Member": "all", "Variant": "", **{name: member[name] for name in summed}}
    assert "Not taken: variant 1, 1 steps, 1.0 s" in describe_cost(team, ledgers)


def test_a_team_that_was_stopped_has_no_stage_ticked_that_it_did_not_reach(store):
    run = team_run(store, "evolver", Member("executor", NDVI), ended=False)
    record_event(store, "part", RunFinished("stopped", reason="The run was stopped."))
    for stopped in ("part", run):
        store.set_status(stopped, "stopped")
    html = board(team_of(store, run), lambda lane: (), dark=False)
    assert '<span class="stage done">plan' in html
    assert '<span class="stage">judge' in html and '<span class="stage">answer' in html
    assert 'class="stage now"' not in html


def test_the_history_counts_what_all_members_did(app, served):
    run = choose_team(app, served, "evolver")
    team = team_of(served.store, run)
    app.switch_page("runs.py").run()
    assert_whole(app)
    (row,) = next(item.value for item in app.dataframe if "How" in item.value.columns).to_dict("records")
    assert row["How"].endswith("evolver")
    assert row["Steps"] == sum(len(lane.view.steps) for lane in team.members)
