"""What a question asks for, part by part: by which an answer is seen to leave one out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from treeline.core.query.expression import Aggregate, Node, Place, Several, Show, When, Which, Zones
from treeline.core.query.kinds import IllTyped, ValueKind, kind_of
from treeline.core.query.reading import Reading
from treeline.core.query.slots import leaves
from treeline.toolkit.variables import VARIABLES

# How large what is found, or said to be so, is: an expression that finds or claims tells it without a node.
_AMOUNT = re.compile(
    r"(?:\band|[,;?.])\s+(?:also\s+)?(?:by )?how (?:much|many|high|low|large|big|small|great|strong|warm|hot|"
    r"cold|cool|dry|wet|green|far|long)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class AskedPart:
    """One thing that a question asks for.

    Attributes
    ----------
    expression : Node
    value : str
        ``number``, ``truth``, ``date``, ``name`` or ``text``.
    unit : str
        Of a number; empty where it has none.
    count : int
        How many are asked for; 0 for all that there are.
    along : str
        Over what it is told one by one, ``zone`` or ``date``; empty of a single thing.
    statistic : str
        Of a number; empty where it is of none.
    statistics : frozenset of str
        All that the expression has.
    names : frozenset of str
        The classes, zones and places that it is of, in lower case.
    dates : frozenset of str
        The days, months and years that it is of.
    roles : frozenset of str
        Its variables.
    """

    expression: Node
    value: ValueKind
    unit: str = ""
    count: int = 1
    along: str = ""
    statistic: str = ""
    statistics: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    dates: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()

    @property
    def words(self) -> frozenset[str]:
        """What it is called by: words of its variables, classes and statistics, in lower case."""
        of_roles = {word for role in self.roles if role in VARIABLES for word in VARIABLES[role].words}
        return frozenset({*self.names, *self.roles, *of_roles, *self.statistics})


def asked_parts(reading: Reading) -> tuple[AskedPart, ...]:
    """Return what a question asks for; nothing where its reading is not sure.

    It is sure where the question has one reading in its own words. What is drawn, or tells a text, is not
    among the parts.
    """
    if reading.expression is None or reading.reworded:
        return ()
    try:
        found = tuple(_parts(reading.expression))
    except IllTyped:
        return ()
    if any(part.value == "number" for part in found) or not _AMOUNT.search(reading.question):
        return found
    # "On which date was it highest, and how high was it?" is read as the date, which is told with its value.
    first = next((part for part in found if part.value in ("date", "name", "truth")), None)
    return found if first is None else (*found, replace(first, value="number", unit=_unit(first), count=1))


def _unit(part: AskedPart) -> str:
    """Return the unit of the value of what is found."""
    of = getattr(part.expression, "of", None)
    return kind_of(of).unit if isinstance(of, Node) else ""


def _parts(node: Node) -> Iterator[AskedPart]:
    if isinstance(node, Several):
        for each in node.of:
            yield from _parts(each)
        return
    if isinstance(node, Show):
        return
    kind = kind_of(node)
    if kind.value == "text" or "pixel" in kind.axes:
        return
    axes = kind.axes & {"zone", "date"}
    found = isinstance(node, Which)
    yield AskedPart(
        node,
        kind.value,
        kind.unit,
        count=node.top if isinstance(node, Which) else 0 if kind.axes else 1,
        along=next(iter(axes)) if len(axes) == 1 and len(kind.axes) == 1 and not found else "",
        statistic=node.statistic if isinstance(node, Aggregate) else "",
        statistics=frozenset(part.statistic for part in node.walk() if isinstance(part, Aggregate)),
        names=frozenset(_names(node)),
        dates=frozenset(_dates(node)),
        roles=frozenset(leaf.role for leaf in leaves(node) if getattr(leaf, "role", "")),
    )


def _names(node: Node) -> Iterator[str]:
    for part in node.walk():
        if isinstance(part, Place | Zones):
            yield from (name.casefold() for name in part.names if not name.isdigit())


def _dates(node: Node) -> Iterator[str]:
    """Yield the times that an expression names, as an answer names them: a whole month as one."""
    whens = [leaf.when for leaf in leaves(node)] + [p for p in node.walk() if isinstance(p, When)]
    for span in {span for when in whens for span in when.spans}:
        first, last = span.first, span.last
        if first is None or last is None:
            continue
        if first == last:
            yield first.isoformat()
        elif (first.year, first.month) == (last.year, last.month):
            yield f"{first:%Y-%m}"
        elif first.year == last.year:
            yield f"{first:%Y}"
