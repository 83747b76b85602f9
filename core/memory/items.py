"""What the memory bank keeps: a lesson with its key, its procedure, its counts and its review."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from treeline.core.context.guardrails import Guardrail
from treeline.core.memory.key_words import words_of_key
from treeline.core.memory.procedure import Procedure

Kind = Literal["pattern", "guardrail", "contrast"]
Review = Literal["accepted", "proposed", "rejected"]
JUDGE = "judge"
"""Who reviewed what no person did: the judge of the team, or the critic of a later attempt."""
# One failure may be the question's own. At each multiple an item is muted, also one that a person unmuted.
HARMS_TO_MUTE = 2


@dataclass(frozen=True, slots=True)
class BankItem:
    """A lesson.

    Attributes
    ----------
    kind : str
        ``pattern``: what led to an answer; ``guardrail``: what to keep clear of; ``contrast``: what ways that
        succeeded had in common.
    topic : str
        The question that it was learned at.
    text : str
        The experience, in a few sentences, as a language model reads it.
    procedure : Procedure, optional
        The same for a policy without a language model.
    provenance : tuple of str
        Runs that it was distilled from.
    expression : str
        The key of the questions that it holds for, see :mod:`treeline.core.memory.keys`; empty where the
        question could not be read.
    guardrails : tuple of Guardrail
        What the environment enforces where it holds.
    uses, helps, harms : int
        Runs that used it; those of them that succeeded with it, and those that failed because of it.
    muted : bool
        No run uses it. The second harm mutes it, and each second one after a person took it in again.
    review : str
        Only what was accepted enters runs; ``proposed`` waits for the judge or a person.
    reviewer : str
        Who accepted or rejected it.
    kept_as : str
        Its key in the store; empty for one that was never there.
    owner : str
        The person of a team whom it belongs to; empty on a server of one person.
    """

    kind: Kind
    topic: str
    text: str
    procedure: Procedure | None = None
    provenance: tuple[str, ...] = ()
    expression: str = ""
    guardrails: tuple[Annotated[Guardrail, Field(discriminator="kind")], ...] = ()
    uses: int = 0
    helps: int = 0
    harms: int = 0
    muted: bool = False
    review: Review = "accepted"
    reviewer: str = JUDGE
    created: datetime | None = field(default=None, compare=False)
    kept_as: str = field(default="", compare=False)
    owner: str = field(default="", compare=False)

    @property
    def key(self) -> str:
        """What identifies it: made of what it said at first, and the same whatever is edited since."""
        if self.kept_as:
            return self.kept_as
        told = [self.kind, self.expression, _content_of(self)]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:32]

    @property
    def search_text(self) -> str:
        """The text that a question is likened to: the words of the key and of the question."""
        return f"{words_of_key(self.expression)} {self.topic}".strip()

    @property
    def enters(self) -> bool:
        """Whether it may enter a run."""
        return self.review == "accepted" and not self.muted


def _content_of(item: BankItem) -> object:
    if item.procedure is not None:
        # Which arguments were repaired, and how often a call was made, makes no other procedure.
        return [list(item.procedure.tools), list(item.procedure.ways)]
    if item.guardrails and item.expression:
        # The reason is told in the words of one failure; the rule is the same whatever it was.
        return sorted(json.dumps({**asdict(g), "reason": ""}, sort_keys=True) for g in item.guardrails)
    return " ".join(item.text.casefold().split())
