"""What all strategies have in common, and what each is for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.toolbox import make_tree
from treeline.core.context.digest import group_names, names_of
from treeline.core.context.documents import working_document
from treeline.core.context.tokens import count_tokens
from treeline.core.disclosure import adaptive, growing
from treeline.core.disclosure.adaptive import EXPLORATION_BUDGET
from treeline.core.disclosure.fixed import ALWAYS_RETRIEVED, RETRIEVED
from treeline.core.disclosure.forest import Branch, Forest, brief
from treeline.core.disclosure.growing import LEAF, deep_forest, grow_forest
from treeline.core.disclosure.names import DISCLOSURES
from treeline.core.disclosure.strategies import STRATEGIES, make_disclosure
from treeline.core.engine.actions import Answer, Call, Doc, Observation, Skill
from treeline.core.engine.disclosure import opened_names
from treeline.core.engine.state import State, Step
from treeline.core.teams.model import Member, SubGoal
from treeline.toolkit import SkillTree, registry
from treeline.toolkit.errors import UnknownTool

TREE = make_tree(24)
QUESTION = "What does the rent of the flat come to in another currency?"
REAL = SkillTree.of(registry())


def walk(disclosure, actions):
    """Return the state after actions, each answered by the strategy."""
    state = State(QUESTION)
    for action in actions:
        state = state.after(Step(len(state.steps) + 1, action, disclosure.answer(action, state)))
    return state


def then(state, action, kind):
    return state.after(Step(len(state.steps) + 1, action, Observation(kind, kind)))


def tools_of(tree):
    return [tool.name for members in tree.tools.values() for tool in members]


def test_the_names_are_those_of_the_strategies():
    assert tuple(STRATEGIES) == DISCLOSURES


@pytest.mark.parametrize("name", [name for name in STRATEGIES if name != "retrieval"])
@pytest.mark.parametrize("tool", ["convert_currency", "forecast_rain", "list_knife"])
def test_the_way_to_a_tool_makes_it_callable(name, tool):
    disclosure = make_disclosure(name, TREE, QUESTION)
    state = walk(disclosure, disclosure.way_to(tool))
    assert all(step.observation.is_success for step in state.steps)
    assert tool in disclosure.callable_set(state)
    assert disclosure.way_to(tool, opened_names(state)) == ()


@pytest.mark.parametrize("name", list(STRATEGIES))
def test_every_tool_is_in_the_tree_once(name):
    tree = make_disclosure(name, TREE, QUESTION).tree
    assert sorted(tools_of(tree)) == sorted(tools_of(TREE))


@pytest.mark.parametrize("name", list(STRATEGIES))
def test_the_same_run_is_told_the_same(name):
    first, second = (make_disclosure(name, TREE, QUESTION, seed=3) for _ in range(2))
    assert first.context() == second.context()
    assert first.context() and set(first.context()) <= {"tree", "documents"}


@pytest.mark.parametrize("name", list(STRATEGIES))
def test_a_tool_outside_the_tree_has_no_way_and_is_refused(name):
    disclosure = make_disclosure(name, TREE, QUESTION)
    assert disclosure.way_to("compute_tvdi") == ()
    error = disclosure.refusal("compute_tvdi")
    assert "not among the tools of this run" in error.message and error.hint


def test_retrieval_gives_the_nearest_and_refuses_the_rest():
    disclosure = make_disclosure("retrieval", REAL, "What share of the area has a TVDI above 0.75?")
    callable_ = disclosure.callable_set(State(""))
    assert len(callable_) in (19, 20) and {"get_filelist", "compute_tvdi"} <= callable_
    missing = next(tool for tool in tools_of(REAL) if tool not in callable_)
    for action in (Doc(missing), Skill("Statistics")):
        observation = disclosure.answer(action, State(""))
        assert observation.kind == "refusal" and "compute_tvdi" in observation.hint


def test_retrieval_takes_nineteen_tools_and_the_listing_of_files():
    """RS-Claw, appendix C-A: a context of 20 tools."""
    for question in ("What is the mean NDVI?", "How many ships are in the harbour?"):
        given = list(make_disclosure("retrieval", REAL, question).callable_set(State("")))
        assert len(given) == 20 or (len(given) == 19 and "get_filelist" in given)
    assert (RETRIEVED, ALWAYS_RETRIEVED) == (19, "get_filelist")


def test_two_layers_need_no_kit_to_be_opened():
    disclosure = make_disclosure("two_layer", TREE)
    assert "convert_currency" in disclosure.context()["tree"]
    assert disclosure.way_to("convert_currency") == (Doc("convert_currency"),)


def test_a_random_tree_follows_its_seed():
    trees = [make_disclosure("random_tree", TREE, seed=seed).tree.tools for seed in (1, 1, 2)]
    groups = [[tuple(tool.name for tool in members) for members in tree.values()] for tree in trees]
    assert groups[0] == groups[1] != groups[2]
    kits = {tool.kit for tool in next(iter(trees[0].values()))}
    assert len(kits) > 1, "the lots left a kit whole"


def test_a_tree_that_builds_itself_brings_alike_tools_together():
    forest = grow_forest(tuple(tool for members in TREE.tools.values() for tool in members))
    leaves = [node for branch in forest.branches for node in branch.walk() if node.tools]
    together = sum(max([t.kit for t in leaf.tools].count(kit) for kit in TREE.kits) for leaf in leaves)
    assert together / len(tools_of(TREE)) > 0.8


def test_a_thousand_tools_stay_navigable():
    tree = make_tree(250)
    forest = grow_forest(tuple(tool for members in tree.tools.values() for tool in members))
    nodes = [node for branch in forest.branches for node in branch.walk()]
    assert max(len(node.tools) for node in nodes) <= LEAF
    assert count_tokens(forest.summaries()) < 1_500
    assert max(count_tokens(node.listing()) for node in nodes) < 1_500
    assert max(len(forest.way_to(tool)) for tool in tools_of(tree)) > 1
    assert len({node.name for node in nodes}) == len(nodes)


def test_a_kit_past_the_limit_gets_parts_and_others_none():
    forest = deep_forest(make_tree(80, ("Money",)), limit=60)
    (money,) = forest.branches
    assert len(money.parts) > 1 and all(part.name.startswith("Money/") for part in money.parts)
    assert not deep_forest(TREE).branches[0].parts


def test_adaptive_gives_a_small_tree_whole():
    small = make_disclosure("adaptive", make_tree(3), QUESTION)
    assert small.callable_set(State("")) == set(tools_of(small.tree))
    larger = make_disclosure("adaptive", make_tree(18), QUESTION)
    assert all(tool in larger.context()["tree"] for tool in tools_of(larger.tree))


def test_adaptive_gives_the_tool_that_the_question_names():
    disclosure = make_disclosure("adaptive", REAL, "Apply compute_tvdi to the rasters of July.")
    assert "compute_tvdi" in disclosure.callable_set(State(""))
    assert "compute_tvdi: " in disclosure.context()["documents"]
    assert "- ndvi_path: str. " in disclosure.context()["documents"]


def test_adaptive_costs_a_fraction_of_all_briefs():
    question = "How did the lake's turbidity change between the two years?"
    costs = {
        name: sum(map(count_tokens, make_disclosure(name, REAL, question).context().values()))
        for name in ("adaptive", "two_layer", "flat")
    }
    assert costs["adaptive"] < costs["two_layer"] / 3 < costs["flat"] / 20


def test_adaptive_widens_after_a_failed_call():
    disclosure = make_disclosure("adaptive", REAL, QUESTION)
    opened = walk(disclosure, [Skill("Radar")])
    assert "Nearest tools of all kits" not in opened.steps[-1].observation.text
    failed = then(opened, Call("lee_filter", {}), "failure")
    observation = disclosure.answer(Doc("calculate_slope"), failed)
    assert observation.is_success and "Nearest tools of all kits" in observation.text


def test_adaptive_gives_documents_when_the_exploration_budget_is_used_up():
    disclosure = make_disclosure("adaptive", REAL, "By how much did the snow depth fall?")
    kits = list(REAL.kits)[: EXPLORATION_BUDGET + 1]
    before = walk(disclosure, [Skill(kit) for kit in kits[:-1]])
    after = walk(disclosure, [Skill(kit) for kit in kits])
    gained = disclosure.callable_set(after) - disclosure.callable_set(before)
    assert gained
    text = after.steps[-1].observation.text
    assert all(f"{tool}: {registry().get(tool).brief}" in text for tool in gained)
    called = then(after, Call(next(iter(gained)), {}), "result")
    assert "Nearest tools" not in disclosure.answer(Skill("Terrain"), called).text


@pytest.mark.parametrize("action", [Doc("calc_snow_depht"), Skill("Snow")])
def test_adaptive_answers_an_unknown_name_with_the_nearest_tools(action):
    observation = make_disclosure("adaptive", REAL, QUESTION).answer(action, State(QUESTION))
    assert observation.kind == "refusal" and "snow" in observation.hint


@settings(max_examples=25)
@given(st.lists(st.sampled_from([*REAL.kits, *tools_of(REAL)[::9], "nonsense"]), max_size=9), st.data())
def test_adaptive_never_loses_a_tool(names, data):
    disclosure = make_disclosure("adaptive", REAL, QUESTION)
    state, callable_ = State(QUESTION), disclosure.callable_set(State(QUESTION))
    for name in names:
        action = data.draw(st.sampled_from([Skill(name), Doc(name), Call(name, {})]))
        if isinstance(action, Call):
            state = then(state, action, data.draw(st.sampled_from(["result", "failure", "refusal"])))
        else:
            state = state.after(Step(len(state.steps) + 1, action, disclosure.answer(action, state)))
        now = disclosure.callable_set(state)
        assert callable_ <= now <= set(tools_of(REAL))
        callable_ = now
    assert isinstance(
        disclosure.answer(Doc("get_filelist"), then(state, Answer("x"), "information")), Observation
    )


def test_adaptive_keeps_its_budgets_to_the_token(monkeypatch):
    tree = make_tree(6)
    tools = [tool for members in tree.tools.values() for tool in members]
    documents = sum(count_tokens(working_document(tool.document)) for tool in tools)
    briefs = sum(count_tokens(brief(tool)) for tool in tools)

    def given(small: int, question: str = "") -> tuple[int, int]:
        monkeypatch.setattr(adaptive, "SMALL_TREE", small)
        disclosure = make_disclosure("adaptive", tree, question)
        return len(disclosure.given_documents), len(disclosure.given_briefs)

    assert given(documents) == (len(tools), 0)
    assert given(documents - 1) == given(briefs) == (0, len(tools))
    assert given(briefs - 1)[1] < len(tools)
    named, cost = tools[3].name, count_tokens(working_document(tools[3].document))
    for room, expected in ((cost, 1), (cost - 1, 0)):
        monkeypatch.setattr(adaptive, "DOCUMENTS_AT_START", room)
        assert given(briefs - 1, f"Use {named} here.")[0] == expected


@pytest.mark.parametrize(("many", "whole"), [(12, True), (13, False)])
def test_adaptive_shows_a_branch_of_twelve_whole(many, whole):
    disclosure = make_disclosure("adaptive", make_tree(many, ("Money",)), QUESTION)
    assert ("Also: " not in disclosure.listing("Money", State("")).text) == whole


def test_openings_count_from_the_last_call_that_succeeded():
    information = Observation("information", "")
    opened = [Step(n, Skill("Money"), information) for n in (1, 2)]
    called = Step(3, Call("sum"), Observation("result", "1"))
    assert [adaptive.openings(steps) for steps in ((), (*opened,), (*opened, called))] == [0, 2, 0]
    assert adaptive.openings((called, *opened)) == 2


def test_a_part_is_found_by_its_own_name_where_one_alone_has_it():
    parts = [Branch(f"{kit}/{part}", "") for kit, part in (("A", "clouds"), ("A", "ice"), ("B", "ice"))]
    forest = Forest((Branch("A", "", parts=tuple(parts[:2])), Branch("B", "", parts=(parts[2],))))
    assert forest.branch("Clouds") is parts[0] and forest.branch("b/ICE") is parts[2]
    with pytest.raises(UnknownTool):
        forest.branch("ice")


def test_a_kit_at_the_limit_stays_whole():
    assert not deep_forest(make_tree(30, ("Money",)), limit=30).branches[0].parts
    assert deep_forest(make_tree(30, ("Money",)), limit=29).branches[0].parts


def test_grown_trees_are_kept_for_the_next_run_and_the_oldest_goes_first(monkeypatch):
    monkeypatch.setattr(growing, "_MOST_GROWN", 2)
    monkeypatch.setattr(growing, "_GROWN", {})
    trees = [make_tree(many, ("Money",)).tools["Money"] for many in (2, 3, 4)]
    first, second = grow_forest(trees[0]), grow_forest(trees[1])
    assert grow_forest(trees[0]).branches is first.branches
    grow_forest(trees[2])
    assert grow_forest(trees[1]).branches is second.branches
    assert len(growing._GROWN) == 2 and grow_forest(trees[0]).branches is not first.branches


def test_the_groups_of_a_random_tree_are_numbered_from_one():
    names = list(make_disclosure("random_tree", TREE, seed=1).tree.kits)
    assert [name.rpartition(" ")[2] for name in names] == [str(n + 1) for n in range(len(names))]


def test_a_tool_of_another_member_is_refused_with_what_does_the_like_here():
    held = {"apply_cloud_mask", "search_catalogue", "pansharpen", "clip_raster", "zonal_statistics"}
    part = Member("Preprocessing", SubGoal("masks", "Mask clouds."), tools=tuple(held)).part_of(REAL)
    for name in ("progressive", "adaptive"):
        disclosure = make_disclosure(name, part, QUESTION)
        said = disclosure.answer(Doc("statistics_by_class"), State(QUESTION))
        assert said.kind == "refusal" and "another member has it" in said.hint
        for hint in (said.hint, disclosure.refusal("statistics_by_class").hint):
            named = [line.partition(": ")[0] for line in hint.partition("Nearest here:\n")[2].splitlines()]
            assert named[0] == "zonal_statistics" and set(named) < held


def test_adaptive_names_the_tools_of_a_kit_with_parts_and_none_of_the_parts():
    money = make_tree(80, ("Money",))
    value = make_disclosure("adaptive", money, QUESTION).answer(Skill("Money"), State(QUESTION)).value
    assert not value["parts"] and set(value["tools"]) == {tool.name for tool in money.tools["Money"]}


def test_a_listing_in_short_still_names_every_tool_of_a_kit_with_parts():
    disclosure = make_disclosure("adaptive", REAL, "How warm was it?")
    kit = next(branch for branch in disclosure.forest.branches if branch.parts)
    listing = disclosure.answer(Skill(kit.name), State(""))
    told = names_of(Step(1, Skill(kit.name), listing))
    assert told == ", ".join(group_names([tool.name for tool in kit.all_tools]))
    assert kit.parts[0].name not in told
