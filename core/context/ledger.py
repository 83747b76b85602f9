"""What each part of the context cost at each turn, derived from the record.

The same for every policy: for one without a language model it is what a model would have been
sent. Counted by :func:`treeline.core.context.tokens.count_tokens`; what an endpoint reported stands
beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os.path import commonprefix
from typing import Any

from treeline.core.context.conversation import (
    MESSAGE_OVERHEAD,
    SYSTEM,
    Message,
    conversation,
    definition_tokens,
    folds_of,
    sections,
    step_tokens,
)
from treeline.core.context.folds import WINDOW, is_served
from treeline.core.context.functions import arguments_of
from treeline.core.context.tokens import TOKENIZER, count_tokens
from treeline.core.engine.actions import Doc, Skill, TokenUse
from treeline.core.engine.state import State, Step

PARTS = ("system", "tree", "documents", "catalogue", "memory", "question", "observations")

_OF_SECTION = {part: part for part in PARTS} | {
    "digest": "observations",
    "open": "documents",
    "holdings": "catalogue",
    "before": "question",
    "meant": "question",
    "whole": "question",
    "read": "documents",
    "opened": "tree",
}


@dataclass(frozen=True, slots=True)
class Turn:
    """One decision.

    Attributes
    ----------
    step : int
        The step that was decided on.
    parts : dict
        Tokens by part, see :data:`PARTS`.
    repeated : int
        Tokens at the beginning that are those of the turn before, which an endpoint can cache.
    folded : int
        How many of the oldest steps were shortened.
    written : int
        Tokens of the thought and of the action, as counted.
    reported : TokenUse
        What the endpoint reported; zero where it did not.
    """

    step: int
    parts: dict[str, int]
    repeated: int
    folded: int
    written: int
    reported: TokenUse

    @property
    def total(self) -> int:
        """Tokens of the whole context."""
        return sum(self.parts.values())


@dataclass(frozen=True, slots=True)
class Ledger:
    """The turns of a run."""

    turns: tuple[Turn, ...]

    @property
    def input(self) -> int:
        """Input tokens of all turns: as the endpoint reported them, else as counted."""
        return sum(turn.reported.input or turn.total for turn in self.turns)

    @property
    def cached_input(self) -> int:
        """Those of them that were, or without an endpoint could have been, read from a cache."""
        return sum(turn.reported.cached if turn.reported.input else turn.repeated for turn in self.turns)

    @property
    def output(self) -> int:
        """Output tokens of all turns: as the endpoint reported them, else as counted."""
        return sum(turn.reported.output or turn.written for turn in self.turns)

    def parts(self) -> dict[str, int]:
        """Return the tokens by part over all turns, as counted."""
        total = sum((Counter(turn.parts) for turn in self.turns), Counter[str]())
        return {part: total[part] for part in PARTS}

    def as_json(self) -> dict[str, Any]:
        """Return what ``ask --json`` prints."""
        return {
            "tokenizer": TOKENIZER,
            "input": self.input,
            "cached": self.cached_input,
            "output": self.output,
            "parts": self.parts(),
            "turns": [
                {
                    "step": turn.step,
                    "total": turn.total,
                    "parts": turn.parts,
                    "repeated": turn.repeated,
                    "folded": turn.folded,
                    "written": turn.written,
                    "reported": {
                        "input": turn.reported.input,
                        "output": turn.reported.output,
                        "cached": turn.reported.cached,
                    },
                }
                for turn in self.turns
            ],
        }


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost, in any currency."""

    input: float = 0.0
    cached: float = 0.0
    output: float = 0.0

    def of(self, ledger: Ledger) -> float:
        """Return what a run costs."""
        fresh = ledger.input - ledger.cached_input
        cost = fresh * self.input + ledger.cached_input * self.cached + ledger.output * self.output
        return cost / 1_000_000


def ledger_of(state: State, window: int = WINDOW) -> Ledger:
    """Return what each turn of a run cost that led to a state, with a model whose context is so large."""
    turns: list[Turn] = []
    sent: list[str] = []
    for index, (step, folded) in enumerate(zip(state.steps, folds_of(state, window), strict=False)):
        if step.joined:  # it was asked for in the message of the step before
            continue
        before = replace(state, steps=state.steps[:index])
        last, sent = sent, [_text(message) for message in conversation(before, folded=folded)]
        turns.append(
            Turn(
                step=step.number,
                parts=context_tokens(before, folded),
                repeated=_count_repeated(last, sent),
                folded=folded,
                written=_output_tokens(step),
                reported=TokenUse() if step.tokens.counted else step.tokens,
            )
        )
    return Ledger(tuple(turns))


def context_tokens(state: State, folded: int = 0) -> dict[str, int]:
    """Return the tokens of a state's context by part; every part of :data:`PARTS` is there."""
    parts = dict.fromkeys(PARTS, 0)
    parts["system"] = definition_tokens() + count_tokens(SYSTEM) + 2 * MESSAGE_OVERHEAD
    for section, text in sections(state, folded).items():
        parts[_OF_SECTION.get(section, "memory")] += count_tokens(text)
    for index, step in enumerate(state.steps):
        if index >= folded:
            parts[_part_of(step)] += step_tokens(step, is_served(step, state.steps[index + 1 :]))
    return parts


def _part_of(step: Step) -> str:
    if not step.observation.is_success:
        return "observations"
    return {Skill: "tree", Doc: "documents"}.get(type(step.action), "observations")


def _output_tokens(step: Step) -> int:
    return count_tokens(step.thought) + count_tokens(arguments_of(step.action))


def _text(message: Message) -> str:
    return message["content"] + "".join(
        call["function"]["arguments"] for call in message.get("tool_calls", ())
    )


def _count_repeated(last: Sequence[str], now: Sequence[str]) -> int:
    """Return the tokens that two conversations share at their beginning, the functions among them."""
    if not last:
        return 0
    # os.path.commonprefix compares sequences item by item, of messages as of letters.
    same = len(commonprefix([list(last), list(now)]))
    tokens = sum(count_tokens(text) + MESSAGE_OVERHEAD for text in now[:same])
    # A cache holds up to the letter at which two conversations part, also inside a message.
    if same < min(len(last), len(now)):
        tokens += count_tokens(commonprefix([last[same], now[same]]))
    return definition_tokens() + tokens
