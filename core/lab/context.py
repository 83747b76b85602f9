"""What the expert's trajectories cost in context under a strategy of disclosure, without pixels.

Before each call the branches are opened that the strategy asks for; each action is a turn, and at
each turn the whole conversation is what a language model would be sent. The measure of RS-Claw
(arXiv 2605.13391), section IV.
"""

from __future__ import annotations

import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from treeline.core.context.folds import WINDOW
from treeline.core.context.ledger import Ledger, ledger_of
from treeline.core.context.tokens import TOKENIZER
from treeline.core.disclosure.fixed import Flat
from treeline.core.disclosure.strategies import make_disclosure
from treeline.core.engine.actions import Action, Answer, Call, Observation, action_name
from treeline.core.engine.budget import Budget
from treeline.core.engine.disclosure import Disclosure
from treeline.core.engine.events import Event, RunStarted
from treeline.core.engine.loop import drive
from treeline.core.engine.renumbering import rename_results
from treeline.core.engine.state import State, Step, state_of
from treeline.core.lab.handles import HandleWriter
from treeline.core.lab.parts import EARTH_BENCH, by_part
from treeline.core.lab.records import Question, ToolCall
from treeline.core.lab.symbolic import NamesData, NamesWorkspace, SymbolicEnvironment, lay_out
from treeline.core.lab.tool_access import WAYS, Way
from treeline.core.lab.tuning import tuning_statement
from treeline.core.policies.registry import make_policy
from treeline.toolkit import SkillTree, registry
from treeline.toolkit.context import TellProgress

NOTES = {
    "known": "The way to each tool is known, so that every tool of the expert that a strategy offers is "
    "reached at once: a bound, not what a policy needs. A tree whose kits mean nothing costs no more on it.",
    "found": "Branches are opened in the order of their likeness to the question until the expert's tool is "
    "seen; what was opened in vain is counted.",
}


@dataclass
class Replay:
    """One trajectory under a strategy.

    Attributes
    ----------
    ledger : Ledger
        What each turn cost.
    misses : list of str
        Tools of the expert that the strategy did not let be called.
    refused : int
        Calls that were callable and refused for another reason.
    openings : int
        Branches and documents that were opened.
    """

    ledger: Ledger = Ledger(())
    calls: int = 0
    misses: list[str] = field(default_factory=list)
    refused: int = 0
    openings: int = 0


@dataclass(frozen=True)
class ExpertTrajectory:
    """An expert's trajectory with what each call gave, which no strategy changes.

    Attributes
    ----------
    steps : tuple of Step
        The calls alone; ``@result3`` is the result of the third.
    """

    catalogue: str
    steps: tuple[Step, ...]


def replay_questions(
    questions: Sequence[Question],
    disclosure: str,
    *,
    policy: str = "expert",
    handles: bool = True,
    seed: int = 0,
    cards: bool = True,
    tree: SkillTree | None = None,
    way: str = "known",
    progress: TellProgress | None = None,
) -> dict[str, Any]:
    """Replay the expert's calls of every question, and count input tokens.

    Parameters
    ----------
    disclosure : str
        A key of :data:`treeline.core.disclosure.STRATEGIES`.
    policy : str
        ``expert``, or ``planner``, which finds its own way; a hit is then a tool of the expert's that
        it called with success.
    handles : bool
        Lists of paths are written as handles of collections where they are such.
    cards : bool
        Whether ``adaptive`` may use the task cards.
    tree : SkillTree, optional
        What is disclosed; by default all tools in their kits.
    way : str
        A key of :data:`treeline.core.lab.tool_access.WAYS`: whether the expert knows where the tools are.

    Returns
    -------
    dict
        ``tokens_per_question`` (sum over its turns), ``cached_per_question`` (those of them that are the
        beginning of the turn before), ``tokens_per_turn``, ``parts`` (tokens a question by part),
        ``hit_rate`` (share of the expert's calls whose tool could be called), and each question's.
    """
    rows = []
    for number, question in enumerate(questions, start=1):
        replayed = replay(
            question, disclosure, policy=policy, handles=handles, seed=seed, cards=cards, tree=tree, way=way
        )
        rows.append(row_of(question, replayed))
        if progress:
            progress(number, len(questions), str(question.id))
    means = means_of(rows)
    return {
        "disclosure": disclosure,
        "way": way if policy == "expert" else policy,
        "tokenizer": TOKENIZER,
        "tuned_on": tuning_statement(["earth-bench"]),
        "note": " ".join(filter(None, [NOTES[way] if policy == "expert" else "", describe_rest(means)])),
        **means,
        "by_part": {name: {"questions": len(some), **_shown_means(some)} for name, some in _parts(rows)},
        "reached": sum(row["hits"] for row in rows),
        "openings_per_question": sum(row["openings"] for row in rows) / max(1, len(rows)),
        "questions": rows,
    }


