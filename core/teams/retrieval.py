"""What the memory bank knows of a question before it is worked on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from treeline.core.memory.bank import Hit, MemoryBank
from treeline.core.memory.demands import demand_only
from treeline.core.memory.items import BankItem
from treeline.core.memory.keys import NO_KEY, Key, differences, key_of, key_of_question
from treeline.core.policies.planner.derivation import DerivedRole, Source
from treeline.core.teams.crew import Crew
from treeline.core.teams.orchestrator import Needs, needs_of

# A lesson of another kind of question is given to a language model if so little differs there: a decision.
_MOST_DIFFERENCES = 2
# What is so much as like in words as the most alike is as near: of these, what helped goes first. A decision.
_AS_NEAR = 2 / 3


@dataclass(frozen=True)
class PriorKnowledge:
    """What is known of a question before it is worked on.

    Attributes
    ----------
    items : tuple of BankItem
        They enter the run.
    pattern : BankItem, optional
        One from a success at a question of the same key, which a policy without a model follows.
    key : Key
        Of the question.
    ways : tuple of str
        How its variables are had, where the planner works on it.
    needs : Needs, optional
        The same in full.
    """

    items: tuple[BankItem, ...] = ()
    pattern: BankItem | None = None
    key: Key = NO_KEY
    ways: tuple[str, ...] = ()
    needs: Needs | None = None

    @property
    def keys(self) -> list[str]:
        """Keys of the items that enter the run."""
        return [item.key for item in self.items]

    @property
    def lines(self) -> list[str]:
        """What the items say, each with what was another at the question that it was learned at."""
        return [_line(item, self.key) for item in self.items]


def bank_of(crew: Crew) -> MemoryBank:
    """Return the memory bank as far as a team's run is given it."""
    options = crew.options
    return MemoryBank(crew.store, owner=options.person, shared=options.memory == "shared")


def recall_items(crew: Crew) -> PriorKnowledge:
    """Return what the bank has for the question of a team's run."""
    known = _KNOWN[crew.options.policy](crew)
    if known.items and "memory" not in crew.options.without:
        crew.tell(
            "memory",
            f"{_count(len(known.items))} of the memory bank {'fits' if len(known.items) == 1 else 'fit'}.",
            keys=known.keys,
            pattern=known.pattern.key if known.pattern else None,
        )
    return known


def _count(number: int) -> str:
    return "1 item" if number == 1 else f"{number} items"


def _for_planner(crew: Crew) -> PriorKnowledge:
    """Return the procedure of a question of the very same key; nothing else is of use to the planner."""
    needs = needs_of(crew)
    key, ways = key_of(needs.expressions), _ways(needs)
    known = PriorKnowledge(key=key, ways=ways, needs=needs)
    if "memory" in crew.options.without:
        return known
    bank = bank_of(crew)
    of_key = bank.of_key(key.text, crew.options.withheld)
    # A procedure of the same question on other data may name rasters that must be made here; only the same
    # ways fit.
    pattern = next((item for item in of_key if item.procedure and item.procedure.ways == ways), None)
    guards = [item for item in of_key if item.guardrails]
    items = ([pattern] if pattern else []) + guards
    return PriorKnowledge(tuple(items), pattern, key, ways, needs)


def _for_model(crew: Crew) -> PriorKnowledge:
    """Return the items of the nearest key, then of what is like it in words, what helped most first."""
    team = crew.team
    key = key_of_question(crew.question, team.data(), team.how_to_read())
    if "memory" in crew.options.without:
        return PriorKnowledge(key=key)
    bank, most, withheld = bank_of(crew), crew.options.lessons, crew.options.withheld
    found = {item.key: item for item in bank.of_key(key.text, withheld)}
    # All are looked at: the nearest in words may be of another kind of question.
    hits = bank.search(f"{key.words} {crew.question}", len(bank.items()), without=withheld)
    for hit in nearest_first(hits, key.text):
        if (item := demand_only(hit.item, key.text)) is not None:
            found.setdefault(item.key, item)
    return PriorKnowledge(tuple(found.values())[:most], key=key)


def nearest_first(hits: Sequence[Hit], key: str) -> list[Hit]:
    """Return what was found for a question of a key and may be told there, the best first.

    Those of keys in which the least differs, then those that are most like it in words; of what is equally
    near, what harmed least, and what helped and was found again most: the newest was tried by nobody.
    """
    best = max((hit.score for hit in hits), default=0.0)

    def rank(hit: Hit) -> tuple[int, bool, int, int, float]:
        item = hit.item
        apart = _distance(item.expression, key)
        return apart, hit.score < _AS_NEAR * best, item.harms, -item.helps - len(item.provenance), -hit.score

    return sorted((h for h in hits if _distance(h.item.expression, key) <= _MOST_DIFFERENCES), key=rank)


def _distance(key: str, other: str) -> int:
    """Return in how much two keys differ; of a question that could not be read as much as may be."""
    return len(differences(key, other)) if key and other else _MOST_DIFFERENCES


_KNOWN = {"planner": _for_planner, "language": _for_model}


def _ways(needs: Needs) -> tuple[str, ...]:
    ways: Iterable[str] = (f"{variable.role}:{_way(source)}" for variable, source in needs.sources.items())
    return tuple(sorted({*ways, *(["clouds known"] if needs.cloudy else [])}))


def _way(source: Source) -> str:
    return source.tool.name if isinstance(source, DerivedRole) else "given"


def _line(item: BankItem, key: Key) -> str:
    other = differences(item.expression, key.text)
    told = f" (learned at another question; {'; '.join(other)} here)" if other else ""
    return f"{item.text}{told}"
