"""What the memory bank knows of a question before it is worked on."""

from __future__ import annotations

from dataclasses import dataclass

from treeline.core.memory.bank import BankItem, Hit, MemoryBank
from treeline.core.policies.planner.derivation import Made, Source
from treeline.core.teams.crew import Crew
from treeline.core.teams.orchestrator import Reading, reading_of

_COUNT = 3


@dataclass(frozen=True)
class Known:
    """Items that were retrieved.

    Attributes
    ----------
    pattern : BankItem, optional
        One from a success at a question of the same kind, which a policy without a model follows.
    kind_of_question : str
        How the planner would class the question; empty where a language model works on it.
    """

    hits: tuple[Hit, ...] = ()
    pattern: BankItem | None = None
    kind_of_question: str = ""

    @property
    def keys(self) -> list[str]:
        """Keys of the items that enter the run."""
        return [hit.item.key for hit in self.hits]


def known_of(crew: Crew) -> Known:
    """Return the items of the bank that fit the question of a team's run."""
    question = crew.question
    kind = kind_of_question(crew)
    bank = MemoryBank(crew.store)
    hits = tuple(bank.search(topic_of(question, kind), _COUNT, without=crew.options.withheld))
    pattern = next((h.item for h in hits if _fits(h.item, kind)), None) if kind else None
    if hits:
        crew.tell(
            "memory", f"{len(hits)} items of the memory bank fit.", keys=[h.item.key for h in hits],
            pattern=pattern.key if pattern else None,
        )  # fmt: skip
    return Known(hits, pattern, kind)


def kind_of_question(crew: Crew) -> str:
    """Return what kind of question it is for the planner: operation, statistics, roles and their sources."""
    if crew.options.policy != "planner":
        return ""
    reading = reading_of(crew)
    intent = reading.intent
    if not intent.subjects or intent.unknown:
        return ""
    statistics = sorted({subject.statistic for subject in intent.subjects})
    parts = [intent.operation, intent.grouping, *statistics, *_roles(reading)]
    several = "several" if len(intent.subjects) > 1 else "one"
    return " ".join([*parts, several, *(["clear"] if intent.clear_only else [])])


def topic_of(question: str, kind: str) -> str:
    """Return the text by which an item is found."""
    return f"{kind} {question}".strip()


def _roles(reading: Reading) -> list[str]:
    return sorted({f"{subject.role}:{_way(source)}" for subject, source in reading.sources.items()})


def _way(source: Source) -> str:
    return source.tool.name if isinstance(source, Made) else "given"


def _fits(item: BankItem, kind: str) -> bool:
    return item.kind == "pattern" and item.form.get("kind_of_question") == kind
