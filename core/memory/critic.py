"""The symbolic critic: signs that an attempt failed, found without its true answer.

After RSMem, section 3.3, equation 3: an attempt failed when one rule of a set finds something. The
first five signs are the paper's; the others are ours.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from treeline.core.context.guardrails import AvoidCall, AvoidTool, Guardrail, LeaveOut, MaskFirst, UseTool
from treeline.core.engine.actions import Call
from treeline.core.engine.calls import arguments_of, file_name, masked_files, texts
from treeline.core.engine.events import RunFinished
from treeline.core.engine.state import Step
from treeline.core.engine.verification.clauses import sentences
from treeline.core.errors import (
    AccessDenied,
    EndpointRefused,
    EndpointUnreachable,
    LeaseLost,
    QuotaReached,
    RecordError,
)
from treeline.core.memory.meaning import wrong_variables
from treeline.core.memory.trace import Attempt
from treeline.toolkit.variables import CLOUD_ROLES, variable


@dataclass(frozen=True, slots=True)
class Issue:
    """One sign of failure.

    Attributes
    ----------
    sign : str
        A key of :data:`SIGNS`.
    cause, fix : str
        What was wrong and what would do, each in a sentence.
    step : int, optional
        The step that failed.
    guardrails : tuple
        What follows for the next attempt.
    """

    sign: str
    cause: str
    fix: str
    step: int | None = None
    guardrails: tuple[Guardrail, ...] = ()


Sign = Callable[[Attempt], Iterable[Issue]]

# Nothing follows from a run that a person stopped, or whose question was asked back.
UNJUDGED = frozenset({"stopped", "asks"})
# Nor from one that something ended which is no part of it: another way would have ended so too.
_FROM_OUTSIDE = frozenset(
    error.__name__
    for error in (AccessDenied, EndpointRefused, EndpointUnreachable, LeaseLost, QuotaReached, RecordError)
)


def is_judged(finished: RunFinished) -> bool:
    """Return whether the end of a run says anything of the way that was taken."""
    return finished.status not in UNJUDGED and finished.error not in _FROM_OUTSIDE


def judge(attempt: Attempt) -> tuple[Issue, ...]:
    """Return what is wrong with an attempt; nothing means that no sign of failure was found."""
    if not is_judged(attempt.finished):
        return ()
    return tuple(issue for sign in SIGNS.values() for issue in sign(attempt))


# RSMem's agents answer between these tags, and models that were trained so write them here too.
_TAG = re.compile(r"<\s*/?\s*answer\s*>", re.IGNORECASE)
_WHOLE_TAG = re.compile(r"<\s*answer\s*>\s*\S.*?<\s*/?\s*answer\s*>", re.IGNORECASE | re.DOTALL)
_REFUSAL = re.compile(
    r"\b(?:i(?:'m| am) (?:sorry|unable)|i (?:cannot|can't|could not|couldn't)|unable to|not possible to|"
    r"cannot be (?:determined|answered|computed)|insufficient (?:data|information)|incomplete|"
    r"(?:need|requires?) (?:more|further) (?:data|information|steps))\b",
    re.IGNORECASE,
)
_HEDGING = re.compile(
    r"\b(?:probably|presumably|perhaps|i (?:guess|assume|suppose|think)|(?:best|educated|rough) guess|"
    r"guessing|might be|may be|most likely|seems? to be|without (?:computing|calculating)|"
    r"typical(?:ly)? values?)\b",
    re.IGNORECASE,
)
_BUDGET = re.compile(r"^The budget of .+ is used up")
_NO_FIT = "None of the options fits."


def _find_no_answer(attempt: Attempt) -> Iterator[Issue]:
    finished = attempt.finished
    if finished.answer is None and not _BUDGET.match(finished.reason):
        yield Issue(
            "missing_answer", f"There was no answer: {finished.reason}", "End with the function answer."
        )
    text = finished.answer.text if finished.answer else ""
    if _TAG.search(text) and not _WHOLE_TAG.search(text):
        yield Issue(
            "missing_answer", f"The answer's tag is malformed: {text[:80]!r}.", "Write the answer plainly."
        )


def _empty(attempt: Attempt) -> Iterator[Issue]:
    if attempt.finished.answer is not None and not attempt.finished.answer.text.strip():
        yield Issue("empty", "The answer is empty.", "Say what was found, with its unit.")


def _option(attempt: Attempt) -> Iterator[Issue]:
    answer = attempt.finished.answer
    if not attempt.choices or answer is None or answer.declined:
        return
    letters = [chr(ord("A") + index) for index in range(len(attempt.choices))]
    if answer.choice in letters:
        return
    told = f"the options are {letters[0]} to {letters[-1]}"
    cause = f"{answer.choice!r} is no option; {told}." if answer.choice else f"No option was chosen; {told}."
    yield Issue(
        "invalid_option", cause, "Compute the number first, then give the letter of the nearest option."
    )


def _refusal(attempt: Attempt) -> Iterator[Issue]:
    answer = attempt.finished.answer
    if answer is None or not (answer.declined or _REFUSAL.search(answer.text)):
        return
    cause = f"The question was declined: {' '.join(answer.words.split())[:300]}"
    yield Issue(
        "refusal", cause, "Look for another way to the same quantity with the rasters that are there."
    )


def _find_hedging(attempt: Attempt) -> Iterator[Issue]:
    answer = attempt.finished.answer
    # An interpretation behind the finding may be careful.
    told = sentences(answer.text)[:1] if answer and answer.answers else []
    said = next(filter(None, map(_HEDGING.search, told)), None)
    if said:
        yield Issue("hedging", f"The answer hedges ({said[0]!r}).", "State only what a step's result shows.")


def _find_no_evidence(attempt: Attempt) -> Iterator[Issue]:
    answer = attempt.finished.answer
    if answer is not None and answer.check_fault:  # nothing is known of the answer
        return
    if attempt.finished.status == "unverified":
        cause = f"The evidence does not carry the answer: {attempt.finished.reason}"
        yield Issue("unverified", cause, "State only what follows from the results of the cited steps.")


def _outside_contract(attempt: Attempt) -> Iterator[Issue]:
    for step in attempt.calls:
        for product in step.observation.products:
            known = variable(product.role)
            if known is None or product.mean is None:
                continue
            low, high = known.plausible
            # A mask or a map of classes may well have one value everywhere.
            same = product.minimum == product.maximum and known.kind in ("index", "temperature", "product")
            if low <= product.mean <= high and not same:
                continue
            assert isinstance(step.action, Call)
            what = (
                f"every pixel is {product.mean:.4g}"
                if same
                else f"its mean of {product.mean:.4g} leaves {low:g} to {high:g} {known.unit}"
            )
            cause = f"{step.action.tool} gave {product.role} that cannot be true: {what}."
            yield Issue("outside_contract", cause, *_another_tool(attempt, step, product.role, cause))
            return


def _another_tool(
    attempt: Attempt, step: Step, role: str, cause: str
) -> tuple[str, int, tuple[Guardrail, ...]]:
    """Return the fix, the step and the guardrails after a tool that did not do."""
    assert isinstance(step.action, Call)
    failed = attempt.tool(step)
    others = [t.name for t in attempt.registry.writers_of(role) if failed is None or t.name != failed.name]
    if not others:
        return "Check scale and units of its inputs.", step.number, ()
    fix = f"Make {role} another way, such as with {' or '.join(others[:3])}."
    return fix, step.number, (AvoidTool(failed.name if failed else step.action.tool, cause),)


def _wrong_variable(attempt: Attempt) -> Iterator[Issue]:
    for wrong in wrong_variables(attempt):
        yield Issue("wrong_variable", wrong.cause, wrong.fix, wrong.step, (wrong.guardrail,))


_CLOUDS_OUT = re.compile(
    r"(?:cloud|overcast)[^.?!]{0,60}\b(?:not (?:be )?count|discard|exclud|remov|ignor|mask|left out|drop|"
    r"free|disregard|no part|must not|should not|may not)|"
    r"\b(?:without|exclud\w+|ignor\w+|discard\w+|remov\w+|mask\w*|disregard\w*|not count\w*|drop\w*|"
    r"free (?:of|from)|other than|except)\b[^.?!]{0,40}(?:cloud|overcast)|clear[- ]sky|cloud[- ]?free",
    re.IGNORECASE,
)


def _find_clouds(attempt: Attempt) -> Iterator[Issue]:
    if not _CLOUDS_OUT.search(attempt.question):
        return
    masked = masked_files(attempt.calls, attempt.registry)
    for step, _, addresses in attempt.measurements():
        # Measuring the mask itself, such as the share of clouds, needs no mask.
        bare = [a for a in addresses if file_name(a) not in masked and attempt.role(a) not in CLOUD_ROLES]
        if bare:
            cause = (
                f"Cloudy pixels were to be left out, but {file_name(bare[0])} was measured without a mask."
            )
            fix = "Apply the cloud mask to every band before indices are computed and numbers are taken."
            reason = "The question leaves cloudy pixels out."
            yield Issue("unmasked_clouds", cause, fix, step.number, (MaskFirst(reason),))
            return


def _failed_calls(attempt: Attempt) -> Iterator[Issue]:
    """Find what ended the attempt: its last call failed, and nothing succeeded after it."""
    last = attempt.calls[-1] if attempt.calls else None
    if last is None or last.observation.is_success or attempt.finished.status == "answered":
        return
    assert isinstance(last.action, Call)
    cause = f"{last.action.tool} ended the attempt: {last.observation.text}"
    spoilt = _spoilt_raster(last)
    if spoilt:
        rule = LeaveOut(spoilt, _SPOILT[last.observation.error])
        yield Issue("failed_call", cause, f"Go on without {spoilt}, and say so.", last.number, (rule,))
        return
    tool = attempt.tool(last)
    role = tool.outputs[0].contract.role if tool and tool.outputs else ""  # type: ignore[union-attr]
    if tool is not None and role and len(attempt.registry.writers_of(role)) > 1:
        yield Issue("failed_call", cause, *_another_tool(attempt, last, role, last.observation.text))
    else:
        yield Issue("failed_call", cause, last.observation.hint or "Change the call.", last.number)


_SPOILT = {
    "RasterUnreadable": "It cannot be read.",
    "NoValidPixels": "It holds no valid pixel.",
    "GridMismatch": "It lies elsewhere than the others.",
}


def _spoilt_raster(step: Step) -> str:
    """Return the one raster of several that a call failed on; empty where that cannot be told."""
    lists = [value for value in arguments_of(step).values() if isinstance(value, list) and len(value) > 1]
    handles = [text for text in texts(arguments_of(step)) if text.startswith("@")]
    if step.observation.error not in _SPOILT or not (lists or handles):
        return ""
    named = {match[0] for match in _FILE.finditer(step.observation.text)}
    return named.pop() if len(named) == 1 else ""


_FILE = re.compile(r"[\w.-]+\.(?:tiff?|jp2|png|jpe?g|vrt|img|nc|hdf)\b", re.IGNORECASE)


def _find_repetition(attempt: Attempt) -> Iterator[Issue]:
    failed = [step for step in attempt.calls if not step.observation.is_success]
    keys = [json.dumps([s.action.tool, s.action.arguments], sort_keys=True, default=str) for s in failed]  # type: ignore[union-attr]
    last = dict(zip(keys, failed, strict=True))
    for key, count in Counter(keys).items():
        if count < 2:
            continue
        step = last[key]
        assert isinstance(step.action, Call)
        cause = f"{step.action.tool} failed {count} times with the same arguments: {step.observation.text}"
        rule = AvoidCall(step.action.tool, dict(step.action.arguments), step.observation.text)
        hint = step.observation.hint or "Change the arguments or take another tool."
        yield Issue("repeated_failure", cause, hint, step.number, (rule,))


# Twice the same tool is a comparison; from the third call on it is a series, which one call can take.
_FEW_CALLS = 2


def _budget(attempt: Attempt) -> Iterator[Issue]:
    if not _BUDGET.match(attempt.finished.reason):
        return
    counts = Counter(step.action.tool for step in attempt.calls)  # type: ignore[union-attr]
    tool, times = max(counts.items(), key=lambda item: item[1], default=("", 0))
    where = f" {tool} was called {times} times." if times > _FEW_CALLS else ""
    fix = "Give a tool the whole collection by its handle in one call, and skip kits that serve no purpose."
    rules: tuple[Guardrail, ...] = ()
    batch = _batch_of(attempt, tool) if where else ""
    if batch:
        rules = (UseTool(batch, "It takes all rasters in one call."),)
        fix = f"Use {batch} once for all rasters."
    yield Issue("budget", f"{attempt.finished.reason}{where}", fix, guardrails=rules)


def _batch_of(attempt: Attempt, name: str) -> str:
    """Return the tool that gives the same quantity for many rasters at once; empty if there is none."""
    tool = attempt.registry.get(name) if name in attempt.registry else None
    if tool is None or tool.gives.kind != "number" or not tool.inputs:
        return ""
    return next((t.name for t in attempt.registry.givers_of(tool.gives.quantity, "series")), "")


def _no_fit(attempt: Attempt) -> Iterator[Issue]:
    answer = attempt.finished.answer
    if answer is not None and answer.choice is None and _NO_FIT in answer.text:
        yield Issue(
            "no_option_fits", "What was computed fits no option.", "Read the variable or the limit otherwise."
        )


SIGNS: dict[str, Sign] = {
    "missing_answer": _find_no_answer,
    "empty": _empty,
    "invalid_option": _option,
    "refusal": _refusal,
    "hedging": _find_hedging,
    "unverified": _find_no_evidence,
    "outside_contract": _outside_contract,
    "wrong_variable": _wrong_variable,
    "unmasked_clouds": _find_clouds,
    "failed_call": _failed_calls,
    "repeated_failure": _find_repetition,
    "budget": _budget,
    "no_option_fits": _no_fit,
}

__all__ = ["SIGNS", "Issue", "is_judged", "judge"]
