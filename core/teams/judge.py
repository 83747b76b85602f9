"""The judge: whether a variant succeeded, how valid it looks, and which one is taken.

The success label comes first, validity breaks ties (GeoEvolver, section 3.2, equation 4).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from treeline.core.engine.actions import Answer
from treeline.core.engine.verification import verify
from treeline.core.teams.crew import Outcome
from treeline.core.teams.model import ANSWER, NUMBERS

# Decisions: GeoEvolver names the signals of validity and not their weights. What an answer rests on counts
# most, how short the way was least.
_WEIGHTS = {"traceable": 0.3, "agreement": 0.3, "contracts": 0.2, "format": 0.1, "brevity": 0.1}
# Half of the steps that a run may take by default: from there on a shorter way counts for nothing more.
_STEPS_THOUGHT_MANY = 30


@dataclass(frozen=True)
class Variant:
    """One way that was taken, as the outcomes of its members in the order of their sub-goals."""

    number: int
    strategy: str
    outcomes: tuple[Outcome, ...]

    @property
    def last_outcome(self) -> Outcome | None:
        """The work on the question itself."""
        return next((w for w in reversed(self.outcomes) if w.member.goal.kind == "answer"), None)

    @property
    def answer(self) -> Answer | None:
        """What it answered."""
        return self.last_outcome.finished.answer if self.last_outcome else None

    @property
    def steps(self) -> int:
        """Steps of all its members."""
        return sum(len(outcome.state.steps) for outcome in self.outcomes)

    @property
    def seconds(self) -> float:
        """Seconds of all its members' actions."""
        return sum(step.seconds for outcome in self.outcomes for step in outcome.state.steps)


@dataclass(frozen=True)
class Verdict:
    """What the judge says of a variant.

    Attributes
    ----------
    success : bool
    signals : dict
        Each from 0 to 1.
    confidence : float
        Their weighted mean, 0 to 1.
    why : str
    """

    variant: int
    strategy: str
    success: bool
    confidence: float
    signals: dict[str, float]
    steps: int
    why: str
    chosen: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return it as the record keeps it."""
        return asdict(self)


def judge(variants: Sequence[Variant], choices: Sequence[str]) -> tuple[Variant, list[Verdict]]:
    """Return the variant that is taken and the verdict on each, by the rules."""
    return best_variant(variants, verdicts_by_rules(variants, choices))


def verdicts_by_rules(variants: Sequence[Variant], choices: Sequence[str]) -> list[Verdict]:
    """Return what the rules say of each variant."""
    return [_verdict(variant, variants, choices) for variant in variants]


def best_variant(variants: Sequence[Variant], verdicts: Sequence[Verdict]) -> tuple[Variant, list[Verdict]]:
    """Return the best variant, and the verdicts with the mark on it; the first of equals."""
    best = max(range(len(variants)), key=lambda i: (*_rank(variants[i], verdicts[i]), -i))
    return variants[best], [replace(verdict, chosen=i == best) for i, verdict in enumerate(verdicts)]


def _verdict(variant: Variant, variants: Sequence[Variant], choices: Sequence[str]) -> Verdict:
    answer = variant.answer
    signals = {
        "traceable": float(_is_traceable(variant)),
        "agreement": _agreement(variant, variants),
        "contracts": _contracts(variant.outcomes),
        "format": float(_has_form(answer, choices)),
        "brevity": max(0.0, 1 - variant.steps / _STEPS_THOUGHT_MANY) if variant.steps else 0.0,
    }
    reached = variant.last_outcome is not None and variant.last_outcome.has_answer
    success = reached and signals["format"] == 1 and signals["contracts"] == 1 and signals["traceable"] == 1
    confidence = sum(_WEIGHTS[name] * signal for name, signal in signals.items())
    return Verdict(
        variant.number,
        variant.strategy,
        success,
        round(confidence, 4),
        {name: round(signal, 4) for name, signal in signals.items()},
        variant.steps,
        _reason(variant, signals),
    )


def _rank(variant: Variant, verdict: Verdict) -> tuple[bool, bool, bool, float]:
    answered = variant.last_outcome is not None and variant.last_outcome.has_answer
    return verdict.success, answered, variant.answer is not None, verdict.confidence


def _is_traceable(variant: Variant) -> bool:
    """Return whether the steps of its last member carry what that answers."""
    answer = variant.answer
    if variant.last_outcome is None or answer is None or not answer.answers:
        return False
    return not answer.unverified and not verify(answer, variant.last_outcome.whole_state).unverified


def _agreement(variant: Variant, variants: Sequence[Variant]) -> float:
    others = [other for other in variants if other is not variant]
    if variant.answer is None or not variant.answer.answers or not others:
        return float(variant.answer is not None and variant.answer.answers)
    return sum(_same(variant.answer, other.answer) for other in others) / len(others)


def _same(a: Answer, b: Answer | None) -> bool:
    if b is None or a.answers != b.answers or a.choice != b.choice:
        return False
    if a.value is None or b.value is None:
        return a.value is b.value
    # Two ways to one number differ by rounding and by 32 bit rasters between; another date or unit differs by
    # more.
    return math.isclose(a.value, b.value, rel_tol=1e-3, abs_tol=1e-9)


def _contracts(outcomes: Iterable[Outcome]) -> float:
    """Return the share of promised outputs that are there."""
    kept = [
        output
        for outcome in outcomes
        for output in [_delivers(outcome, o) for o in outcome.member.goal.contract.outputs]
    ]
    return sum(kept) / len(kept) if kept else 0.0


def _delivers(outcome: Outcome, output: str) -> bool:
    return outcome.has_answer if output in (ANSWER, NUMBERS) else bool(outcome.layers_of([output]))


def _has_form(answer: Answer | None, choices: Sequence[str]) -> bool:
    if answer is None or not answer.answers or not answer.text:
        return False
    if choices and answer.choice is None:
        return False
    return answer.value is None or math.isfinite(answer.value)


def _reason(variant: Variant, signals: dict[str, float]) -> str:
    if variant.last_outcome is None:
        return "No member answered the question."
    if not variant.last_outcome.has_answer:
        said = variant.answer.words if variant.answer else variant.last_outcome.finished.reason
        return f"It has no answer: {said}"
    words = {
        "traceable": "what it says follows from no step",
        "agreement": "other variants say something else",
        "contracts": "a promised product is missing",
        "format": "the answer is not in the form asked for",
    }
    faults = [text for name, text in words.items() if signals[name] < 1]
    return f"{variant.steps} steps; {', '.join(faults) if faults else 'nothing speaks against it'}."
