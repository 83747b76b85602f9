"""Options that are questions themselves: which statement is true, over which period it rose most."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from treeline.core.policies.planner.answering import Finding
from treeline.core.policies.planner.choices import without_letter
from treeline.core.query.lexer import tokens_of
from treeline.core.query.names import Names
from treeline.core.query.phrases.times import Time
from treeline.core.query.tokens import content

Sought = Literal["true", "false", "highest", "lowest", "largest change"]

_STATEMENTS = re.compile(
    r"which (?:one )?(?:of (?:these|the following|those) )?(?:statements?|claims?|sentences?|assertions?)?"
    r"(?: (?:about|on|for|of|regarding) (?P<scope>[^?]+?))? ?(?:is|are|holds?|was) ?"
    r"(?P<verdict>true|correct|right|false|wrong|incorrect|untrue|not (?:true|correct|right))?",
    re.IGNORECASE,
)
_ABOUT_ALL = re.compile(
    r"(?:the|these|this) (?:data|dataset|series|archive|scenes?|images?|area|(?:ndvi )?(?:time )?series)",
    re.IGNORECASE,
)
_PERIODS = re.compile(
    r"(?:over|in|during|between|for) which (?:one )?(?:of (?:these|the following|those) )?"
    r"(?:two |three |four |five )?(?:periods?|intervals?|spans?|pairs? of dates|dates)"
    r" (?:did|has|have) (?:the )?(?P<measure>[^?]+?)"
    r" (?P<way>rise|increase|grow|fall|drop|decrease|decline|change)n? (?:the )?most",
    re.IGNORECASE,
)
_FROM_TO = re.compile(
    r"(?:from |between )?(?P<first>.{4,40}?) ?(?: to | and | until |->|\u2192|\u2013| - ) ?(?P<last>.{4,40})",
    re.IGNORECASE,
)
_DENIED = ("false", "wrong", "incorrect", "untrue")
_FALLS = ("fall", "drop", "decrease", "decline")


@dataclass(frozen=True, slots=True)
class EachOption:
    """One question for each option, and which of their answers is sought."""

    questions: tuple[str, ...]
    sought: Sought

    def choose(self, finding: Finding) -> str | None:
        """Return the letter of the option whose answer is sought; ``None`` where none or several are."""
        found = [_letter(place) for place, part in enumerate(finding.parts) if self._fits(part, finding)]
        return found[0] if len(found) == 1 else None

    def tell(self, finding: Finding) -> str:
        """Return the answers of all options, each with its letter."""
        return " ".join(f"({_letter(place)}) {part.text}" for place, part in enumerate(finding.parts))

    def doubt(self, finding: Finding) -> str:
        """Return in a sentence that no option is the one sought, or several are."""
        if self.choose(finding) is not None:
            return ""
        count = sum(self._fits(part, finding) for part in finding.parts)
        what = self.sought if self.sought in ("true", "false") else f"the {self.sought}"
        return f"{count or 'None'} of the options {'is' if count == 1 else 'are'} {what}."

    def _fits(self, part: Finding, finding: Finding) -> bool:
        if self.sought in ("true", "false"):
            return part.truth is (self.sought == "true")
        values = [one.value for one in finding.parts]
        if part.value is None or None in values:
            return False
        numbers = [value for value in values if value is not None]
        match self.sought:
            case "highest":
                return part.value == max(numbers)
            case "lowest":
                return part.value == min(numbers)
        return abs(part.value) == max(map(abs, numbers))


def ask_each_option(question: str, choices: Sequence[str], names: Names) -> EachOption | None:
    """Return the questions that the options are, where the question is which of them holds, or has the most.

    What the statements are about is a time ("about 2017"), which then is said in each, or all the data.
    """
    plain = " ".join(question.split()).rstrip(" ?.:")
    options = [without_letter(choice).rstrip(" .") for choice in choices]
    if len(options) < 2:
        return None
    if (found := _STATEMENTS.fullmatch(plain)) is not None:
        verdict = (found["verdict"] or "").lower()
        scope = (found["scope"] or "").strip()
        if not verdict or not (_is_time(scope, names) or not scope or _ABOUT_ALL.fullmatch(scope)):
            return None
        begins = f"in {scope}, " if scope and _is_time(scope, names) else ""
        false = verdict in _DENIED or verdict.startswith("not ")
        return EachOption(tuple(f"{begins}{option}" for option in options), "false" if false else "true")
    periods = [_FROM_TO.fullmatch(option) for option in options]
    if (found := _PERIODS.fullmatch(plain)) is None or not all(periods):
        return None
    way = found["way"].lower()
    sought: Sought = "largest change" if way == "change" else "lowest" if way in _FALLS else "highest"
    asked = f"By how much did the {found['measure']} change from"
    return EachOption(
        tuple(f"{asked} {each['first']} to {each['last']}?" for each in periods if each is not None), sought
    )


def _is_time(text: str, names: Names) -> bool:
    told = content(tokens_of(text, names))
    return bool(told) and all(token.means(Time) for token in told)


def _letter(place: int) -> str:
    return chr(ord("A") + place)
