"""From signs of failure to a lesson: three to five sentences and guardrails, without a language model."""

from __future__ import annotations

from collections.abc import Sequence

from treeline.core.context.guardrails import Guardrail, join_guardrails
from treeline.core.memory.compression import compress
from treeline.core.memory.critic import Issue
from treeline.core.memory.entries import Lesson
from treeline.core.memory.leakage import without_answers
from treeline.core.memory.trace import Attempt

_MOST_ISSUES = 2
_LONGEST_CAUSE = 400

# What explains the failure comes before what merely follows from it.
_TELLING = (
    "wrong_variable",
    "unmasked_clouds",
    "outside_contract",
    "failed_call",
    "repeated_failure",
    "budget",
    "unverified",
    "no_option_fits",
    "invalid_option",
    "hedging",
    "empty",
    "missing_answer",
    "refusal",
)
# Signs that another one explains: reported only where they stand alone.
_MERE = frozenset({"refusal", "missing_answer", "no_option_fits"})


def by_rules(
    attempt: Attempt, issues: Sequence[Issue], earlier: Sequence[Guardrail] = (), round_number: int = 1
) -> Lesson:
    """Return what is learned from a failed attempt: the failing step, its cause and the fix.

    Parameters
    ----------
    issues : sequence of Issue
        At least one.
    earlier : sequence of Guardrail
        What the attempt was told already; it goes on to hold.
    """
    ordered = sorted(issues, key=lambda issue: _TELLING.index(issue.sign))
    telling = [issue for issue in ordered if issue.sign not in _MERE] or ordered
    sentences = [_sentence(issue, round_number) for issue in telling[:_MOST_ISSUES]]
    rules = join_guardrails(earlier, *(issue.guardrails for issue in telling))
    text = without_answers(" ".join(sentences), attempt.choices) or telling[0].fix
    trace = compress(attempt.steps)
    return Lesson(
        text,
        rules,
        tuple(as_plain(issue) for issue in ordered),
        trace.text,
        trace.full_tokens,
        trace.tokens,
    )


def as_plain(issue: Issue) -> dict[str, object]:
    """Return an issue as the record keeps it."""
    return {"sign": issue.sign, "cause": issue.cause, "fix": issue.fix, "step": issue.step}


def _sentence(issue: Issue, round_number: int) -> str:
    cause = " ".join(issue.cause.split())
    cause = cause if len(cause) <= _LONGEST_CAUSE else f"{cause[:_LONGEST_CAUSE]} ..."
    where = f"Attempt {round_number} failed" + (f" at step {issue.step}" if issue.step else "")
    return f"{where}: {_end_sentence(cause)} {_end_sentence(issue.fix)}"


def _end_sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "...")) else f"{text}."
