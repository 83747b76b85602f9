"""From the words of a person to the labels of a network."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz import fuzz, process

from treeline.toolkit.errors import InputError

# Of 100: lets through a plural and a slip of the pen, and no other word.
LIKE_ENOUGH = 84

# Each line names one kind of object as data sets and people call it.
_SAME = (
    ("plane", "airplane", "aeroplane", "aircraft"),
    ("ship", "boat", "vessel"),
    ("vehicle", "car", "small vehicle", "large vehicle", "truck"),
    ("baseball diamond", "baseball field", "diamond"),
    ("soccer ball field", "soccer field", "football field"),
    ("storage tank", "oil tank", "tank"),
    ("ground track field", "running track", "athletics track"),
    ("harbor", "harbour", "port", "dock"),
    ("basketball court",),
    ("tennis court",),
    ("swimming pool", "pool"),
    ("roundabout", "traffic circle"),
    ("bridge",),
    ("helicopter",),
)


def find_labels(prompt: str, labels: Sequence[str], network: str) -> list[str]:
    """Return the labels of a network that a prompt names.

    Raises
    ------
    InputError
        The network knows nothing of the kind; the hint lists what it knows.
    """
    words = _plain(prompt)
    known = {label: _plain(label) for label in labels}
    named = [label for label, plain in known.items() if _mentions(words, plain)]
    if named:
        return named
    kin = {name for names in _SAME if any(_mentions(words, name) for name in names) for name in names}
    related = [label for label, plain in known.items() if plain in kin]
    if related:
        return related
    near = process.extractOne(words, list(known.values()), scorer=fuzz.token_sort_ratio)
    if near and near[1] >= LIKE_ENOUGH:
        return [labels[near[2]]]
    raise InputError(
        f"{network} knows no {prompt!r}.",
        f"It knows {', '.join(labels) or 'no labels: list them in its JSON file'}.",
    )


def _plain(text: str) -> str:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return " ".join(_singular(word) for word in re.findall(r"[a-z0-9]+", spaced.casefold()))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _mentions(words: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", words) is not None
