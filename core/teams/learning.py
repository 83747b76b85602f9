"""What a team's run leaves in the memory bank: a pattern, a guardrail, a contrast between variants.

GeoEvolver, section 3.4: extraction from the taken variant (equation 7), contrastive distillation
over all of them (equation 8).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from treeline.core.engine.actions import Call, action_name
from treeline.core.memory.bank import BankItem, MemoryBank
from treeline.core.memory.leakage import without_answers
from treeline.core.teams.crew import Crew
from treeline.core.teams.dispatch import faults_of
from treeline.core.teams.judge import Variant, Verdict
from treeline.core.teams.language.lessons import lessons_by_model
from treeline.core.teams.retrieval import Known, topic_of


def strategy_context(known: Known) -> dict[str, str]:
    """Return the retrieved experience as text for an executor."""
    lines = [f"- {hit.item.text}" for hit in known.hits]
    return {"memory": "\n".join(lines)} if lines else {}


def learn_from(
    crew: Crew, taken: Variant, variants: Sequence[Variant], verdicts: Sequence[Verdict], known: Known
) -> tuple[BankItem, ...]:
    """Distil a run into the memory bank and return what was new."""
    bank = MemoryBank(crew.store)
    success = next(verdict.success for verdict in verdicts if verdict.chosen)
    bank.count_use(known.keys, success)
    topic = topic_of(crew.question, known.kind_of_question)
    items = _LESSONS[crew.options.policy](crew, taken, variants, verdicts, topic, known.kind_of_question)
    added = bank.consolidate(items)
    crew.tell(
        "distilled",
        f"{len(added)} new items in the memory bank, {len(items) - len(added)} known already.",
        keys=[item.key for item in added],
        texts=[item.text for item in added],
    )
    return added


def extract(taken: Variant, success: bool, topic: str, kind: str, run: str) -> list[BankItem]:
    """Return the pattern of a success, or what a failure is put down to."""
    tools = tools_of(taken)
    if success:
        text = f"For a question like this, {' then '.join(tools)} led to an answer that was verified."
        form = {"kind_of_question": kind, "tools": sorted(set(tools))}
        return [BankItem("pattern", topic, text, form if kind else {}, (run,))] if tools else []
    return [
        BankItem("guardrail", topic, f"{tool} failed: {said}", {}, (run,))
        for tool, said in _faults(taken).items()
    ]


def contrast(
    variants: Sequence[Variant], verdicts: Sequence[Verdict], topic: str, run: str
) -> list[BankItem]:
    """Return what the successful variants share and the others lack, and what only these met."""
    good = [v for v, verdict in zip(variants, verdicts, strict=True) if verdict.success]
    bad = [v for v, verdict in zip(variants, verdicts, strict=True) if not verdict.success]
    items: list[BankItem] = []
    if good and bad:
        shared = set.intersection(*(set(tools_of(v)) for v in good))
        lacking = shared.difference(*(tools_of(v) for v in bad))
        if lacking:
            text = f"Variants that succeeded called {', '.join(sorted(lacking))}; those that failed did not."
            items.append(BankItem("contrast", topic, text, {}, (run,)))
    if len(good) > 1 and (shared := set.intersection(*(set(tools_of(v)) for v in good))):
        text = f"Whatever way was taken, {', '.join(sorted(shared))} was needed."
        items.append(BankItem("contrast", topic, text, {}, (run,)))
    met: dict[str, str] = {}
    for variant in bad:
        met = _faults(variant) | met
    items += [
        BankItem("guardrail", topic, f"{tool} failed in a variant: {said}", {}, (run,))
        for tool, said in met.items()
    ]
    return items


def tools_of(variant: Variant) -> list[str]:
    """Return the tools that were called with success, each once, in order."""
    called = [
        step.action.tool
        for outcome in variant.outcomes
        for step in outcome.state.calls
        if isinstance(step.action, Call) and step.observation.succeeded
    ]
    return list(dict.fromkeys(called))


def _faults(variant: Variant) -> dict[str, str]:
    """Return what was said of the last call of each tool that was refused or failed, with its hint."""
    steps = [step for outcome in variant.outcomes for step in faults_of(outcome.state)]
    said = {action_name(s.action): f"{s.observation.text} {s.observation.hint}" for s in steps}
    return {tool: without_answers(text, ()) for tool, text in said.items()}


def _by_rules(
    crew: Crew,
    taken: Variant,
    variants: Sequence[Variant],
    verdicts: Sequence[Verdict],
    topic: str,
    kind: str,
) -> list[BankItem]:
    success = next(verdict.success for verdict in verdicts if verdict.chosen)
    items = extract(taken, success, topic, kind, crew.run)
    if "contrast" not in crew.options.without:
        items += contrast(variants, verdicts, topic, crew.run)
    return items


def _by_model(
    crew: Crew,
    taken: Variant,
    variants: Sequence[Variant],
    verdicts: Sequence[Verdict],
    topic: str,
    kind: str,
) -> list[BankItem]:
    """Return the model's lessons from all variants, or from the taken one alone; else the rules'."""
    if "contrast" in crew.options.without:
        verdict = next(verdict for verdict in verdicts if verdict.chosen)
        found = lessons_by_model(crew, [taken], [verdict], topic)
    else:
        found = lessons_by_model(crew, variants, verdicts, topic)
    return found or _by_rules(crew, taken, variants, verdicts, topic, kind)


_LESSONS: dict[str, Callable[..., list[BankItem]]] = {"planner": _by_rules, "language": _by_model}
