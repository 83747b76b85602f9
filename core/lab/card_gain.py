"""What task cards are worth on the questions that were read while they were written, and on others.

Three gains, each of a question with its card against the same question without one:

- ``named``: the share of the expert's tools that the card which fits best names, less the share among as many
  tools that are found by their own likeness to the question. ``by_chance`` is the share that a card taken at
  random names.
- ``saved``: the share of tokens that the strategy ``adaptive`` saves by going by cards, where branches have
  to be found.
- ``worked``: tools in order, and right answers where there are rasters, of a run with a card less those of a
  run without; where a policy is named. Only this says what a card is worth to a language model.

A gain that is larger on questions that were read than on others shows that the cards were fitted to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from treeline.core.context.names import AUTO, NONE
from treeline.core.disclosure.advice import advised_tools
from treeline.core.disclosure.fixed import ALWAYS_RETRIEVED
from treeline.core.disclosure.search import nearest_tools
from treeline.core.lab.bench_options import BenchOptions
from treeline.core.lab.context import carry_out, replay
from treeline.core.lab.earth_bench_run import work_on
from treeline.core.lab.intervals import confidence_interval
from treeline.core.lab.parts import LOOKED_AT, part_of
from treeline.core.lab.parts import SET_ASIDE as ASIDE
from treeline.core.lab.records import Question
from treeline.core.lab.tuning import tuning_statement
from treeline.core.settings import Endpoint
from treeline.knowledge import built_in_cards
from treeline.toolkit import registry
from treeline.toolkit.context import TellProgress

READ, SET_ASIDE, UNSEEN = "read", "set aside", "unseen"
"""Parts: questions at hand while cards were written, the fifth of them that was not read, others."""

_PARTS = {LOOKED_AT: READ, ASIDE: SET_ASIDE}
_RESAMPLES = 2000
# Percentiles, the ends of an interval of 95 %.
_ENDS = (2.5, 97.5)

Gains = dict[str, float | None]


def card_gain(
    questions: Sequence[Question],
    unseen: Sequence[Question] = (),
    worked: BenchOptions | None = None,
    progress: TellProgress | None = None,
    endpoint: Endpoint | None = None,
) -> dict[str, Any]:
    """Return the gains of cards on the parts of the questions, and how far the parts differ.

    Parameters
    ----------
    questions : sequence of Question
        The public ones; one in five of them is the part that was set aside.
    unseen : sequence of Question
        Others; those that are among the public ones are passed over.
    worked : BenchOptions, optional
        How runs are made with and without cards; none are made where it is left out.

    Returns
    -------
    dict
        ``parts`` (of each the number of questions, the means, and of each gain the interval),
        ``differences`` (of each gain, that on the questions read less that on others, with its interval),
        and each question's row.
    """
    known = {str(question.id) for question in questions}
    parted = [(_PARTS.get(part_of(one.id, one.benchmark), UNSEEN), one) for one in questions]
    # A question that is in both lists was read, and would make the unseen ones look like those.
    parted += [(UNSEEN, one) for one in unseen if str(one.id) not in known]
    rows = []
    for number, (part, question) in enumerate(parted, start=1):
        rows.append({"id": question.id, "part": part, **_gains(question, worked, endpoint)})
        if progress:
            progress(number, len(parted), str(question.id))
    by_part = {name: [row for row in rows if row["part"] == name] for name in (READ, SET_ASIDE, UNSEEN)}
    by_part = {name: group for name, group in by_part.items() if group}
    gains = [name for name in _GAINS if any(row.get(name) is not None for row in rows)]
    return {
        "bench": "cards",
        "tuned_on": tuning_statement(["earth-bench"]),
        "policy": worked.policy if worked else "",
        "parts": {name: _summary(group) for name, group in by_part.items()},
        "differences": {
            name: {gain: _difference(by_part[READ], group, gain) for gain in gains}
            for name, group in by_part.items()
            if name != READ and READ in by_part
        },
        "questions": rows,
    }


_GAINS = ("named_gain", "saved", "in_order_gain", "accuracy_gain")
_MEASURES = (
    "named",
    "all_named",
    "found",
    "by_chance",
    "named_gain",
    "saved",
    "in_order_gain",
    "accuracy_gain",
)


def _gains(question: Question, worked: BenchOptions | None, endpoint: Endpoint | None) -> Gains:
    row = {**_gain_in_naming(question), **_tokens(question)}
    return {**row, **_gain_in_working(question, worked, endpoint)} if worked else row


def _gain_in_naming(question: Question) -> Gains:
    """Return which share of the expert's tools a card names, and what finds as much without one."""
    tools = registry()
    wanted = {tools.get(call.tool).name for call in question.ground_truth if call.tool in tools}
    # Every strategy offers it: to name it is no merit of a card.
    wanted.discard(ALWAYS_RETRIEVED)
    if not wanted:
        return {}
    advised = set(advised_tools(question.auto_planning))
    # As many tools as the card names, since more of them would find more.
    near = {name for name, _ in nearest_tools(tuple(tools), question.auto_planning, len(advised))}

    def share(names: set[str]) -> float:
        return len(wanted & names) / len(wanted)

    named, found = share(advised), share(near)
    chance = float(np.mean([share(set(card.tools)) for card in built_in_cards()]))
    return {
        "named": named,
        "all_named": float(named == 1),
        "found": found,
        "by_chance": chance,
        "named_gain": named - found,
    }


