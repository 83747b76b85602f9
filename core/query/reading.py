"""The one entry: a question in words becomes an expression, several between which is asked, or none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from treeline.core.query.chart import Chart, TooAmbiguous, fill_chart
from treeline.core.query.checks import absences, partly_dated
from treeline.core.query.closing import close
from treeline.core.query.expression import Node
from treeline.core.query.inventory import Inventory
from treeline.core.query.kinds import IllTyped, kind_of
from treeline.core.query.lexer import LONGEST, tokens_of
from treeline.core.query.names import Names, names_of
from treeline.core.query.phrases import Missing
from treeline.core.query.tokens import Token


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question was read as.

    Attributes
    ----------
    question : str
    status : str
        ``read``: one expression; ``asks``: several that differ; ``declined``: none.
    words : tuple of (text, entry, kind)
        Each token with what it was taken for.
    expressions : tuple of Node
        The best first.
    uncovered : tuple of str
        Words that no reading covers.
    notes : tuple of str
        Repairs of spelling, what is not there, what was set aside.
    offers : tuple of (paraphrase, expression)
        Questions near to this one that can be answered.
    largest : Node, optional
        What the largest part of the question that can be read stands for.
    """

    question: str
    status: str
    words: tuple[tuple[str, str, str], ...] = ()
    expressions: tuple[Node, ...] = ()
    uncovered: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    offers: tuple[tuple[str, Node], ...] = ()
    largest: Node | None = None

    @property
    def expression(self) -> Node | None:
        """The expression, where there is just one."""
        return self.expressions[0] if self.status == "read" else None


def read(question: str, inventory: Inventory, after: Node | None = None) -> Reading:
    """Read a question that is asked of a workspace.

    Parameters
    ----------
    question : str
    inventory : Inventory
        What the workspace holds by name.
    after : Node, optional
        The expression of the question before, which a fragment changes.
    """
    if len(question) > LONGEST:
        note = f"The question has {len(question):,} characters; up to {LONGEST:,} are read."
        return Reading(question[:200], "declined", notes=(note,))
    names = names_of(inventory)
    tokens = tokens_of(question, names)
    words = tuple((t.text, _entry(t), t.kind) for t in tokens)
    notes = tuple(f"{t.text!r} is read as {t.repaired!r}." for t in tokens if t.repaired)
    unknown = tuple(t.text for t in tokens if t.kind == "unknown")
    missing = tuple(dict.fromkeys(m.title for t in tokens for m in t.meanings if isinstance(m, Missing)))
    if unknown or missing:
        notes += tuple(
            f"There is no {title} here, and it cannot be made from what there is." for title in missing
        )
        absent = tuple(t.text for t in tokens if any(isinstance(m, Missing) for m in t.meanings))
        return _declined(Reading(question, "declined", words, (), unknown + absent, notes), tokens, names)
    try:
        chart = fill_chart(tokens, names)
    except TooAmbiguous as error:
        return Reading(question, "declined", words, notes=(*notes, str(error)))
    found = best(expressions_in(chart), inventory)
    if not found:
        return _declined(Reading(question, "declined", words, (), (), notes), tokens, names)
    absent_notes = [absences(expression, inventory) for expression in found]
    there = [expression for expression, missed in zip(found, absent_notes, strict=True) if not missed]
    if not there:
        return Reading(question, "declined", words, (), (), (*notes, *absent_notes[0]), largest=found[0])
    status = "read" if len(there) == 1 else "asks"
    return Reading(question, status, words, tuple(there), (), notes)


def expressions_in(chart: Chart) -> list[tuple[Node, int]]:
    """Return what the whole chart can stand for, with costs."""
    found: dict[Node, int] = {}
    for phrase, cost in chart.whole.items():
        for expression in close(phrase):
            if expression not in found or found[expression] > cost:
                found[expression] = cost
    return list(found.items())


def best(found: Iterable[tuple[Node, int]], inventory: Inventory) -> list[Node]:
    """Return the cheapest expressions whose nodes fit together and are told in full."""
    sound = [(node, cost) for node, cost in found if _sound(node)]
    least = min((cost for _, cost in sound), default=0)
    return [node for node, cost in sound if cost == least]


def _sound(node: Node) -> bool:
    try:
        for part in node.walk():
            kind_of(part) if _has_kind(part) else None
    except IllTyped:
        return False
    return not partly_dated(node)


def _has_kind(node: Node) -> bool:
    return type(node).__name__ not in ("Span", "When", "Zones")


def _entry(token: Token) -> str:
    if token.kind in ("unknown", "filler", "open", "close"):
        return token.kind
    return " or ".join(type(meaning).__name__ for meaning in token.meanings)


def _declined(reading: Reading, tokens: list[Token], names: Names) -> Reading:
    """Return a refusal with the largest part that can be read, and the words that it leaves out."""
    usable = [
        t for t in tokens if t.kind != "unknown" and not any(isinstance(m, Missing) for m in t.meanings)
    ]
    try:
        chart = fill_chart(usable, names)
    except TooAmbiguous:
        return reading
    spans = sorted(chart.cells, key=lambda span: span[0] - span[1])
    for start, end in spans:
        part = Chart(chart.tokens[start:end], {(0, end - start): chart.cells[start, end]})
        found = best(expressions_in(part), names.inventory)
        if found and not absences(found[0], names.inventory):
            left = tuple(t.text for k, t in enumerate(chart.tokens) if not start <= k < end)
            order = {t.text: t.start for t in tokens}
            uncovered = tuple(sorted({*reading.uncovered, *left}, key=lambda text: order.get(text, 0)))
            return replace(reading, uncovered=uncovered, largest=found[0])
    if not reading.uncovered:
        content = tuple(t.text for t in chart.tokens)
        return replace(reading, uncovered=content)
    return reading
