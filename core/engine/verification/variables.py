"""Which variables results are of, and which ones an answer names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import claims_in
from treeline.core.engine.verification.clauses import is_denied, is_negated
from treeline.core.engine.verification.guesses import is_interpretation
from treeline.core.engine.verification.origins import of_ground
from treeline.core.engine.verification.phrases import ENDINGS
from treeline.core.engine.verification.product_legends import classes_of_tool
from treeline.core.engine.verification.results import tool_of, variables_in
from treeline.toolkit.variables import VARIABLES as KNOWN

# Variables that texts call by their capitals, and what some call others by.
ACRONYMS = (
    "ndvi",
    "evi",
    "evi2",
    "savi",
    "msavi",
    "ndwi",
    "mndwi",
    "ndmi",
    "ndbi",
    "ndsi",
    "nbr",
    "dnbr",
    "lst",
    "tvdi",
    "fvc",
    "lai",
    "pwv",
    "ndre",
)
# The variable that a question names first, and those that are asked for together with it.
_NAMED = rf"(?:{'|'.join(ACRONYMS).upper()})"
_PIECES = re.compile(r"[,;:()\u2013.]\s|\b(?:though|although|but|because|and|as)\b")
_SUBJECT = re.compile(rf"\b{_NAMED}\b(?:(?:, | and |, and | or )(?:the )?(?:mean )?{_NAMED}\b)*")
_ALIASES = {"ndwi": ("ndmi", "mndwi"), "ndmi": ("ndwi",), "evi": ("evi2",), "lst": ("bt",), "dnbr": ("nbr",)}
_FILE = re.compile(rf"\.{ENDINGS}$|^@", re.I)
_KINDS = ("temperature", "index", "product", "radar")
# So long is a single word that means a variable and nothing else.
_LONG = 8
# What people call a warm place as well.
_EVERYDAY = {"hot spot", "hotspot", "cold spot", "coldspot"}


def find_other_variables(answer: AnswerColumns) -> Iterator[str]:
    """Yield the variables of an answer, or else of its question, that the results are not of."""
    yield from _other_acronyms(answer)
    yield from _other_words(answer)


def _other_acronyms(answer: AnswerColumns) -> Iterator[str]:
    words = _words_of_results(answer)
    present = {n for n in ACRONYMS if re.search(rf"(?<![a-z]){re.escape(n)}(?![a-z])", words)}
    if not present:
        return

    def is_there(name: str) -> bool:
        return name in ACRONYMS and bool(present & {name, *_ALIASES.get(name, ())})

    named = [
        name
        for name in ACRONYMS
        for match in [re.search(rf"\b{name.upper()}\b", answer.text)]
        if match and not is_negated(answer.text, match.start()) and not is_denied(answer.text, match.end())
    ]
    if not named:
        # Of what a question asks for together one is enough: the answer does not tell which it is.
        asked = _SUBJECT.search(answer.question)
        together = re.findall(r"\w+", asked[0].casefold()) if asked else []
        named = [] if any(map(is_there, together)) else [name for name in together if name in ACRONYMS][:1]
    for name in named:
        if not is_there(name):
            yield f"The cited steps are of {', '.join(sorted(present)).upper()}, none of {name.upper()}."


def _other_words(answer: AnswerColumns) -> Iterator[str]:
    """Yield variables that the answer calls by words, where all that steps read is of other ones."""
    present = _variables_of_results(answer)
    if not present or not _are_all_known(answer):
        return
    own = {word for role in present for word in (role, *KNOWN[role].words)}
    # A mask is of what the tool that made it says that it marks.
    own |= {name for step in answer.steps for name in classes_of_tool(tool_of(step)).values()}
    labels = " ".join((*answer.legend.values(), *(label for c in answer.columns for label in c.numbers)))
    folded = answer.text.casefold()
    for word in _spoken_words():
        match = re.search(rf"(?<!\w){re.escape(word)}s?(?!\w)", folded)
        if match is None or is_negated(answer.text, match.start()) or word in labels:
            continue
        piece = next((part for part in _PIECES.split(folded) if word in part), "")
        if not claims_in(piece) and (is_interpretation(piece) or is_denied(answer.text, match.end())):
            continue
        folded = folded.replace(word, " " * len(word))
        # A mask by the snow index is one of snow cover; a surface's temperature is none of the air.
        if not any(word in other or word.split()[0] in other.split() for other in own):
            named = ", ".join(sorted(KNOWN[role].title for role in present))
            yield f"The cited steps are of {named}, none of {word}."


@cache
def _spoken_words() -> tuple[str, ...]:
    """Return the words that mean a variable and nothing else, the longest first."""
    words = {word for v in KNOWN.values() if v.kind in _KINDS for word in v.words} - _EVERYDAY
    return tuple(sorted((w for w in words if " " in w or len(w) >= _LONG), key=len, reverse=True))


def _words_of_results(answer: AnswerColumns) -> str:
    return f"{answer.evidence.words} {' '.join(map(tool_of, answer.steps))}".casefold()


def _variables_of_results(answer: AnswerColumns) -> frozenset[str]:
    """Return the roles of the variables that the results, or the names of what they read, tell of."""
    return variables_in(_words_of_results(answer))


def _are_all_known(answer: AnswerColumns) -> bool:
    """Return whether each raster that steps read tells by its name which variable it is of."""
    made = {file_name(p.name) for step in answer.steps for p in step.observation.products}
    read = [
        file_name(text)
        for step in answer.steps
        for name, argument in (step.observation.arguments or {}).items()
        if not of_ground(name) and not name.startswith("output")
        for text in texts(argument)
        if _FILE.search(text)
    ]
    return all(variables_in(name) for name in set(read) - made)
