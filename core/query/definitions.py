"""Formulas that a question writes beside the name of an index: taken away where they are its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np

from treeline.core.query.expression import Variable
from treeline.core.query.lexicon.graph import words_of
from treeline.core.query.names import Names
from treeline.core.query.phrases.values import Raw
from treeline.toolkit.errors import TreelineError
from treeline.toolkit.index.catalogue import AMBIGUOUS, SpectralIndex, indices
from treeline.toolkit.index.formula import Formula, parse
from treeline.toolkit.variables import VARIABLES

_PART = re.compile(r"[a-z]\w*|\d+(?:\.\d+)?|[-+*/^()\[\]−–·×]")
_NAME = re.compile(r"[a-z][\w-]*")
_SIGNS = str.maketrans("[]−–·×", "()--**")
# What leads from the name of an index to its formula.
_LEAD = re.compile(r"(?:,?\s*(?:i\.e\.|that is|defined as|computed as|calculated as|formula)|[=:,])[\s,:]*$")
_PARAMETER = re.compile(r"\b(?:with |using |for )?([a-z])\s*=\s*(\d+(?:\.\d+)?)")
_LONGEST = 300
_TRIALS = 8


def without_definitions(text: str, names: Names) -> str:
    """Return a question in which the formula of an index does not stand beside its name.

    A formula is held against that of the index by numbers. One of two other bands of the same meaning is
    left as these bands: "NDMI (B8A - B11)/(B8A + B11)" is NDMI of B8A and B11. Any other formula stays, and
    nothing reads it.
    """
    for start, end in reversed(list(_formulas(text, names))):
        index = _index_before(text[:start], names)
        if index is None:
            continue
        written = " ".join(_PART.findall(text[start:end].translate(_SIGNS)))
        instead = _instead(written, index, names)
        if instead is None:
            continue
        lead = _LEAD.search(text[:start])
        begin = lead.start() if lead else start
        if lead and text[begin] == "," and text[end:].lstrip().startswith(","):
            end += len(text[end:]) - len(text[end:].lstrip()) + 1
        room = end - begin
        text = text[:begin] + f" {instead} "[:room].ljust(room) + text[end:]
    return _PARAMETER.sub(lambda match: _without_usual(match, text, names), text)


def _formulas(text: str, names: Names) -> Iterator[tuple[int, int]]:
    """Yield where formulas of at least two bands begin and end."""
    run: list[re.Match[str]] = []
    for part in [*_PART.finditer(text), None]:
        follows = bool(run) and part is not None and _joins(text, run[-1], part)
        if part is not None and (not run or follows) and _may_stand_in_one(part[0], names):
            run.append(part)
            continue
        yield from _trim_signs(run, names)
        run = [part] if part is not None and _may_stand_in_one(part[0], names) else []


def _joins(text: str, before: re.Match[str], part: re.Match[str]) -> bool:
    """Return whether a part may follow another in a formula: with space between at most, no two operands."""
    ends, begins = before[0][-1] not in "-+*/^([−–·×", part[0][0] not in "-+*/^)]−–·×"
    return not text[before.end() : part.start()].strip() and not (ends and begins)


def _may_stand_in_one(part: str, names: Names) -> bool:
    return not part[0].isalpha() or bool(_role(part, "reflectance", names))


def _trim_signs(run: list[re.Match[str]], names: Names) -> Iterator[tuple[int, int]]:
    """Yield a run without the signs at its ends that belong to the sentence."""
    while run and (run[0][0] in "-+*/^)]−–·×" or run[-1][0] in "-+*/^([−–·×"):
        run = run[1:] if run[0][0] in "-+*/^)]−–·×" else run[:-1]
    bands = [part for part in run if _role(part[0], "reflectance", names)]
    signs = {part[0] for part in run} & set("/*·×")
    opened = sum(part[0] in "([" for part in run) == sum(part[0] in ")]" for part in run)
    if len(bands) > 1 and signs and opened and run[-1].end() - run[0].start() <= _LONGEST:
        yield run[0].start(), run[-1].end()


def _role(said: str, kind: str, names: Names) -> str:
    """Return the variable of a kind that words name, such as a band; nothing for any other words."""
    found = names.vocabulary.get(words_of(said))
    for meaning in found.phrases if found else ():
        role = meaning.node.role if isinstance(meaning, Raw) and isinstance(meaning.node, Variable) else ""
        if role in VARIABLES and VARIABLES[role].kind == kind:
            return role
    return ""


def _index_before(text: str, names: Names) -> SpectralIndex | None:
    """Return the last index that is named: by its letters, or as "the red-edge index"."""
    words = _NAME.findall(text)
    for end in range(len(words), 0, -1):
        for start in range(end - 1, max(end - _MOST_WORDS, 0) - 1, -1):
            said = " ".join(words[start:end])
            if (index := _index(_role(said, "index", names) or said)) is not None:
                return index
    return None


_MOST_WORDS = 5


def _index(word: str) -> SpectralIndex | None:
    forms = AMBIGUOUS.get(word.upper(), (word.upper(),))
    return indices().get(forms[0])


def _instead(written: str, index: SpectralIndex, names: Names) -> str | None:
    """Return what stands for a formula: nothing for that of the index, two bands for one of other bands."""
    try:
        formula = parse(written.replace("^", "**"))
    except TreelineError:
        return None
    roles = {name: _role(name, "reflectance", names) for name in formula.names}
    own = {band.symbol: next(filter(names.inventory.holding, band.roles), "") for band in index.bands}
    if set(roles.values()) == set(own.values()) and _agree(formula, roles, index, own):
        return ""
    if len(formula.names) != len(index.bands) or len(index.bands) != 2:
        return None
    one, other = formula.names
    same = all(roles[word] in band.roles for word, band in zip(formula.names, index.bands, strict=True))
    return f"({one} and {other})" if same and _agree_as_pair(formula, index) else None


def _agree(formula: Formula, roles: Mapping[str, str], index: SpectralIndex, own: Mapping[str, str]) -> bool:
    """Return whether two formulas give the same numbers of the same bands."""
    random = np.random.default_rng(0)
    values = {role: random.uniform(0.02, 0.6, _TRIALS) for role in own.values()}
    if any(name not in index.defaults for name in index.parameters):
        return False
    try:
        found = formula({name: values[role] for name, role in roles.items()})
    except TreelineError:
        return False
    expected = index.compute({symbol: values[role] for symbol, role in own.items()})
    return bool(np.allclose(found, expected, rtol=1e-6, equal_nan=True))


def _agree_as_pair(formula: Formula, index: SpectralIndex) -> bool:
    symbols = [band.symbol for band in index.bands]
    return _agree(
        formula,
        dict(zip(formula.names, symbols, strict=True)),
        index,
        {symbol: symbol for symbol in symbols},
    )


def _without_usual(match: re.Match[str], text: str, names: Names) -> str:
    """Return nothing for a parameter that has the value it has anyway: "SAVI with L = 0.5"."""
    index = _index_before(text[: match.start()], names)
    usual = {} if index is None else {name.lower(): value for name, value in index.defaults.items()}
    same = match[1] in usual and usual[match[1]] == float(match[2])
    return " " * len(match[0]) if same else match[0]
