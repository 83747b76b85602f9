from __future__ import annotations

import pytest

from treeline.core.disclosure.fixed import Flat
from treeline.core.disclosure.progressive import Progressive
from treeline.core.engine.actions import Doc, Observation, Skill
from treeline.core.engine.state import State, Step
from treeline.toolkit.tool import Gives, Registry, tool
from treeline.toolkit.tree import Kit, SkillTree

REGISTRY = Registry()
START = State("q")


def _tool(name: str, kit: str, aliases: tuple[str, ...] = ()) -> None:
    def function(x: float) -> float:
        """Double a number.

        Parameters
        ----------
        x : float
            A number.

        Returns
        -------
        float
            Twice the number.
        """
        return 2 * x

    function.__name__ = name
    tool(kit=kit, source="arithmetic", gives=Gives("number", unit="1"), aliases=aliases, registry=REGISTRY)(
        function
    )


_tool("double", "Numbers", aliases=("twice",))
_tool("treble", "Numbers")
_tool("shout", "Words")
TREE = SkillTree.of(
    REGISTRY, {name: Kit(name, f"About {name.lower()}.") for name in ("Numbers", "Words", "Empty")}
)


@pytest.fixture
def progressive() -> Progressive:
    return Progressive(TREE)


def state_after(*steps: tuple) -> State:
    state = State("q")
    for number, (action, observation) in enumerate(steps, start=1):
        state = state.after(Step(number, action, observation))
    return state


def test_the_first_context_has_kits_and_no_tools(progressive):
    text = progressive.context()["tree"]
    assert "Numbers: About numbers." in text and "Words: About words." in text
    assert "double" not in text and "Empty" not in text


def test_a_skill_gives_briefs_and_unlocks_nothing(progressive):
    action = Skill("numbers")
    observation = progressive.answer(action, START)
    assert observation.kind == "information"
    assert "double: Double a number." in observation.text and "Signature" not in observation.text
    assert progressive.callable_set(state_after((action, observation))) == frozenset()


def test_a_document_unlocks_its_tool_alone_also_under_an_older_name(progressive):
    action = Doc("twice")
    observation = progressive.answer(action, START)
    assert "double(x: float)" in observation.text
    assert progressive.callable_set(state_after((action, observation))) == {"double"}


def test_a_refused_document_unlocks_nothing_and_names_the_nearest(progressive):
    action = Doc("doubel")
    observation = progressive.answer(action, START)
    assert observation.kind == "refusal" and "double" in observation.hint
    assert progressive.callable_set(state_after((action, observation))) == frozenset()


def test_a_kit_is_not_a_tool(progressive):
    assert "skill('Words')" in progressive.answer(Doc("Words"), START).hint


def test_an_unknown_kit_is_refused_with_the_kits(progressive):
    observation = progressive.answer(Skill("Number"), START)
    assert observation.kind == "refusal" and "Numbers" in observation.hint and "Words" in observation.hint


def test_flat_tells_all_and_lets_all_be_called():
    flat = Flat(TREE)
    assert "treble(x: float)" in flat.context()["documents"]
    assert flat.callable_set(State("q")) == {"double", "treble", "shout"}


def test_information_that_failed_does_not_count():
    observation = Observation("refusal", "no")
    assert Progressive(TREE).callable_set(state_after((Doc("double"), observation))) == frozenset()


def test_what_another_member_has_is_not_said_to_be_missing(progressive):
    for action, name in ((Doc("difference"), "difference"), (Skill("statistics"), "Statistics")):
        refused = progressive.answer(action, START)
        assert refused.kind == "refusal" and f"{name} is there" in refused.text
        assert "another member" in refused.hint
    assert "is there" in progressive.refusal("difference").message
