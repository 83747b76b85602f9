"""What an answer says of the quantities of a record by their names: p = 0.04, the peak is on 18 June."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from treeline.core.engine.claims import Claim, claims_in, dates_in
from treeline.core.engine.columns import is_number
from treeline.core.engine.phrases import clauses

_EQUALS = r"(?:[=\u2248~:]|is|was|of)\s*(?:about |around )?(?=\d|-|\.)"
Record = Mapping[str, Any]


def false_keys(
    parts: Sequence[str], records: Sequence[Record], shows: Callable[[Claim, Sequence[float]], bool]
) -> Iterator[str]:
    """Yield numbers and dates that stand under the name of another quantity, in sentences.

    Parameters
    ----------
    parts : sequence of str
        What the answer says, by sentences.
    shows : callable
        Whether one of some numbers is what is claimed.
    """
    for record in records:
        for key, held in record.items():
            name = re.escape(str(key).replace("_", " "))
            for part in parts:
                if is_number(held):
                    of_key = [n for other in records for k, n in other.items() if k == key and is_number(n)]
                    told = _told_of(name, part)
                    if told and not any(shows(claim, of_key) for claim in told):
                        yield f"The {key} is {held:.6g}, not {told[0].text}."
                elif isinstance(held, str):
                    yield from _false_dates(name, held, part)


def _told_of(name: str, part: str) -> list[Claim]:
    """Return the number that a sentence gives to a quantity by its name; none where it is a limit."""
    match = re.search(rf"(?<![\w.])(?:{name})(?:[- ]value)?\s*{_EQUALS}", part, re.I)
    told = claims_in(part[match.end() :].split(", ")[0])[:1] if match else []
    return [claim for claim in told if not claim.limit]


def _false_dates(name: str, held: str, part: str) -> Iterator[str]:
    own = dates_in(held)
    for clause in clauses(part) if len(own) == 1 else ():
        dates = dates_in(clause)
        named = re.search(rf"\b{name}(?:s|ed|ing)?\b", clause, re.I)
        if named and len(dates) == 1 and not own[0].startswith(dates[0]):
            yield f"The {name} is {own[0]}, not {dates[0]}."
