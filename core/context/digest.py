"""What stays of steps that are told in short: documents, the names of tools, all that results gave."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from treeline.core.context.documents import working_document
from treeline.core.context.folds import is_document, is_listing
from treeline.core.context.shortening import Detail, brief, cut
from treeline.core.engine.actions import Call, action_name
from treeline.core.engine.state import Step

_ARGUMENTS = Detail(first=2, last=1, pairs=8, text=80)
_LONGEST_LINE = 240
_LONGEST_WORD = 80
_SENTENCE = re.compile(r"(?<=[.;!?])\s+")
_TELLING = re.compile(r"\d|@\w|warning", re.IGNORECASE)
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
    return ", ".join([*value.get("parts", ()), *_group(value.get("tools", ()))])


def _group(names: Sequence[str]) -> list[str]:
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
    """Return steps in short, with every number, unit, date, handle and warning that they gave.

    Thoughts and long lists of files go; faults of one kind share a line. Documents and listings that were
    read are not among them: they are told apart.
    """
    told: list[str] = []
    faults: dict[object, list[Step]] = {}
    for step in steps:
        if is_document(step) or is_listing(step):
            continue
        if step.observation.succeeded:
            told.append(f"{_head(step)} -> {_gist(step.observation.text)}")
        else:
            faults.setdefault(_kind_of_fault(step), []).append(step)
    return "\n".join([*told, *(_fault_line(group) for group in faults.values())])


def _gist(text: str) -> str:
    """Return a text without the words of long lines that tell no number, handle or warning."""
    return "\n".join(
        line if len(line) <= _LONGEST_LINE else _gist_of_line(line) for line in text.splitlines()
    )


def _gist_of_line(line: str) -> str:
    sentences = _SENTENCE.split(line)
    kept = [s for s in sentences if _TELLING.search(s) or s is sentences[0]]
    words = (
        word if len(word) <= _LONGEST_WORD or _TELLING.search(word) else "..."
        for word in " ".join(kept).split()
    )
    return " ".join(words)


def _kind_of_fault(step: Step) -> tuple[str, str, str]:
    return step.action.kind, action_name(step.action), step.observation.error


def _head(step: Step) -> str:
    arguments = brief(step.action.arguments, _ARGUMENTS) if isinstance(step.action, Call) else ""
    return f"[step {step.number}] {step.action.kind} {action_name(step.action)} {arguments}".strip()


def _fault_line(steps: Sequence[Step]) -> str:
    last = steps[-1]
    often = f"{len(steps)} times, last " if len(steps) > 1 else ""
    said = f"{last.observation.text} {last.observation.hint}"
    return f"{often}{_head(last)} -> {last.observation.kind}: {cut(said, _LONGEST_LINE)}"
