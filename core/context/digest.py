"""What stays of steps that are told in short: documents, the names of tools, results in a line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from treeline.core.context.documents import working_document
from treeline.core.context.folds import is_document, is_listing
from treeline.core.context.shortening import Detail, brief, cut
from treeline.core.engine.actions import Call, action_name
from treeline.core.engine.state import Step

_ARGUMENTS = Detail(first=1, last=1, pairs=5, text=40)
_RESULT = Detail(first=2, last=1, pairs=4, text=120)
_LONGEST_LINE = 160
_RESULTS_OF_A_TOOL = 12
_FEWEST_ALIKE = 3


def folded_sections(steps: Sequence[Step]) -> dict[str, str]:
    """Return steps in short, by part: ``read``, ``opened``, ``digest``; only those with content."""
    texts = {"read": documents(steps), "opened": listings(steps), "digest": digest(steps)}
    return {part: text for part, text in texts.items() if text}


def documents(steps: Sequence[Step]) -> str:
    """Return the documents that were read, each once, as a call needs them."""
    texts = (working_document(step.observation.text, details=False) for step in steps if is_document(step))
    return "\n\n".join(dict.fromkeys(texts))


def listings(steps: Sequence[Step]) -> str:
    """Return the names in the branches that were opened, a line a branch."""
    opened = {action_name(step.action): names_of(step) for step in steps if is_listing(step)}
    return "\n".join(f"{branch}: {names}" for branch, names in opened.items())


def names_of(step: Step) -> str:
    """Return the names of the parts and tools that a listing told."""
    value = step.observation.value or {}
    return ", ".join([*value.get("parts", ()), *_grouped(value.get("tools", ()))])


def _grouped(names: Sequence[str]) -> list[str]:
    """Return names in short: ``calc_{mean,sum,std}`` for three or more that begin with the same words."""
    heads = Counter(head for name in names for head in _heads(name))
    groups: dict[str, list[str]] = {}
    for name in names:
        shared = [head for head in _heads(name) if heads[head] >= _FEWEST_ALIKE]
        head = max(shared, key=lambda head: heads[head] * len(head), default=name)
        groups.setdefault(head, []).append(name.removeprefix(head))
    return [
        f"{head}{{{','.join(ends)}}}" if len(ends) > 1 else head + ends[0] for head, ends in groups.items()
    ]


def _heads(name: str) -> list[str]:
    return [name[: match.end()] for match in re.finditer("_", name)]


def digest(steps: Sequence[Step]) -> str:
    """Return steps in a line each; the calls of a tool that ended alike share one; nothing for no steps.

    Documents and listings that were read are not among them: they are told apart.
    """
    groups: dict[object, list[Step]] = {}
    for step in steps:
        if not is_document(step) and not is_listing(step):
            groups.setdefault(_likeness(step), []).append(step)
    return "\n".join(_line(group) for group in groups.values())


def _likeness(step: Step) -> object:
    if not isinstance(step.action, Call):
        return step.number
    return step.action.tool, step.observation.kind, step.observation.error


def _line(steps: Sequence[Step]) -> str:
    last = steps[-1]
    arguments = brief(last.action.arguments, _ARGUMENTS) if isinstance(last.action, Call) else ""
    action = f"{last.action.kind} {action_name(last.action)} {arguments}".strip()
    if not last.observation.succeeded:
        often = f"{len(steps)} times, last " if len(steps) > 1 else ""
        return f"{often}{last.number} {action} -> {last.observation.kind}: {_result(last, _LONGEST_LINE)}"
    if len(steps) == 1:
        return f"{last.number} {action} -> {_outcome(last, _LONGEST_LINE)}"
    numbers = f"{steps[0].number} to {last.number}, {len(steps)} times, the last"
    return f"{numbers} {action} -> {_outcomes(steps)}"


def _outcomes(steps: Sequence[Step]) -> str:
    """Return what calls of one tool gave: what they wrote, or their results by step."""
    products = (product for step in steps for product in step.observation.products)
    handles = dict.fromkeys(product.handle or product.name for product in products)
    if handles:
        return f"wrote {', '.join(handles)}"
    shown = [*steps[: _RESULTS_OF_A_TOOL - 1], steps[-1]] if len(steps) > _RESULTS_OF_A_TOOL else list(steps)
    each = max(24, 3 * _LONGEST_LINE // len(shown))
    return "; ".join(f"{step.number}: {_outcome(step, each)}" for step in shown)


def _outcome(step: Step, longest: int) -> str:
    products = step.observation.products
    if products:
        names = brief([product.name for product in products], _RESULT)
        handle = products[0].handle
        return f"wrote {names}" + (f" ({handle})" if handle else "")
    return _result(step, longest)


def _result(step: Step, longest: int) -> str:
    value = step.observation.value if step.observation.succeeded else None
    text = step.observation.text if value is None else brief(value, _RESULT)
    return cut(text, longest)
