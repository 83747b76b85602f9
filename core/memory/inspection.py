"""What the memory's inspector shows: two trajectories side by side, and figures by round."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from treeline.core.context.tokens import count_tokens
from treeline.core.engine.actions import Answer, Call, action_name
from treeline.core.engine.journal import recorded_state
from treeline.core.engine.state import Step
from treeline.core.memory.compression import full_text
from treeline.core.memory.rounds import Round, rounds_of
from treeline.core.record.store import Store

Mark = Literal["same", "changed", "gone", "new"]


@dataclass(frozen=True, slots=True)
class Pair:
    """A step of the earlier attempt and the one of the later attempt in its place."""

    before: Step | None
    after: Step | None
    mark: Mark


@dataclass(frozen=True, slots=True)
class RoundFigures:
    """How the questions that were asked in rounds stood after a round.

    Attributes
    ----------
    questions, succeeded : int
        All of them; those without a sign of failure by then.
    tokens, reflection_tokens : int
        Spent by then; of a policy without a model, the size of its traces.
    """

    number: int
    questions: int
    succeeded: int
    tokens: int
    reflection_tokens: int

    @property
    def share(self) -> float:
        """Share of the questions that succeeded, 0 to 1."""
        return self.succeeded / self.questions if self.questions else 0.0

    @property
    def density(self) -> float:
        """Experience density: the share, less what was spent on reflecting (RSMem, equation 12)."""
        return self.share * (1 - self.reflection_tokens / self.tokens) if self.tokens else self.share


def steps_of(store: Store, run: str) -> tuple[Step, ...]:
    """Return the steps of a recorded run."""
    return recorded_state(store, run).steps


def align(before: Sequence[Step], after: Sequence[Step]) -> list[Pair]:
    """Return two trajectories step beside step; what agrees in tool and arguments is the same."""
    # Without autojunk: it would ignore a call that is repeated in a long trajectory as noise.
    matcher = SequenceMatcher(None, [_key(s) for s in before], [_key(s) for s in after], autojunk=False)
    pairs: list[Pair] = []
    for tag, i, j, k, m in matcher.get_opcodes():
        left, right = list(before[i:j]), list(after[k:m])
        if tag == "equal":
            pairs += [Pair(a, b, "same") for a, b in zip(left, right, strict=True)]
        else:
            pairs += _pair_changed_steps(left, right)
    return pairs


def _pair_changed_steps(left: list[Step], right: list[Step]) -> list[Pair]:
    """Return a stretch that differs; steps of one name stand beside each other as changed."""
    pairs: list[Pair] = []
    names = [_name(step) for step in left], [_name(step) for step in right]
    for tag, i, j, k, m in SequenceMatcher(None, *names, autojunk=False).get_opcodes():
        if tag == "equal":
            pairs += [Pair(a, b, "changed") for a, b in zip(left[i:j], right[k:m], strict=True)]
        else:
            pairs += [Pair(step, None, "gone") for step in left[i:j]]
            pairs += [Pair(None, step, "new") for step in right[k:m]]
    return pairs


def _name(step: Step) -> str:
    return f"{step.action.kind} {action_name(step.action)}"


def _key(step: Step) -> str:
    match step.action:
        case Call(tool=tool, arguments=arguments):
            outcome = "" if step.observation.is_success else step.observation.text
            return f"call {tool} {json.dumps(arguments, sort_keys=True, default=str)} {outcome}"
        case Answer(text=text):
            return f"answer {text}"
        case _:
            return _name(step)


def by_round(store: Store, limit: int = 200) -> list[RoundFigures]:
    """Return how the questions that were asked in rounds stood after each of them."""
    asked = [record for record in store.runs(limit=limit) if int(record.options.get("rounds", 1)) > 1]
    histories = [rounds for record in asked if (rounds := rounds_of(store, record.id))]
    most = max((rounds[-1].number for rounds in histories), default=0)
    costs = [[_cost(store, each) for each in rounds] for rounds in histories]
    figures = []
    for number in range(1, most + 1):
        done = [[r for r in rounds if r.number <= number] for rounds in histories]
        spent = [cost for rounds in costs for cost in rounds[:number]]
        figures.append(
            RoundFigures(
                number,
                len(histories),
                sum(any(r.is_success for r in rounds) for rounds in done),
                sum(tokens for tokens, _ in spent),
                sum(reflection for _, reflection in spent),
            )
        )
    return figures


def _cost(store: Store, each: Round) -> tuple[int, int]:
    """Return the tokens of a round and those of them that reflecting cost."""
    state = recorded_state(store, each.run)
    reflection = each.judgement.reflection if each.judgement else ""
    reflected = (each.judgement.tokens if each.judgement else 0) or count_tokens(reflection)
    # A run without a language model used no tokens; its size stands for them, so that rounds of both are
    # compared.
    own = state.tokens.input + state.tokens.output or count_tokens(full_text(state.steps))
    return own + reflected, reflected