def _tokens(question: Question) -> Gains:
    if not question.ground_truth:
        return {}
    carried = carry_out(question)
    ways = (
        # Where branches have to be found, as by a policy: an expert who knows the way gains nothing
        # by a card.
        replay(question, "adaptive", cards=cards, carried=carried, way="found").ledger
        for cards in (True, False)
    )
    one, other = (sum(turn.total for turn in ledger.turns) for ledger in ways)
    return {"tokens": float(one), "tokens_without": float(other), "saved": 1 - one / other}


def _gain_in_working(question: Question, options: BenchOptions, endpoint: Endpoint | None) -> Gains:
    one, other = (work_on(question, replace(options, card=card), endpoint=endpoint) for card in (AUTO, NONE))
    scores = [row["scores"].get("tool_in_order") for row in (one, other)]
    right = [row["correct"] for row in (one, other)]
    return {"in_order_gain": _less(*scores), "accuracy_gain": _less(*right)}


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else float(one) - float(other)


def _values(rows: Sequence[Mapping[str, Any]], name: str) -> list[float]:
    return [float(row[name]) for row in rows if row.get(name) is not None]


def _summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    means = {name: _of_values(_values(rows, name), np.mean) for name in _MEASURES}
    return {
        "questions": len(rows),
        **{name: value for name, value in means.items() if value is not None},
        "intervals": {name: confidence_interval(_values(rows, name)) for name in _GAINS},
    }


def _of_values(values: Sequence[float], function: Callable[[Sequence[float]], Any]) -> float | None:
    return float(function(values)) if values else None


def _difference(
    read: Sequence[Mapping[str, Any]], others: Sequence[Mapping[str, Any]], gain: str
) -> dict[str, Any] | None:
    """Return by how much a gain is larger on the questions read, with the percentile bootstrap interval."""
    one, other = (np.asarray(_values(rows, gain)) for rows in (read, others))
    if len(one) < 2 or len(other) < 2:
        return None
    # A fixed seed: the same results have the same interval.
    rng = np.random.default_rng(0)
    drawn = [rng.choice(values, (_RESAMPLES, len(values))).mean(axis=1) for values in (one, other)]
    low, high = np.percentile(drawn[0] - drawn[1], _ENDS)
    return {"value": float(one.mean() - other.mean()), "interval": (float(low), float(high))}


def gain_text(report: Mapping[str, Any]) -> str:
    """Return the report as lines: each gain on each part, and by how much the parts differ."""
    lines = []
    for part, found in report["parts"].items():
        lines.append(f"{part}: {found['questions']} questions")
        lines += [
            f"  {name:15s} {found[name]:7.3f}{_around(found['intervals'].get(name))}"
            for name in _MEASURES
            if name in found
        ]
    for part, gains in report["differences"].items():
        lines += [
            f"read less {part}: {name} {found['value']:+.3f}{_around(found['interval'])}"
            for name, found in gains.items()
            if found
        ]
    return "\n".join([*lines, report["tuned_on"]])


def _around(interval: tuple[float, float] | None) -> str:
    return f"  ({interval[0]:.3f} to {interval[1]:.3f})" if interval else ""
