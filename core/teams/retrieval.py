"""What the memory bank knows of a question before it is worked on."""

from __future__ import annotations

from dataclasses import dataclass

from treeline.core.memory.bank import BankItem, Hit, MemoryBank
from treeline.core.policies.planner.derivation import Made, Source
from treeline.core.teams.crew import Crew
from treeline.core.teams.expressions import kind_of_question, words_of_kind
from treeline.core.teams.orchestrator import needs_of


@dataclass(frozen=True)
class Known:
    """Items that were retrieved.

    Attributes
    ----------
    pattern : BankItem, optional
        One from a success at a question of the same kind, which a policy without a model follows.
    kind_of_question : str
        The form of its expression without its particulars; empty where a language model works on it.
    """

    hits: tuple[Hit, ...] = ()
    pattern: BankItem | None = None
    kind_of_question: str = ""

    @property
    def keys(self) -> list[str]:
        """Keys of the items that enter the run."""
        return [hit.item.key for hit in self.hits]


def known_items(crew: Crew) -> Known:
    """Return the items of the bank that fit the question of a team's run."""
    question = crew.question
    kind = kind_of(crew)
    bank = MemoryBank(crew.store)
    hits = tuple(bank.search(topic_of(question, kind), crew.options.lessons, without=crew.options.withheld))
    pattern = next((h.item for h in hits if _fits(h.item, kind)), None) if kind else None
    if hits:
        crew.tell(
            "memory",
            f"{len(hits)} items of the memory bank fit.",
            keys=[h.item.key for h in hits],
            pattern=pattern.key if pattern else None,
        )
    return Known(hits, pattern, kind)


def kind_of(crew: Crew) -> str:
    """Return the kind of the question for the planner: its expressions, and how their variables are had."""
    if crew.options.policy != "planner":
        return ""
    needs = needs_of(crew)
    if not needs.sources:
        return ""
    ways = [f"{variable.role}:{_way(source)}" for variable, source in needs.sources.items()]
    return kind_of_question(needs.expressions, [*ways, *(["clouds known"] if needs.cloudy else [])])


def topic_of(question: str, kind: str) -> str:
    """Return the text by which an item is found: what the question says and what its kind is."""
    return f"{words_of_kind(kind)} {question}".strip()


def _way(source: Source) -> str:
    return source.tool.name if isinstance(source, Made) else "given"


def _fits(item: BankItem, kind: str) -> bool:
    return item.kind == "pattern" and item.form.get("kind_of_question") == kind
