"""A language model's reflection on a failed attempt; where the endpoint gives none, the rules' stands."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from treeline.core.context.conversation import Message, letters
from treeline.core.context.foreign_text import DATA, indent_headings
from treeline.core.context.guardrails import Guardrail, join_guardrails, read
from treeline.core.engine.actions import TokenUse
from treeline.core.errors import EndpointError
from treeline.core.memory.critic import Issue
from treeline.core.memory.entries import Lesson
from treeline.core.memory.leakage import without_answers
from treeline.core.memory.trace import Attempt
from treeline.core.settings import Endpoint
from treeline.toolkit.json_texts import read_json

if TYPE_CHECKING:
    from treeline.core.policies.language.exchange import Exchange

_INSTRUCTION = """\
You look back on an attempt to answer a question about rasters by calling tools. It failed; the signs of \
that are listed. Say in three to five sentences which step went wrong, why, and how the next attempt should \
go: which variable is meant, which tools in which order, which rasters to leave out. Speak of this question \
only. Never say which option or which number is right: you do not know.

Reply with one JSON object and nothing else:
{"reflection": "...", "guardrails": [...]}
Guardrails are optional; the environment enforces them. Each is one of
{"kind": "require_role", "role": "lst", "instead_of": ["bt10"], "reason": "..."}
{"kind": "avoid_tool", "tool": "...", "reason": "..."}
{"kind": "use_tool", "tool": "...", "reason": "..."}
{"kind": "leave_out", "raster": "file name", "reason": "..."}
{"kind": "mask_first", "reason": "..."}
"""
_REFLEXION = """\
You look back on an attempt to answer a question about rasters by calling tools. It failed; the signs of \
that are listed. Name the kind of failure: answer_format, tool_access, path_access, wrong_tool, \
wrong_parameters, steps_used_up or other. Say in one sentence what to do otherwise next time. Never say \
which option or which number is right: you do not know.

Reply with one JSON object and nothing else:
{"failure": "...", "reflection": "..."}
"""
# Models put the object between words or code fences, whatever they are told.
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
# The reflection goes into the prompts of later attempts.
_LONGEST = 4_000


OWN, REFLEXION, NO_REFLECTION = "own", "reflexion", "none"


@dataclass(frozen=True, slots=True)
class Style:
    """What is learned from a failed attempt.

    Attributes
    ----------
    instruction : str
        What a language model is asked for; empty where none is asked.
    guards : bool
        Whether guardrails are derived, which the environment enforces.
    """

    instruction: str = ""
    guards: bool = False


REFLECTIONS: dict[str, Style] = {
    OWN: Style(_INSTRUCTION, guards=True),
    REFLEXION: Style(_REFLEXION),
    NO_REFLECTION: Style(),
}
"""RSMem's reflection with guardrails; that of Reflexion (Shinn et al. 2023) as RSMem, appendix A.7, adapts it
as a baseline; and further attempts that are told nothing."""


def by_model(
    exchange: Exchange,
    attempt: Attempt,
    issues: Sequence[Issue],
    lesson: Lesson,
    card: str,
    notify: Callable[[str], None],
    stop: threading.Event,
    style: Style = REFLECTIONS[OWN],
) -> tuple[Lesson, TokenUse]:
    """Return a lesson in the model's words, with what it cost; a reply that is not JSON is none.

    Parameters
    ----------
    lesson : Lesson
        By the rules; its guardrails hold besides those that the model adds, and it stands where the
        endpoint cannot be used.
    card : str
        The task card that the attempt was given, or nothing.

    Raises
    ------
    Stopped
    """
    try:
        messages = _messages(attempt, issues, lesson, card, style.instruction)
        reply = exchange.reply(messages, notify, stop)
    except EndpointError as error:
        notify(f"The model gave no reflection ({error.message}); the rules' stands.")
        return lesson, TokenUse()
    text, rules = _read(reply.text)
    rules = rules if style.guards else ()
    # Told not to name the answer, a model still may; the next attempt must not read it.
    text = without_answers(text[:_LONGEST], attempt.choices)
    cost = reply.tokens.input + reply.tokens.output
    if not text:
        notify("The model's reflection has no usable form; the rules' stands.")
        return replace(lesson, tokens=cost), reply.tokens
    told = replace(
        lesson, text=text, guardrails=join_guardrails(lesson.guardrails, rules), author="model", tokens=cost
    )
    return told, reply.tokens


def reflection_exchange(endpoint: Endpoint | None) -> Exchange:
    """Return an exchange that offers no functions, with an endpoint or that of the environment."""
    from treeline.core.policies.language.exchange import Exchange  # slow to import; rules need none

    return Exchange(endpoint or Endpoint.from_environment(), offers=False)


def _messages(
    attempt: Attempt, issues: Sequence[Issue], lesson: Lesson, card: str, instruction: str
) -> list[Message]:
    options = "\n".join(f"{letter}. {text}" for letter, text in letters(attempt.choices).items())
    signs = "\n".join(f"- {issue.cause} {issue.fix}" for issue in issues)
    parts = {
        "Question": f"{attempt.question}\n{options}".strip(),
        "Advice on tasks of this kind": card,
        "Signs of failure": signs,
        "What was done": lesson.trace,
        "How it ended": attempt.finished.reason or attempt.finished.status,
    }
    told = "\n\n".join(f"# {title}\n\n{indent_headings(text)}" for title, text in parts.items() if text)
    return [{"role": "system", "content": f"{instruction}\n{DATA}"}, {"role": "user", "content": told}]


def _read(text: str) -> tuple[str, tuple[Guardrail, ...]]:
    """Return the reflection and the guardrails of a reply; nothing of a reply that is no JSON object."""
    found = _OBJECT.search(text)
    try:
        parsed = read_json(found[0]) if found else None
    except ValueError:
        parsed = None
    if not isinstance(parsed, dict):
        return "", ()
    # RSMem's own prompt calls the field "reflective_text", and models know that name.
    told = str(parsed.get("reflection") or parsed.get("reflective_text") or "").strip()
    given = parsed.get("guardrails")
    rules = [read(item) for item in given if isinstance(item, dict)] if isinstance(given, list) else []
    return told, tuple(rule for rule in rules if rule is not None)