def replay(
    question: Question,
    disclosure: str,
    *,
    policy: str = "expert",
    handles: bool = True,
    seed: int = 0,
    cards: bool = True,
    tree: SkillTree | None = None,
    carried: ExpertTrajectory | None = None,
    way: str = "known",
    window: int = WINDOW,
) -> Replay:
    """Replay one expert trajectory, or let the planner work, over the question's file names.

    Parameters
    ----------
    carried : ExpertTrajectory, optional
        The trajectory as it was carried out before, under whatever strategy.
    window : int
        Tokens that the context holds: older steps are shortened above half of them.
    """
    text = question.auto_planning
    strategy = make_disclosure(disclosure, tree or SkillTree.of(registry()), text, seed, cards)
    if policy == "planner":
        with _names_of(question) as data:
            context = {**strategy.context(), "catalogue": data.catalogue()}
            environment = SymbolicEnvironment(data, strategy, registry(), "earth_bench")
            return _drive(question, State(text, question.choices, context), environment, data)
    carried = carried or carry_out(question, handles=handles)
    context = {**strategy.context(), "catalogue": carried.catalogue}
    state = State(text, question.choices, context)
    return _replay_with(question, state, strategy, carried, WAYS[way], window)


@contextmanager
def _names_of(question: Question) -> Iterator[NamesData]:
    with tempfile.TemporaryDirectory(prefix="treeline-") as folder:
        inputs = lay_out(question.folder, question.all_files, Path(folder) / "source")
        yield NamesData(NamesWorkspace(Path(folder) / "workspace", [inputs]), "replay")


def carry_out(question: Question, *, handles: bool = True) -> ExpertTrajectory:
    """Carry out the expert's calls of a question with every tool at hand."""
    with _names_of(question) as data:
        # Flat, so that no call fails because a branch is closed: results are the same under every strategy.
        environment = SymbolicEnvironment(data, Flat(SkillTree.of(registry())), registry(), "earth_bench")
        writer = HandleWriter(data, registry()) if handles else None
        state = State(question.auto_planning, question.choices)
        for recorded in question.ground_truth:
            call = writer.rewrite(recorded) if writer else Call(_tool_of(recorded), dict(recorded.arguments))
            observation = environment.act(call, state)
            state = state.after(Step(len(state.steps) + 1, call, observation))
            if writer:
                writer.learn(len(state.steps), recorded, observation)
        return ExpertTrajectory(data.catalogue(), state.steps)


def _tool_of(call: ToolCall) -> str:
    return registry().get(call.tool).name if call.tool in registry() else call.tool


def _replay_with(
    question: Question, state: State, strategy: Disclosure, carried: ExpertTrajectory, way: Way, window: int
) -> Replay:
    """Return what a trajectory costs when a strategy stands between the expert and the tools."""
    replayed = Replay()
    # By the number that a result has in the expert's own trajectory, the one that it has here.
    numbers: dict[int, int] = {}
    for recorded, step in zip(question.ground_truth, carried.steps, strict=True):
        tool = _tool_of(recorded)
        state = way(strategy, tool, state, _state_after)
        replayed.calls += 1
        observation = step.observation
        if tool not in strategy.callable_set(state):
            replayed.misses.append(tool)
            refused = strategy.refusal(tool)
            observation = Observation("refusal", refused.message, hint=refused.hint)
        elif not observation.is_success:
            replayed.refused += 1
        assert isinstance(step.action, Call)
        call = Call(step.action.tool, rename_results(dict(step.action.arguments), numbers))
        state = _state_after(state, call, observation)
        # Openings of branches are steps too, so that later calls must name their results by new numbers.
        numbers[step.number] = len(state.steps)
    # A trajectory ends with an answer, which is a turn too; its words are left out, since the expert's are
    # not known.
    answer = Answer("", choice=next(iter(question.answers), None))
    replayed.openings = sum(not isinstance(step.action, Call) for step in state.steps)
    replayed.ledger = ledger_of(_state_after(state, answer, Observation("information", "answered")), window)
    return replayed


