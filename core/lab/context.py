"""What the expert's trajectories cost in context under a strategy of disclosure, without pixels.

Before each call the branches are opened that the strategy asks for; each action is a turn, and at
each turn the whole conversation is what a language model would be sent. The measure of RS-Claw
(arXiv 2605.13391), section IV.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.actions import Action, Answer, Call, Observation
from core.disclosure import make_disclosure, opened_in
from core.lab.handles import HandleWriter
from core.lab.records import Question
from core.lab.symbolic import NamesData, NamesWorkspace, SymbolicEnvironment, lay_out
from core.policies.language.functions import DEFINITIONS
from core.policies.language.prompt import conversation, folded_steps
from core.state import State, Step
from core.tokens import TOKENIZER, count_tokens
from toolkit import SkillTree, registry


@dataclass
class Replayed:
    """One trajectory under a strategy.

    Attributes
    ----------
    turns : list of int
        Input tokens of each turn.
    misses : list of str
        Tools of the expert that the strategy did not let be called.
    refused : int
        Calls that were callable and refused for another reason.
    """

    turns: list[int] = field(default_factory=list)
    calls: int = 0
    misses: list[str] = field(default_factory=list)
    refused: int = 0


def replay_questions(
    questions: Sequence[Question],
    disclosure: str,
    *,
    handles: bool = True,
    seed: int = 0,
    tree: SkillTree | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> dict[str, Any]:
    """Replay the expert's calls of every question, and count input tokens.

    Parameters
    ----------
    disclosure : str
        A key of :data:`core.disclosure.STRATEGIES`.
    handles : bool
        Lists of paths are written as handles of collections where they are such.
    tree : SkillTree, optional
        What is disclosed; by default all tools in their kits.

    Returns
    -------
    dict
        ``tokens_per_question`` (sum over its turns), ``tokens_per_turn``, ``hit_rate`` (share of the
        expert's calls whose tool could be called), and both for each question.
    """
    rows = []
    for number, question in enumerate(questions, start=1):
        replayed = replay(question, disclosure, handles=handles, seed=seed, tree=tree)
        rows.append(_row(question, replayed))
        if progress:
            progress(number, len(questions), str(question.id))
    tokens, turns = (sum(row[name] for row in rows) for name in ("tokens", "turns"))
    calls, hits = sum(row["calls"] for row in rows), sum(row["hits"] for row in rows)
    return {
        "disclosure": disclosure,
        "tokenizer": TOKENIZER,
        "tokens_per_question": tokens / len(rows) if rows else 0.0,
        "tokens_per_turn": tokens / turns if turns else 0.0,
        "turns_per_question": turns / len(rows) if rows else 0.0,
        "hit_rate": hits / calls if calls else 1.0,
        "refused": sum(row["refused"] for row in rows),
        "questions": rows,
    }


def replay(
    question: Question,
    disclosure: str,
    *,
    handles: bool = True,
    seed: int = 0,
    tree: SkillTree | None = None,
) -> Replayed:
    """Replay one expert trajectory in the environment over the question's file names."""
    text = question.auto_planning
    strategy = make_disclosure(disclosure, tree or SkillTree.of(registry()), text, seed)
    with tempfile.TemporaryDirectory(prefix="treeline-") as folder:
        inputs = lay_out(question.folder, question.all_files, Path(folder) / "source")
        data = NamesData(NamesWorkspace(Path(folder) / "workspace", [inputs]), "replay")
        environment = SymbolicEnvironment(data, strategy, registry(), "earth_bench")
        state = State(text, question.choices, {**strategy.context(), "catalogue": data.catalogue()})
        return _play(question, state, environment, HandleWriter(data, registry()) if handles else None)


def _play(
    question: Question, state: State, environment: SymbolicEnvironment, writer: HandleWriter | None
) -> Replayed:
    replayed = Replayed()
    for recorded in question.ground_truth:
        tool = registry().get(recorded.tool).name if recorded.tool in registry() else recorded.tool
        for action in environment.disclosure.way_to(tool, opened_in(state)):
            state, _ = _turn(action, state, environment, replayed)
        call = writer.rewrite(recorded) if writer else Call(tool, dict(recorded.arguments))
        replayed.calls += 1
        hit = tool in environment.disclosure.callable_set(state)
        state, observation = _turn(call, state, environment, replayed)
        if not hit:
            replayed.misses.append(tool)
        elif not observation.succeeded:
            replayed.refused += 1
        if writer:
            writer.learn(len(state.steps), recorded, observation)
    _turn(Answer("", choice=next(iter(question.answers), None)), state, environment, replayed)
    return replayed


def _turn(
    action: Action, state: State, environment: SymbolicEnvironment, replayed: Replayed
) -> tuple[State, Observation]:
    replayed.turns.append(prompt_tokens(state))
    observation = environment.act(action, state)
    return state.after(Step(len(state.steps) + 1, action, observation)), observation


def prompt_tokens(state: State) -> int:
    """Return the input tokens of the next turn: the function schemas and the whole conversation."""
    return _schema_tokens() + sum(count_tokens(text) for text in _texts(state))


def _texts(state: State) -> Iterator[str]:
    for message in conversation(state, folded=folded_steps(state)):
        yield message["content"]
        for call in message.get("tool_calls", ()):
            yield json.dumps(call["function"])


def _schema_tokens() -> int:
    return count_tokens(json.dumps(DEFINITIONS, separators=(",", ":")))


def _row(question: Question, replayed: Replayed) -> dict[str, Any]:
    return {
        "id": question.id,
        "modality": question.modality,
        "tokens": sum(replayed.turns),
        "turns": len(replayed.turns),
        "calls": replayed.calls,
        "hits": replayed.calls - len(replayed.misses),
        "misses": replayed.misses,
        "refused": replayed.refused,
    }
