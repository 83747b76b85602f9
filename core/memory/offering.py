"""From a failure's lesson to one for all questions of its kind, once the judge or a person reviewed it."""

from __future__ import annotations

from collections.abc import Iterable

from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.demands import rules_for_kind
from treeline.core.memory.entries import Entry
from treeline.core.memory.items import JUDGE, BankItem
from treeline.core.memory.keys import Key


def offer(bank: MemoryBank, entry: Entry, key: Key) -> tuple[BankItem, ...]:
    """Offer what holds for the kind of a failure's question to the bank, and return what is new there.

    It enters no run before it was reviewed.
    """
    rules = tuple(rules_for_kind(entry.lesson.guardrails, key.text))
    if not rules:
        return ()
    text = " ".join(f"{rule} {rule.reason}".strip() for rule in rules)
    item = BankItem(
        "guardrail",
        entry.question,
        text,
        None,
        (entry.run,),
        key.text,
        rules,
        review="proposed",
        reviewer="",
    )
    return bank.consolidate([item])


def accept_what_helped(bank: MemoryBank, failed: Iterable[str]) -> tuple[str, ...]:
    """Accept what was offered after failed runs, because an attempt that was given it succeeded."""
    runs = set(failed)
    own = [item for item in bank.items() if item.owner == bank.owner]
    offered = [i for i in own if i.review == "proposed" and i.guardrails and runs & {*i.provenance}]
    for item in offered:
        bank.judge(item.key, "accepted", JUDGE)
    return tuple(item.key for item in offered)