def _state_after(state: State, action: Action, observation: Observation) -> State:
    return state.after(Step(len(state.steps) + 1, action, observation))


def _drive(question: Question, state: State, environment: SymbolicEnvironment, data: NamesData) -> Replay:
    events: list[Event] = [RunStarted(state.question, state.choices, dict(state.context))]
    planner = make_policy("planner", data, disclosure=environment.disclosure)
    # No store: thousands of trajectories are replayed, and only what they cost is kept.
    drive(state, planner, environment, Budget(), events.append, threading.Event())
    state = state_of(events)
    known = registry()
    names = (call.tool for call in question.ground_truth)
    wanted = dict.fromkeys(known.get(name).name if name in known else name for name in names)
    used = {action_name(step.action) for step in state.calls if step.observation.is_success}
    refused = sum(not step.observation.is_success for step in state.calls)
    # Once for each tool: the planner may call one for ten rasters where the expert called it ten times.
    misses = [tool for tool in wanted if tool not in used]
    return Replay(ledger_of(state), calls=len(wanted), misses=misses, refused=refused)


# The parts of a context that a strategy of disclosure decides.
_OF_TOOLS = ("tree", "documents")
_COUNTED = ("tokens", "cached", "turns", "calls", "hits", "refused")


def means_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the means of the rows of some questions."""
    total = Counter[str]()
    parts = Counter[str]()
    for row in rows:
        total.update({name: row[name] for name in _COUNTED})
        parts.update(row["parts"])
    count = max(1, len(rows))
    return {
        "tokens_per_question": total["tokens"] / count,
        "cached_per_question": total["cached"] / count,
        "tokens_per_turn": total["tokens"] / max(1, total["turns"]),
        "turns_per_question": total["turns"] / count,
        "hit_rate": total["hits"] / total["calls"] if total["calls"] else 1.0,
        "refused": total["refused"],
        "parts": {part: tokens / count for part, tokens in parts.items()},
    }


def describe_rest(means: Mapping[str, Any]) -> str:
    """Return in a sentence how much of the context tells of tools, which is what a strategy is there to save.

    With few tools and large results the rest outweighs it, and a strategy does not come to the share of
    ``flat`` that it reaches with many tools.

    Parameters
    ----------
    means : mapping
        What :func:`means_of` returns.
    """
    total, told = means["tokens_per_question"], sum(means["parts"].get(part, 0.0) for part in _OF_TOOLS)
    if not total:
        return ""
    return (
        f"Of {total:,.0f} tokens a question {told:,.0f} ({told / total:.0%}) tell of tools, which is "
        f"what a strategy is there to save; the other {total - told:,.0f} are the prompt, the question, "
        "the data and the results, sent again at each turn: with fewer tools they are a larger share of "
        "what flat costs."
    )


def _parts(rows: Sequence[dict[str, Any]]) -> Iterable[tuple[str, list[dict[str, Any]]]]:
    return by_part(rows, EARTH_BENCH, "id").items()


def _shown_means(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    means = means_of(rows)
    return {name: means[name] for name in ("tokens_per_question", "tokens_per_turn", "hit_rate")}


def row_of(question: Question, replayed: Replay) -> dict[str, Any]:
    """Return what a report says of a question."""
    return {
        "id": question.id,
        "modality": question.modality,
        "tokens": sum(turn.total for turn in replayed.ledger.turns),
        "cached": sum(turn.repeated for turn in replayed.ledger.turns),
        "turns": len(replayed.ledger.turns),
        "parts": replayed.ledger.parts(),
        "calls": replayed.calls,
        "hits": replayed.calls - len(replayed.misses),
        "openings": replayed.openings,
        "misses": replayed.misses,
        "refused": replayed.refused,
    }
