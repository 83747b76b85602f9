"""What a failed attempt leaves behind: RSMem's reflection, Reflexion's, or nothing at all."""

from __future__ import annotations

import threading

import pytest

from tests.endpoint import Say, ScriptedEndpoint
from treeline.core.context.guardrails import Guardrail
from treeline.core.engine.actions import Call, Observation
from treeline.core.engine.events import RunFinished
from treeline.core.engine.state import Step
from treeline.core.memory.critic import judge
from treeline.core.memory.entries import Lesson
from treeline.core.memory.model_reflection import OWN, REFLECTIONS, REFLEXION, by_model, reflection_exchange
from treeline.core.memory.reflection import by_rules
from treeline.core.memory.trace import Attempt
from treeline.core.settings import Endpoint
from treeline.toolkit import registry

FAILED = Step(1, Call("mean", {"x": "no"}), Observation("refusal", "x: that is no list of numbers."))


def lesson_of(reply: str, style: str) -> tuple[Lesson, Lesson, str]:
    """Return what the rules say, what is kept of a model's reply, and what the model was asked."""
    attempt = Attempt(
        "How high is it?", (), (FAILED,), RunFinished("failed", reason="x"), registry(), lambda a: ""
    )
    issues = judge(attempt)
    rules = by_rules(attempt, issues)
    with ScriptedEndpoint([Say(reply, usage=(70, 7, 0))]) as endpoint:
        exchange = reflection_exchange(Endpoint(endpoint.url, "m"))
        found, _ = by_model(
            exchange, attempt, issues, rules, "", lambda text: None, threading.Event(), REFLECTIONS[style]
        )
        asked = str(endpoint.requests[0].messages[0]["content"])
    return rules, found, asked


@pytest.mark.parametrize(
    "reply", ["I would try again, dear colleague.", "", "{broken", "[1, 2]", '{"reflection": 3']
)
def test_a_reflection_that_is_no_json_is_not_kept_but_counted(reply: str) -> None:
    rules, found, _ = lesson_of(reply, OWN)
    assert found.text == rules.text and found.author == rules.author
    assert found.tokens == 77


def test_reflexion_has_a_kind_of_failure_and_no_guardrails() -> None:
    rule = '{"kind": "mask_first", "reason": "r"}'
    reply = f'{{"failure": "wrong_parameters", "reflection": "Give a list.", "guardrails": [{rule}]}}'
    rules, found, asked = lesson_of(reply, REFLEXION)
    assert "wrong_parameters" in asked and "guardrails" not in asked
    assert found.text == "Give a list." and found.guardrails == rules.guardrails
    _, own, asked = lesson_of(reply, OWN)
    assert "guardrails" in asked and len(own.guardrails) == len(rules.guardrails) + 1
    assert all(isinstance(rule, Guardrail) for rule in own.guardrails)
