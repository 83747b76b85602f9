"""The baselines that ask a language model, played by a scripted endpoint."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path

import pytest

from tests.endpoint import Hang, Messages, Refuse, Say, ScriptedEndpoint
from treeline.core.cli import main
from treeline.core.errors import EndpointConfused, EndpointError
from treeline.core.lab.geoplan.aflow import CALLS, aflow
from treeline.core.lab.geoplan.bench import PlanOptions, bench_planner
from treeline.core.lab.geoplan.earthagent import earthagent
from treeline.core.lab.geoplan.evolver import VARIANTS, Lessons, evolve
from treeline.core.lab.geoplan.judging import LanguageJudge, check_read, verdict_in
from treeline.core.lab.geoplan.model_planners import (
    Advisor,
    chain_of_thought,
    debate,
    plan_and_execute,
    react,
)
from treeline.core.lab.geoplan.planners import MODELLED
from treeline.core.lab.geoplan.tournament import tournament
from treeline.core.settings import Endpoint
from treeline.toolkit.errors import BackendMissing

TOOLS = {"download_file": "Gets a file", "cloud_mask_removal": "Masks clouds", "crop_image": "Crops"}
QUESTION = "How green is the valley?"
GOLD = ["download_file", "cloud_mask_removal", "crop_image"]


@pytest.fixture(autouse=True)
def no_endpoint(monkeypatch):
    for name in ("TREELINE_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    rows = [
        {
            "id": f"t{n}",
            "question": f"{QUESTION} {n}",
            "ground_truth": GOLD,
            "domain": "d",
            "complexity": "simple",
        }
        for n in range(2)
    ]
    (tmp_path / "tasks.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    tools = [{"name": name, "description": text} for name, text in TOOLS.items()]
    (tmp_path / "tools.jsonl").write_text("\n".join(map(json.dumps, tools)), "utf-8")
    return tmp_path / "tasks.jsonl"


def advisor_of(server: ScriptedEndpoint) -> Advisor:
    return Advisor(Endpoint(server.url, "scripted", "key"), TOOLS, threading.Event())


def test_a_chain_of_thought_ends_with_its_last_list_and_only_known_tools_count():
    text = 'First ["crop_image"] came to mind. But: ["Download_File", "launch_rocket", "crop_image"]'
    with ScriptedEndpoint([Say(text)]) as server:
        assert chain_of_thought(advisor_of(server), QUESTION) == ["download_file", "crop_image"]
        system, user = server.requests[0].messages
    assert all(name in system["content"] for name in TOOLS) and QUESTION in user["content"]
    assert "tools" not in server.requests[0].body


def test_react_takes_one_tool_at_a_time_and_is_told_of_unknown_ones():
    turns = ["download_file", "cloud_mask", "cloud_mask_removal", "finish"]
    script = [Say(f"Thought: next\nAction: {tool}") for tool in turns]
    with ScriptedEndpoint(script) as server:
        assert react(advisor_of(server), QUESTION) == ["download_file", "cloud_mask_removal"]
    assert "no tool cloud_mask; nearest: cloud_mask_removal" in server.requests[2].last


def test_plan_and_execute_asks_for_the_tools_of_each_step():
    script = [
        Say("1. Get the data\n2. Clean it"),
        Say('["download_file"]'),
        Say('["cloud_mask_removal", "crop_image"]'),
    ]
    with ScriptedEndpoint(script) as server:
        assert plan_and_execute(advisor_of(server), QUESTION) == GOLD
    assert "now:\nClean it" in server.requests[2].last


def test_a_debate_has_three_debaters_two_rounds_and_a_judge():
    def play(messages: Messages) -> Say:
        text = messages[-1]["content"]
        if "You are the judge" in text:
            return Say(json.dumps(GOLD))
        number = re.search(r"debater (\d) of 3", text)[1]
        return Say(f'{"revised" if "revise your plan" in text else "opening"} {number} ["crop_image"]')

    with ScriptedEndpoint(play) as server:
        assert debate(advisor_of(server), QUESTION) == GOLD
    asked = [request.last for request in server.requests]
    assert len(asked) == 3 + 2 * 3 + 1
    assert all(f"opening {n}" in text for text in asked[3:6] for n in (1, 2, 3))
    assert all(f"revised {n}" in asked[-1] for n in (1, 2, 3))


def test_earthagent_chooses_from_the_top_down_and_plans_from_the_bottom_up():
    asked = []

    chosen = {"synthesis and": "AgriScout", "processing and": "", "acquisition and": "DataFetcher"}

    def play(messages: Messages) -> Say:
        text = messages[-1]["content"]
        asked.append(text)
        if "You manage the layer" in text:
            name = next(
                name
                for words, name in chosen.items()
                if f"the layer of data {words}" in text or f"the layer of {words}" in text
            )
            return Say(json.dumps([name.lower(), "NoSuchAgent"] if name else []))
        tools = ["download_file", "no_such_tool", "web_search", "get_weather_data", "read_database"]
        return Say(json.dumps(tools if "DataFetcher" in text else []))

    with ScriptedEndpoint(play) as server:
        path = earthagent(advisor_of(server), QUESTION)
    assert path == ["download_file", "web_search", "get_weather_data"], "a sub-agent keeps its most steps"
    assert ["synthesis" in asked[0], "analysis" in asked[1], "acquisition" in asked[2]] == [True] * 3
    assert "AgriScout" in asked[1], "a layer is told what was chosen above it"
    assert "DataFetcher" in asked[3] and "get_weather_data" in asked[4]


def test_a_reply_without_a_plan_is_counted(tasks):
    with ScriptedEndpoint(lambda messages: Say("I would first think about it.")) as server:
        endpoint = Endpoint(server.url, "scripted", "key")
        report = bench_planner(tasks, PlanOptions("chain-of-thought", embedder="lexical"), endpoint=endpoint)
    assert report["malformed"] == 2 and [row["path"] for row in report["tasks"]] == [[], []]


@pytest.mark.parametrize(
    ("answers", "score", "unread"),
    [("AB", 1.0, 0), ("BA", 0.0, 0), ("AA", 0.5, 0), (("tie", "A"), 0.5, 0), (("who knows", "?"), 0.5, 2)],
)
def test_a_judge_that_favours_what_stands_first_favours_none(answers, score, unread):
    rows = {
        ("1", "one"): {"question": QUESTION, "path": GOLD},
        ("1", "other"): {"question": QUESTION, "path": ["crop_image"]},
    }
    with ScriptedEndpoint([Say(answer) for answer in answers]) as server:
        judge = LanguageJudge(rows, advisor_of(server))
        assert judge("1", "one", "other") == score
    assert (judge.asked, judge.unread) == (2, unread)


def test_a_judge_that_refuses_the_key_ends_the_bench_before_anything_is_planned(tasks, monkeypatch, capsys):
    with ScriptedEndpoint([Refuse(401, "bad key")]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "key")
        monkeypatch.setenv("TREELINE_MODEL", "scripted")
        arguments = ["--tasks", str(tasks), "--planner", "template", "--judge", "language", "--json"]
        assert main(["bench", "geoplan", *arguments]) == 2
        assert len(server.requests) == 1
    assert "error" in json.loads(capsys.readouterr().out)


def test_a_judge_that_is_lost_in_the_middle_gives_no_ratings(tasks):
    def play(messages: Messages) -> Say | Refuse:
        return Refuse(401, "revoked") if "Plan A" in messages[-1]["content"] else Say("A")

    with ScriptedEndpoint(play) as server, pytest.raises(EndpointError):
        endpoint = Endpoint(server.url, "scripted", "key")
        options = PlanOptions(embedder="lexical")
        tournament(tasks, ["template", "layered"], options, "language", endpoint=endpoint)


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ("A", 1.0),
        ("**B**", 0.0),
        ("tie.", 0.5),
        ("Plan B is better.", 0.0),
        ("B is more complete.", 0.0),
        ("Plan A lacks masking.\n\nB", 0.0),
        ("The better plan: A", 1.0),
        ("Verdict: tie", 0.5),
        ("A plan needs data.", None),
        ("I cannot say.", None),
        ("", None),
        ("a", 1.0),
    ],
)
def test_what_a_judge_says_is_read_and_nothing_into_it(reply, score):
    assert verdict_in(reply) == score


def test_a_judge_that_talks_nonsense_is_refused_before_anything_is_planned(tasks, monkeypatch, capsys):
    with ScriptedEndpoint([Say("A plan is a fine thing.")]) as server:
        for name, value in (
            ("OPENAI_BASE_URL", server.url),
            ("OPENAI_API_KEY", "k"),
            ("TREELINE_MODEL", "m"),
        ):
            monkeypatch.setenv(name, value)
        arguments = ["--tasks", str(tasks), "--planner", "template", "--judge", "language", "--json"]
        assert main(["bench", "geoplan", *arguments]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["type"] == "EndpointConfused"


def test_a_judge_most_of_whose_verdicts_cannot_be_read_gives_no_ratings(tasks):
    def play(messages: Messages) -> Say:
        text = messages[-1]["content"]
        if "indispensable" in text:
            return Say(text.split("order:\n")[1].split("\n")[0])
        return Say("Both have merits." if "Plan A" in text else "A")

    with ScriptedEndpoint(play) as server, pytest.raises(EndpointConfused, match="named neither plan"):
        endpoint = Endpoint(server.url, "scripted", "key")
        tournament(
            tasks, ["template", "layered"], PlanOptions(embedder="lexical"), "language", endpoint=endpoint
        )


def test_a_judge_that_names_no_key_tools_ends_the_bench(tasks):
    def play(messages: Messages) -> Say:
        return Say("All of them matter." if "indispensable" in messages[-1]["content"] else "A")

    with ScriptedEndpoint(play) as server, pytest.raises(EndpointConfused, match="nor a key tool"):
        endpoint = Endpoint(server.url, "scripted", "key")
        options = PlanOptions(embedder="lexical")
        tournament(tasks, ["template", "layered"], options, "language", endpoint=endpoint)


def test_a_judge_that_hangs_ends_the_bench_in_time(tasks, monkeypatch, capsys):
    with ScriptedEndpoint(lambda messages: Hang()) as server:
        for name, value in (
            ("OPENAI_BASE_URL", server.url),
            ("OPENAI_API_KEY", "k"),
            ("TREELINE_MODEL", "m"),
        ):
            monkeypatch.setenv(name, value)
        arguments = ["--tasks", str(tasks), "--planner", "template", "--judge", "language", "--json"]
        assert main(["bench", "geoplan", *arguments, "--silence", "1", "--attempts", "1"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["type"] == "EndpointUnreachable"


def test_aflow_walks_its_workflow_and_counts_what_it_cannot_read():
    def play(agreed: str):
        def script(messages: Messages) -> Say:
            text = messages[-1]["content"]
            if "agrees best" in text:
                return Say(agreed)
            if "Hold it against" in text:
                return Say(text.split("The plan:\n")[1].split("\n\n")[0])
            if "in its form alone" in text:
                return Say(json.dumps(GOLD) if "refined" in text else '["crop_image"]')
            return Say("refined" if "first plan" in text else "verified" if "so far" in text else "first")

        return script

    for agreed, path, malformed in (("They differ.\nB", GOLD, 0), ("None of them", ["crop_image"], 1)):
        with ScriptedEndpoint(play(agreed)) as server:
            advisor = advisor_of(server)
            assert aflow(advisor, QUESTION) == path and advisor.malformed_replies == malformed
            assert len(server.requests) == CALLS


def test_the_evolver_takes_the_plan_that_is_judged_best_and_later_tasks_learn_from_it(tmp_path):
    def play(messages: Messages) -> Say:
        text = messages[-1]["content"]
        if "Split the task" in text:
            return Say("1. Get it\n2. Clean it" if "usual" in text else "1. Other way\n2. Cut it")
        if "Which of them" in text:
            return Say("The second. [2]" if QUESTION in text else "Hard to say.")
        if "later tasks" in text:
            return Say("Cut at the end.")
        goal = text.split("for this one:\n")[1].split("\n")[0]
        tools = {"Get it": GOLD[:1], "Clean it": GOLD[1:2], "Other way": GOLD[:2], "Cut it": GOLD[2:]}
        return Say(json.dumps(tools[goal]))

    file = tmp_path / "lessons.jsonl"
    with ScriptedEndpoint(play) as server:
        advisor = advisor_of(server)
        assert evolve(advisor, QUESTION, Lessons(file)) == GOLD and advisor.malformed_replies == 0
        first = len(server.requests)
        assert first == VARIANTS * (1 + 2) + 2 and "Cut at the end" not in server.requests[-2].last
        # A judge that names no plan is counted; the lesson of the task before is told, its own never.
        assert evolve(advisor, "How dry is the valley?", Lessons(file)) == GOLD[:2]
        assert advisor.malformed_replies == 1 and "Cut at the end" in server.requests[first].last
    assert Lessons(file).nearest(QUESTION, 3) == ["Cut at the end."]
    assert Lessons(file).nearest("How dry is the valley?", 3) == ["Cut at the end."]


@pytest.mark.parametrize("planner", sorted(MODELLED))
def test_without_an_endpoint_a_planner_says_so_in_one_sentence(planner, tasks, capsys):
    assert main(["bench", "geoplan", "--tasks", str(tasks), "--planner", planner, "--json"]) == 2
    told = capsys.readouterr()
    assert told.err.count("\n") == 1
    assert "no endpoint is configured" in told.err and planner in told.err
    assert json.loads(told.out)["error"]["message"] in told.err


def test_a_bench_with_a_model_scores_its_plans_beside_the_simplest_planners(tasks):
    with ScriptedEndpoint(lambda messages: Say(json.dumps(GOLD))) as server:
        endpoint = Endpoint(server.url, "scripted", "key")
        options = PlanOptions("chain-of-thought", embedder="lexical")
        report = bench_planner(tasks, options, endpoint=endpoint)
    assert report["path_similarity"] == 1.0 and report["recall"] == 1.0
    assert 0 < report["beside"]["constant"] < 1 and set(report["beside"]) == {"random", "constant"}
    assert report["malformed"] == 0


def test_several_planners_are_rated_by_a_model_that_judges(tasks):
    def play(messages: Messages) -> Say:
        text = messages[-1]["content"]
        if "Plan A" in text:
            first = text.split("Plan A:\n")[1].split("\n")[0]
            return Say("A" if json.loads(first) == GOLD else "B")
        if "Reply with A." in text:
            return Say("A")
        if "indispensable" in text:
            return Say(json.dumps(json.loads(text.split("order:\n")[1].split("\n")[0])[:1]))
        return Say(json.dumps(GOLD))

    with ScriptedEndpoint(play) as server:
        endpoint = Endpoint(server.url, "scripted", "key")
        options = PlanOptions(embedder="lexical", neighbours=str(tasks))
        report = tournament(tasks, ["chain-of-thought", "layered"], options, "language", endpoint=endpoint)
    elo = report["elo"]
    assert report["key_tools"] == report["planners"]["layered"]["key_tools"] == "chosen by scripted"
    own = report["planners"]["chain-of-thought"]
    assert own["recall"] == own["f1"] == own["by_domain"].popitem()[1]["f1"] == 1.0
    assert report["verdicts_unread"] == 0 and report["verdicts_asked"] == 2 * report["games"]
    assert set(elo) == {"chain-of-thought", "layered", "nearest", "template"}
    assert sum(elo.values()) == pytest.approx(4000)
    assert elo["chain-of-thought"] > 1000 > elo["template"]


def test_a_judge_without_an_endpoint_is_refused_before_anything_is_planned(tasks):
    with pytest.raises(BackendMissing, match="The judge"):
        tournament(tasks, ["layered"], PlanOptions(embedder="lexical"), "language")


def test_the_rule_rates_by_the_coverage_of_key_tools(tasks, capsys):
    arguments = [
        "bench",
        "geoplan",
        "--tasks",
        str(tasks),
        "--embedder",
        "lexical",
        "--neighbours",
        str(tasks),
    ]
    assert main([*arguments, "--planner", "layered", "--planner", "template", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["judge"].startswith("rule") and set(report["planners"]) == {
        "layered",
        "template",
        "nearest",
    }
    best = max(report["planners"], key=lambda name: report["planners"][name]["recall"])
    assert report["elo"][best] == max(report["elo"].values())


@pytest.mark.parametrize(("asked", "unread", "stops"), [(9, 9, False), (10, 5, False), (10, 6, True)])
def test_a_judge_is_given_up_when_most_of_ten_replies_name_no_plan(asked: int, unread: int, stops: bool):
    if stops:
        with pytest.raises(EndpointConfused, match=f"in {unread} of {asked} replies"):
            check_read(asked, unread)
    else:
        check_read(asked, unread)


def test_the_lesson_of_the_task_that_shares_most_of_its_words_comes_first():
    lessons = Lessons()
    lessons.add("map forest loss fire rivers roads towns harvest", "of a long task that shares three words")
    lessons.add("map forest", "of a short task that shares two")
    assert lessons.nearest("map forest loss", 1) == ["of a short task that shares two"]
