"""What stays of steps that are shortened: documents, the names of tools, all that results gave."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice, repeat
from string import ascii_lowercase

from treeline.core.context.documents import working_document
from treeline.core.context.folds import is_document, is_listing
from treeline.core.context.shortening import Detail, brief, cut
from treeline.core.engine.actions import Call, action_name
from treeline.core.engine.state import Step

# Numbers as they were given, whole formulas, classes and boxes: a step cannot be told apart, or made again
# for another date, without them. Of hundreds of files a few say what they are.
_ARGUMENTS = Detail(first=10, last=2, pairs=8, text=400, digits=15)
# Longer lines are reduced to their sentences that tell a number, a handle or a warning, and words beyond this
# length, such as paths, are left out.
_LONGEST_LINE = 240
_LONGEST_WORD = 80
_SENTENCE = re.compile(r"(?<=[.;!?])\s+")
_TELLING = re.compile(r"\d|@\w|warning", re.IGNORECASE)
# Two are no longer one by one than with a line for what differs.
_FEWEST_ALIKE = 3
# What steps that are alike differ in: dates and numbers; and what stands where one is taken out.
_GAP = "\0"
_SAID_APART = re.compile(r"\d{4}(?:-\d\d){1,2}|-?\d+(?:\.\d+)?(?:e[-+]?\d+)?", re.I)


def digest_sections(steps: Sequence[Step]) -> dict[str, str]:
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
    """Return the names of the tools that a listing told; of one that named none below its parts the parts."""
    value = step.observation.value or {}
    if value.get("names"):
        return ", ".join(group_names(value["names"]))
    return ", ".join([*value.get("parts", ()), *group_names(value.get("tools", ()))])


def group_names(names: Sequence[str]) -> list[str]:
    """Return names in short: ``calc_{mean,sum,std}`` for three or more that begin with the same words."""
    heads = Counter(head for name in names for head in _heads(name))
    groups: dict[str, list[str]] = {}
    for name in names:
        shared = [head for head in _heads(name) if heads[head] >= _FEWEST_ALIKE]
        # The beginning that saves the most letters over all names.
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
    alike: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
    faults: dict[object, list[Step]] = {}
    for step in steps:
        if is_document(step) or is_listing(step):
            continue
        if step.observation.is_success:
            kind, values = _kind_and_values(step)
            alike.setdefault(kind, []).append((step.number, values))
        else:
            faults.setdefault(_kind_of_fault(step), []).append(step)
    told = [line for kind, group in alike.items() for line in _lines(kind, group)]
    return "\n".join([*told, *(_fault_line(group) for group in faults.values())])


def is_alike(step: Step, steps: Iterable[Step]) -> bool:
    """Return whether a digest tells a step in one line with several of others."""
    if not _is_told(step):
        return False
    kind, _ = _kind_and_values(step)
    others = (other for other in steps if _is_told(other) and _kind_and_values(other)[0] == kind)
    return len(list(islice(others, _FEWEST_ALIKE - 1))) == _FEWEST_ALIKE - 1


def differences(step: Step) -> str:
    """Return what a digest says of a step that is like others."""
    return " ".join(dict.fromkeys(_kind_and_values(step)[1]))


def _is_told(step: Step) -> bool:
    return isinstance(step.action, Call) and step.observation.is_success


def _kind_and_values(step: Step) -> tuple[str, tuple[str, ...]]:
    """Return a step's line without the dates and numbers of its arguments, and these.

    A result's own numbers stay, and so does all of a step that wrote no file.
    """
    action, values = _action(step), list[str]()
    # Only calls that wrote something are described together: the numbers that a measurement gave would be
    # lost among its arguments.
    own = set(_SAID_APART.findall(action)) if step.observation.products else frozenset()

    def take(match: re.Match[str]) -> str:
        if match[0] not in own:
            return match[0]
        values.append(match[0])
        return _GAP

    kind = _SAID_APART.sub(take, f"{action} -> {_gist(step.observation.text)}")
    return kind, tuple(values)


def _lines(kind: str, steps: Sequence[tuple[int, tuple[str, ...]]]) -> list[str]:
    """Return a line for each step, or one for several that differ in what they were given, with all of it."""
    columns = list(zip(*(values for _, values in steps), strict=True))
    changing = list(dict.fromkeys(column for column in columns if len(set(column)) > 1))
    if len(steps) < _FEWEST_ALIKE or len(changing) > len(ascii_lowercase):
        return [f"[step {number}] {_fill(kind, values)}" for number, values in steps]
    names = {column: f"<{letter}>" for column, letter in zip(changing, ascii_lowercase, strict=False)}
    line = _fill(kind, [names.get(column, column[0]) for column in columns])
    rows = zip(*changing, strict=True) if changing else repeat(())
    told = (f"{number}: {' '.join(row)}".rstrip(": ") for (number, _), row in zip(steps, rows, strict=False))
    each = f"steps with {' '.join(names.values())}" if names else "steps"
    return [f"[{each}: {'; '.join(told)}] {line}"]


def _fill(kind: str, values: Iterable[str]) -> str:
    left = iter(values)
    return "".join(next(left) if letter == _GAP else letter for letter in kind)


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


def _kind_of_fault(step: Step) -> tuple[str, ...]:
    # What would do belongs to what was found: only where it is the same do faults share a line.
    return step.action.kind, action_name(step.action), step.observation.error, step.observation.hint


def _head(step: Step) -> str:
    return f"[step {step.number}] {_action(step)}"


def _action(step: Step) -> str:
    arguments = brief(step.action.arguments, _ARGUMENTS) if isinstance(step.action, Call) else ""
    return f"{step.action.kind} {action_name(step.action)} {arguments}".strip()


def _fault_line(steps: Sequence[Step]) -> str:
    last = steps[-1]
    often = f"{len(steps)} times, last " if len(steps) > 1 else ""
    said = f"{last.observation.text} {last.observation.hint}"
    return f"{often}{_head(last)} -> {last.observation.kind}: {cut(said, _LONGEST_LINE)}"
