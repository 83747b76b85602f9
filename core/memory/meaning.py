"""Whether the variable that was measured is the one that the question asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from treeline.core.context.guardrails import RequireRole
from treeline.core.engine.calls import arguments_of, file_name, inputs_of
from treeline.core.memory.trace import Attempt
from treeline.toolkit.variables import BRIGHTNESS, VARIABLES, variable


@dataclass(frozen=True, slots=True)
class Confusion:
    """Variables that are mistaken for another one.

    Attributes
    ----------
    asked : str
        Pattern of the words that mean the right one, in lower case.
    excused : str
        Pattern of words that ask for the other one after all.
    """

    role: str
    instead_of: tuple[str, ...]
    asked: str
    why: str
    excused: str = r"(?!)"


CONFUSIONS: tuple[Confusion, ...] = (
    Confusion(
        "lst",
        BRIGHTNESS,
        r"land[- ]surface temperature|\blst\b|\b(?:surface|skin|ground|soil) temperature|"
        r"temperatures? of the (?:land|ground|soil)|emissivity[- ](?:corrected|adjusted)|"
        r"correct\w* for (?:the )?emissivity|emissivity (?:correction|taken into account)",
        "A brightness temperature takes the surface for a black body; a surface temperature is corrected for "
        "its emissivity.",
        r"(?:mean|average|median|maximum|minimum|highest|lowest|what is the) brightness temperature",
    ),
    Confusion(
        "lst_night",
        ("lst_day",),
        r"night-?time (?:land )?(?:surface )?(?:temperature|lst)",
        "Night is not day.",
        r"\bday-?time",
    ),
    Confusion(
        "lst_day",
        ("lst_night",),
        r"day-?time (?:land )?(?:surface )?(?:temperature|lst)",
        "Day is not night.",
        r"\bnight-?time",
    ),
)


@dataclass(frozen=True, slots=True)
class WrongVariable:
    """A measurement of another variable than the one that is asked for."""

    step: int
    cause: str
    fix: str
    guardrail: RequireRole


def wrong_variables(attempt: Attempt) -> Iterator[WrongVariable]:
    """Yield where an attempt measured what is mistaken for the variable asked for, or nothing of it."""
    found = list(_find_confusion(attempt))
    yield from found or _find_unrelated(attempt)


def _find_confusion(attempt: Attempt) -> Iterator[WrongVariable]:
    question = attempt.question.lower()
    measured = attempt.measurements()
    roles = {attempt.role(a) for _, _, addresses in measured for a in addresses}
    for confusion in CONFUSIONS:
        asked = re.search(confusion.asked, question) and not re.search(confusion.excused, question)
        if not asked or confusion.role in roles:
            continue
        for step, tool, addresses in measured:
            wrong = next((a for a in addresses if attempt.role(a) in confusion.instead_of), None)
            if wrong is not None:
                yield _wrong(step.number, tool.name, attempt.role(wrong), confusion)
                break


def _wrong(step: int, tool: str, role: str, confusion: Confusion) -> WrongVariable:
    title = _title(confusion.role)
    return WrongVariable(
        step,
        f"{tool} measured {role} ({_title(role)}), but {title} is asked for. {confusion.why}",
        f"Derive {confusion.role} first and measure that.",
        RequireRole(confusion.role, confusion.instead_of, confusion.why),
    )


def _find_unrelated(attempt: Attempt) -> Iterator[WrongVariable]:
    """Yield the last measurement when nothing that was read or made is of a variable that is named."""
    named = roles_in_question(attempt.question)
    measured = attempt.measurements()
    if len(named) != 1 or not measured or not all(attempt.role(a) for _, _, found in measured for a in found):
        return
    wanted = named[0]
    if any(c.role == wanted and re.search(c.excused, attempt.question.lower()) for c in CONFUSIONS):
        return
    if _family(wanted) in {_family(role) for role in _seen_roles(attempt)} or _tells_stand_in(attempt):
        return
    step, tool, addresses = measured[-1]
    role = attempt.role(addresses[0])
    if variable(role) is None or variable(role).kind != variable(wanted).kind:  # type: ignore[union-attr]
        return
    reason = f"The question names {wanted}."
    yield WrongVariable(
        step.number,
        f"{tool.name} measured {role}, but {_title(wanted)} is asked for, of which nothing was read or made.",
        f"Use a raster of {wanted}, or derive one.",
        RequireRole(wanted, (role,), reason),
    )


def _family(role: str) -> str:
    return "lst" if role.startswith("lst") else role


def _tells_stand_in(attempt: Attempt) -> bool:
    """Return whether the answer itself says that it had to take another variable."""
    answer = attempt.finished.answer
    return (
        answer is not None
        and re.search(r"\bthere is no\b.*\bwas taken\b", answer.text, re.IGNORECASE) is not None
    )


def _seen_roles(attempt: Attempt) -> set[str]:
    seen = {product.role for product in attempt.products.values()}
    for step in attempt.calls:
        tool = attempt.tool(step)
        if tool is not None and step.observation.is_success:
            seen |= {
                attempt.role(address) for address in inputs_of(tool, arguments_of(step)) if file_name(address)
            }
    return seen


def roles_in_question(question: str) -> tuple[str, ...]:
    """Return the indices and temperatures that a question names in their own words."""
    text, found = question.lower(), []
    for word, role in _words():
        pattern = rf"(?<![\w-]){re.escape(word)}s?(?!\w)"
        if re.search(pattern, text):
            found.append(role)
            text = re.sub(pattern, " ", text)
    return tuple(dict.fromkeys(found))


@cache
def _words() -> tuple[tuple[str, str], ...]:
    kinds = ("index", "temperature")
    words = {
        word: role
        for role, known in VARIABLES.items()
        if known.kind in kinds
        for word in (role.lower(), *known.words)
        if word not in _LOOSE
    }
    # The longest first, since each word that is found is taken out of the text: "surface temperature" must
    # not leave "temperature" to another role.
    return tuple(sorted(words.items(), key=lambda item: -len(item[0])))


# Words of variables that a question also uses for what several variables, or none, show.
_LOOSE = frozenset(
    {"temperature", "vegetation", "greenness", "water", "snow", "drought", "dryness", "vegetation coverage"}
)


def _title(role: str) -> str:
    known = variable(role)
    return known.title.lower() if known else role
