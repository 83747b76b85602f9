"""The teams with a language model, played by a scripted endpoint."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.endpoint import Messages, Say, ScriptedEndpoint, use
from treeline.core.context.guardrails import RequireRole, of_context
from treeline.core.engine.events import Note
from treeline.core.engine.journal import events_of, recorded_state
from treeline.core.engine.rundata import RunData
from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.items import BankItem
from treeline.core.memory.keys import key_of_question
from treeline.core.runs.options import RunOptions
from treeline.core.settings import Endpoint
from treeline.core.teams.language.goals import read_goals
from treeline.core.teams.language.layers import read_choice
from treeline.core.teams.report import team_report, team_tokens

QUESTION = "What is the mean NDVI on 2021-06-01?"
GOALS = [
    {"id": "ndvi", "brief": "Make the NDVI of 2021-06-01.", "inputs": ["red", "nir"], "outputs": ["ndvi"]},
    {"id": "mean", "brief": "Measure its mean.", "depends": ["ndvi"], "format": "number"},
]
LAYERS = {
    "Layer 3": "AgriScout: say the mean",
    "Layer 2": "SemanticSegmentorAgent: Make the NDVI of 2021-06-01.",
    "Layer 1": "DataFetcher: list the files",
}


def text_of(messages: Messages) -> str:
    return "\n".join(str(message["content"]) for message in messages)


def play(messages: Messages) -> Say:
    """Split the question, or act as the executor whose sub-goal stands in the conversation."""
    if "You lead a small team" in messages[0]["content"]:
        return Say(f"Here it is: {json.dumps(GOALS)}")
    if "sub-agents of one layer" in messages[0]["content"]:
        head = messages[1]["content"].split("\n")[0]
        return Say(next(text for layer, text in LAYERS.items() if layer in head))
    text, turn = text_of(messages), len(messages) - 2 - found_before(messages)
    said = "It is measured with care." if "Check units, dates" in text else "It is measured."
    if f"# Question\n\n{QUESTION}" in text:
        tool, name = "calc_batch_image_mean", "ndvi.tif"
        steps = [
            use("doc", tool=tool),
            use("call", tool=tool, arguments={"file_list": [name]}),
            use("answer", text=said, value=_last_number(messages), evidence=[2]),
        ]
    elif "Make the NDVI" in text.split("# Question")[-1]:
        tool = "calculate_batch_ndvi"
        arguments = {
            "input_nir_paths": ["Lake_2021-06-01.tif#nir"],
            "input_red_paths": ["Lake_2021-06-01.tif#red"],
            "output_paths": ["ndvi.tif"],
        }
        steps = [
            use("doc", tool=tool),
            use("call", tool=tool, arguments=arguments),
            use("answer", text="NDVI is made.", evidence=[2]),
        ]
    else:
        steps = [use("answer", text="Nothing else is there.")]
    return steps[min(turn // 2, len(steps) - 1)]


def found_before(messages: Messages) -> int:
    """Return how many messages tell what other members found."""
    return 2 * sum("found this before" in str(message["content"]) for message in messages)


def _last_number(messages: Messages) -> float | None:
    text = str(messages[-1]["content"]).split("result: ")[-1]
    try:
        return float(text.split("\n")[0].strip("[]").split()[-1])
    except (ValueError, IndexError):
        return None


@pytest.mark.parametrize("team", ["evolver", "layered"])
def test_a_model_splits_the_question_and_executors_work_on_their_part_and_know_the_whole(
    bands: Path, manager_over: Callable, team: str
):
    field = {"type": "Polygon", "coordinates": [[[15, 46], [15.1, 46], [15.1, 46.1], [15, 46]]]}
    (bands / "fields.geojson").write_text(json.dumps(field))
    manager = manager_over(bands)
    alone = manager.work(manager.create("lake", QUESTION, RunOptions()))
    with ScriptedEndpoint(play) as server:
        endpoint = Endpoint(server.url, "scripted", "key")
        options = RunOptions(policy="language", team=team, variants=2)
        run = manager.create("lake", QUESTION, options, endpoint=endpoint)
        finished = manager.work(run, endpoint)
    assert finished.status == "answered", finished.reason
    assert finished.answer.value == pytest.approx(alone.answer.value, rel=1e-3)
    report = team_report(manager.store, run)
    assert {"ndvi", "answer"} <= {goal["id"] for goal in report["sub_goals"]} or team == "layered"
    briefs = {record.question: record.id for record in manager.store.runs(parent=run)}
    maker = recorded_state(manager.store, briefs["Make the NDVI of 2021-06-01."])
    assert maker.context["whole"] == QUESTION and maker.question != QUESTION
    assert "- answer: " in maker.context["others of the team"]
    told = [str(request.messages) for request in server.requests]
    # What splits the work knows dates, classes and vector files as each who does a part of it.
    planned = [text for text in told if "You lead a small team" in text or "sub-agents of one layer" in text]
    assert planned and all(
        "What the data hold" in text and "fields.geojson: 1 Polygon" in text for text in planned
    )
    assert any("The team's question, of which yours is a part" in text for text in told)
    assert any("NDVI is made" in str(request.messages) for request in server.requests)
    used = team_tokens(manager.store, run)
    assert used.input >= 100 * sum(member["steps"] for member in report["members"])


def test_where_a_regime_is_measured_the_plan_is_told_of_the_collections_alone(
    bands: Path, manager_over: Callable
):
    manager = manager_over(bands)
    (bands / "fields.geojson").write_text('{"type": "Point", "coordinates": [15, 46]}')
    with ScriptedEndpoint(play) as server:
        endpoint = Endpoint(server.url, "scripted", "key")
        options = RunOptions(policy="language", team="evolver", variants=1, open_tools=False)
        manager.work(manager.create("lake", QUESTION, options, endpoint=endpoint), endpoint)
    (plan,) = (text for r in server.requests if "You lead a small team" in (text := text_of(r.messages)))
    assert "# Workspace" in plan and "What the data hold" not in plan


MEASURING = {**LAYERS, "Layer 2": "SemanticSegmentorAgent: Make the NDVI of 2021-06-01 and measure its mean."}


def measure_in_a_layer(messages: Messages) -> Say:
    """Act as a team whose second layer makes the index and measures it, and whose third says the number."""
    if "sub-agents of one layer" in messages[0]["content"]:
        head = messages[1]["content"].split("\n")[0]
        return Say(next(text for layer, text in MEASURING.items() if layer in head))
    text, done = text_of(messages), [m["content"] for m in messages if m["role"] == "tool"]
    bands = {
        "input_nir_paths": ["Lake_2021-06-01.tif#nir"],
        "input_red_paths": ["Lake_2021-06-01.tif#red"],
        "output_paths": ["ndvi.tif"],
    }
    measure = [
        use("doc", tool="calc_batch_image_mean"),
        use("call", tool="calc_batch_image_mean", arguments={"file_list": ["ndvi.tif"]}),
    ]
    end = use("answer", text=f"The mean is {_last_number(messages)}.", value=_last_number(messages))
    if "measure its mean" in text.split("# Question")[-1]:
        make = [
            use("doc", tool="calculate_batch_ndvi"),
            use("call", tool="calculate_batch_ndvi", arguments=bands),
        ]
        return [*make, *measure, end][min(len(done), 4)]
    if f"# Question\n\n{QUESTION}" in text:
        return [*measure, end][min(len(done), 2)]
    return use("answer", text="Nothing else is there.")


def test_a_layer_that_needs_statistics_has_them(bands: Path, manager_over: Callable):
    manager = manager_over(bands)
    with ScriptedEndpoint(measure_in_a_layer) as server:
        endpoint = Endpoint(server.url, "scripted", "key")
        run = manager.create(
            "lake", QUESTION, RunOptions(policy="language", team="layered"), endpoint=endpoint
        )
        finished = manager.work(run, endpoint)
    assert finished.status == "answered", finished.reason
    briefs = {record.question: record.id for record in manager.store.runs(parent=run)}
    layer = recorded_state(manager.store, briefs["Make the NDVI of 2021-06-01 and measure its mean."])
    assert [step.observation.kind for step in layer.calls] == ["result", "result"]
    assert layer.calls[-1].observation.value[0] == pytest.approx(finished.answer.value, rel=1e-3)


def test_what_earlier_members_found_is_cited_by_the_last_one(bands: Path, manager_over: Callable):
    """The last member makes no call: it cites the result of the layer below, which its record begins with."""
    said: list[str] = []

    def script(messages: Messages) -> Say:
        of_member = "sub-agents of one layer" not in messages[0]["content"]
        if of_member and f"# Question\n\n{QUESTION}" in text_of(messages):
            said.extend(str(m["content"]) for m in messages if m["role"] in ("user", "tool"))
            value = _last_number(messages)
            return use("answer", text=f"The mean is {value}.", value=value, evidence=[2])
        return measure_in_a_layer(messages)

    manager = manager_over(bands)
    with ScriptedEndpoint(script) as server:
        endpoint = Endpoint(server.url, "scripted", "key")
        options = RunOptions(policy="language", team="layered")
        run = manager.create("lake", QUESTION, options, endpoint=endpoint)
        finished = manager.work(run, endpoint)
    assert finished.status == "answered", finished.reason
    assert not any("rests on no result" in text for text in said)
    assert any(text.startswith("[step 2] result") for text in said)
    whole = recorded_state(manager.store, run)
    tools = [step.action.tool for step in whole.calls]
    assert tools == ["calculate_batch_ndvi", "calc_batch_image_mean"], "what was inherited is recorded once"
    cited = {step.number: step for step in whole.steps}[finished.answer.evidence[-1]]
    assert cited.action.tool == "calc_batch_image_mean"
    members = {each["role"]: each for each in team_report(manager.store, run)["members"]}
    assert members["AgriScout"]["steps"] == 1, "the steps of others are none of its own"


CHAIN = [
    {"id": "ndvi", "brief": "Make the NDVI.", "outputs": ["ndvi"]},
    {"id": "high", "brief": "Keep the high NDVI.", "depends": ["ndvi"], "outputs": ["ndvi"]},
    {"id": "mean", "brief": "Measure it.", "depends": ["high"], "format": "number"},
]


def test_a_series_that_is_made_again_stays_a_series_and_is_made_once(bands: Path, manager_over: Callable):
    """Three members: an index, the same of other pixels, the mean; each names both series as its steps do."""

    def script(messages: Messages) -> Say:
        if "You lead a small team" in messages[0]["content"]:
            return Say(json.dumps(CHAIN))
        asked = text_of(messages).split("# Question")[-1]
        if "Make the NDVI" in asked:
            tool, arguments = (
                "calculate_batch_ndvi",
                {
                    "input_nir_paths": ["@nir"],
                    "input_red_paths": ["@red"],
                    "output_paths": [f"a{n}.tif" for n in range(count)],
                },
            )
        elif "Keep the high" in asked:
            tool, arguments = (
                "keep_where",
                {
                    "image_path": "@ndvi",
                    "condition_path": "@ndvi",
                    "threshold": -1,
                    "output_path": "high.tif",
                },
            )
        else:
            tool, arguments = "calc_batch_image_mean", {"file_list": ["@ndvi-made"]}
        turn = (len(messages) - 2 - found_before(messages)) // 2
        end = use("answer", text="It is done.", evidence=[9])
        return [use("doc", tool=tool), use("call", tool=tool, arguments=arguments), end][min(turn, 2)]

    manager = manager_over(bands)
    count = len(manager.workspace("lake").collections["@nir"].members)
    with ScriptedEndpoint(script) as server:
        endpoint = Endpoint(server.url, "scripted", "key")
        settings = RunOptions(policy="language", team="evolver", variants=1)
        run = manager.create("lake", "What is the mean NDVI of each date?", settings, endpoint=endpoint)
        manager.work(run, endpoint)
    runs = {record.options["member"]["goal"]["id"]: record.id for record in manager.store.runs(parent=run)}
    last = recorded_state(manager.store, runs["answer"])
    assert "@ndvi @ndvi-made" in last.context["catalogue"] and "high_1" not in last.context["catalogue"]
    assert [step.observation.kind for step in last.calls] == ["result"] * 3, last.calls[-1].observation.text
    names = [product.name for product in last.calls[1].observation.products]
    assert last.calls[1].observation.products[0].handle == "@ndvi-made"
    measured = [Path(path).name for path in last.calls[2].observation.arguments["file_list"]]
    assert measured == names, "the handle means what the step that it is from wrote"
    notes = [
        s.event.text
        for each in runs.values()
        for s in events_of(manager.store, each)
        if isinstance(s.event, Note)
    ]
    assert not any("made again" in text for text in notes)


def test_identical_variants_are_judged_once(bands: Path, manager_over: Callable):
    asked: list[str] = []

    def script(messages: Messages) -> Say:
        if "You judge variants" in messages[0]["content"]:
            asked.append(str(messages[1]["content"]))
            return Say('[{"variant": 1, "success": true, "confidence": 0.9, "why": "It is shown."}]')
        if "You distil experience" in messages[0]["content"]:
            return Say("[]")
        said = play(messages)
        return replace(said, calls=tuple((n, a.replace(" with care", "")) for n, a in said.calls))

    manager = manager_over(bands)
    with ScriptedEndpoint(script) as server:
        endpoint = Endpoint(server.url, "scripted", "key")
        options = RunOptions(policy="language", team="evolver", variants=2)
        run = manager.create("lake", QUESTION, options, endpoint=endpoint)
        manager.work(run, endpoint)
    (told,) = asked
    assert "Variant 1 (direct)" in told and "Variant 2" not in told
    first, second = team_report(manager.store, run)["verdicts"]
    assert first["chosen"] and not second["chosen"] and "As variant 1" in second["why"]


VERDICTS = [
    {"variant": 1, "success": False, "confidence": 0.9, "why": "It never masked the clouds."},
    {"variant": 2, "success": True, "confidence": 0.8, "why": "Each number has its step."},
]
LESSONS = [
    {"kind": "pattern", "text": "Make the index first, then measure it."},
    {"kind": "guardrail", "text": "Look at the clouds. The answer is B."},
    {"kind": "poem", "text": "Roses are red."},
]


def work_with_model(bands: Path, manager_over: Callable, verdicts: object, lessons: object, **options):
    def script(messages: Messages) -> Say:
        if "You judge variants" in messages[0]["content"]:
            return Say(verdicts if isinstance(verdicts, str) else json.dumps(verdicts))
        if "You distil experience" in messages[0]["content"]:
            return Say(lessons if isinstance(lessons, str) else json.dumps(lessons))
        return play(messages)

    manager = manager_over(bands)
    with ScriptedEndpoint(script) as server:
        endpoint = Endpoint(server.url, "scripted", "key")
        settings = RunOptions(policy="language", team="evolver", variants=2, **options)
        run = manager.create("lake", QUESTION, settings, endpoint=endpoint)
        finished = manager.work(run, endpoint)
    return manager, run, finished, server.requests


def test_a_model_judges_beside_the_rules_and_what_it_calls_a_success_is_taken(bands, manager_over):
    manager, run, finished, requests = work_with_model(bands, manager_over, VERDICTS, LESSONS)
    first, second = team_report(manager.store, run)["verdicts"]
    assert finished.status == "answered" and second["chosen"] and not first["chosen"] and not first["success"]
    assert second["signals"]["model"] == 0.8 and 0.8 <= second["confidence"] <= 1
    assert second["why"].startswith("Each number has its step. By the rules: ")
    asked = next(r.messages for r in requests if "You judge variants" in r.messages[0]["content"])
    assert "Variant 2 (careful)" in asked[1]["content"] and "calculate_batch_ndvi" in asked[1]["content"]


@pytest.mark.parametrize("said", ["I like both.", "[]", '[{"variant": 7, "success": true}]', '[{"variant"'])
def test_where_the_model_gives_no_verdict_the_rules_stand(bands, manager_over, said):
    manager, run, finished, _ = work_with_model(bands, manager_over, said, "Nothing.")
    verdicts = team_report(manager.store, run)["verdicts"]
    assert finished.status == "answered" and verdicts[0]["chosen"]
    assert all("model" not in verdict["signals"] and verdict["why"] for verdict in verdicts)
    assert any("were answered so" in item.text for item in MemoryBank(manager.store).items())


def test_a_model_distils_lessons_that_tell_no_answer(bands, manager_over):
    manager, run, _, requests = work_with_model(bands, manager_over, VERDICTS, LESSONS)
    items = MemoryBank(manager.store).items()
    (kept,) = (item.procedure for item in items if item.procedure)
    assert kept.tools == ("calculate_batch_ndvi", "calc_batch_image_mean")
    assert {(item.kind, item.text) for item in items if not item.procedure} == {
        ("pattern", "Make the index first, then measure it."),
        ("guardrail", "Look at the clouds."),
    }
    assert all(item.provenance == (run,) for item in items)
    asked = next(r.messages for r in requests if "You distil experience" in r.messages[0]["content"])
    assert "Variant 1: failure" in asked[1]["content"] and "Variant 2: success" in asked[1]["content"]


@pytest.mark.parametrize(
    ("ending", "kept"),
    [
        ({"text": "The mean is 0.9876.", "value": 0.9876, "evidence": [2]}, {("guardrail", "proposed")}),
        ({"text": "There is no clear date.", "declined": True}, set()),
    ],
)
def test_what_a_model_distils_of_a_run_without_success_is_no_procedure_and_waits(
    bands, manager_over, ending, kept
):
    """An unverified answer teaches what failed, once it is reviewed; missing data teach nothing."""
    asked: list[str] = []

    def script(messages: Messages) -> Say:
        asked.append(str(messages[0]["content"]))
        if "You judge variants" in asked[-1]:
            return Say('[{"variant": 1, "success": true, "confidence": 1, "why": "So it is."}]')
        if "You distil experience" in asked[-1]:
            return Say(json.dumps(LESSONS))
        return use("answer", **ending)

    manager = manager_over(bands)
    with ScriptedEndpoint(script) as server:
        endpoint = Endpoint(server.url, "scripted", "key")
        settings = RunOptions(policy="language", team="evolver", variants=1, executors=1)
        run = manager.create("lake", QUESTION, settings, endpoint=endpoint)
        assert manager.work(run, endpoint).status in ("unverified", "declined")
    items = MemoryBank(manager.store).items()
    assert {(item.kind, item.review) for item in items} == kept
    assert any("You distil experience" in text for text in asked) == bool(kept), "no call is paid for nothing"


@pytest.mark.parametrize(
    ("question", "enforced"), [(QUESTION, True), (QUESTION.replace("NDVI", "NDWI"), False)]
)
def test_a_demand_of_a_neighbour_in_words_is_neither_told_nor_enforced(
    bands, manager_over, question, enforced
):
    rule = RequireRole("ndvi", ("ndwi",), "They are mistaken for each other.")
    manager = manager_over(bands)
    key = key_of_question(QUESTION, RunData(manager.workspace("lake"), "x"))
    told = "Measure NDVI and never NDWI."
    MemoryBank(manager.store).consolidate(
        [BankItem("guardrail", QUESTION, told, None, ("r",), key.text, (rule,))]
    )
    with ScriptedEndpoint(lambda messages: use("answer", text="No.", declined=True)) as server:
        endpoint = Endpoint(server.url, "scripted", "key")
        settings = RunOptions(policy="language", team="evolver", variants=1, executors=1)
        run = manager.create("lake", question, settings, endpoint=endpoint)
        manager.work(run, endpoint)
    (member,) = manager.store.runs(parent=run)
    context = recorded_state(manager.store, member.id).context
    assert (rule in of_context(context), told in context.get("memory", "")) == (enforced, enforced)


def test_a_lesson_that_a_model_finds_again_in_other_words_is_one(bands, manager_over):
    """A second run confirms by number what the first one said, also what a person rejected since."""
    manager, first, _, _ = work_with_model(bands, manager_over, VERDICTS, LESSONS[:2])
    bank = MemoryBank(manager.store)
    rejected = next(item for item in bank.items() if item.kind == "guardrail")
    bank.judge(rejected.key, "rejected", "ann")
    again = [{"same": 1}, {"same": 2}, {"same": 9}, {"same": 0}]
    _, second, _, requests = work_with_model(bands, manager_over, VERDICTS, again)
    asked = next(r.messages for r in requests if "You distil experience" in r.messages[0]["content"])
    listed = asked[1]["content"].split("# Known lessons")[1]
    assert "1. " in listed and "Make the index first" in listed and "Look at the clouds." in listed
    items = [item for item in bank.items() if not item.procedure]
    assert len(items) == 2 and all(set(item.provenance) == {first, second} for item in items)
    assert {item.kind: item.review for item in items} == {"pattern": "accepted", "guardrail": "rejected"}


def test_without_contrast_a_model_is_shown_the_taken_variant_alone(bands, manager_over):
    _, _, _, requests = work_with_model(bands, manager_over, VERDICTS, LESSONS, without=("contrast",))
    asked = next(r.messages for r in requests if "You distil experience" in r.messages[0]["content"])
    assert "Variant 2" in asked[1]["content"] and "Variant 1" not in asked[1]["content"]


@pytest.mark.parametrize("text", ["", "I cannot.", "[1, 2]", '[{"id": ""}]', "[{]"])
def test_a_text_without_sub_goals_leaves_the_question_whole(text: str):
    goals = read_goals(text, QUESTION, 3)
    assert [goal.id for goal in goals] == ["answer"] and goals[0].brief == QUESTION


def test_sub_goals_are_read_however_they_are_wrapped_and_listed():
    items = [
        {"id": "Index", "brief": "Make it.", "outputs": "ndvi", "inputs": None, "kits": "Index, Nowhere"},
        {"id": "mean", "brief": "Measure it.", "depends": "index"},
    ]
    for text in (f"Plan [short]:\n```json\n{json.dumps({'sub_goals': items})}\n```", json.dumps(items)):
        first, last = read_goals(text, QUESTION, 3)
        assert (first.id, first.contract.outputs, last.depends) == ("index", ("ndvi",), ("index",))
        assert "calculate_batch_ndvi" in first.tools and "get_filelist" in first.tools
        assert "mean" not in first.tools and last.tools == ()


@pytest.mark.parametrize(
    "line", ["AgriScout - look", "**AgriScout Agent** – look", "1. AgriScout: look", "- `AgriScout`: look"]
)
def test_a_sub_agent_is_read_however_its_line_is_written(line):
    assert read_choice(f"Here:\n{line}", 3) == [("AgriScout", "look")]


def test_a_dependence_on_what_comes_later_is_left_out():
    items = [{"id": n, "brief": n, "depends": ["b", "a"]} for n in ("a", "b", "c")]
    first, second, last = read_goals(json.dumps(items), QUESTION, 3)
    assert first.depends == () and second.depends == ("a",) and last.depends == ("a", "b")


def test_a_layer_has_no_more_sub_agents_than_the_paper_gives_it():
    text = "\n".join(f"{name}: x" for name in ("AgriScout", "Miner", "Nobody"))
    assert read_choice(text, 3) == [("AgriScout", "x")]
