"""Words of an answer that nothing carries: neither its question, nor its results, nor plain language.

An answer may use the words of its question and of what it cites, other words for the same things, and words
that tell nothing of the world by themselves. What tells of people, of events, of what grows or stands
somewhere must have been looked at, and a name must have been read.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from importlib import resources

import yaml

from treeline.core.engine.actions import Call
from treeline.core.engine.state import Step
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import claims_in, dates_in, find_unit, months_in
from treeline.core.engine.verification.clauses import is_denied, is_negated, sentences
from treeline.core.engine.verification.clouds import cloud_covers
from treeline.core.engine.verification.guesses import (
    is_guess,
    is_interpretation,
    without_denied,
    without_open,
)
from treeline.core.engine.verification.labels import is_one_letter_apart, labels_in
from treeline.core.engine.verification.notation import is_foreign
from treeline.core.engine.verification.phrases import way
from treeline.core.engine.verification.variables import ACRONYMS
from treeline.toolkit import registry

_HERE = "treeline.core.engine.verification"
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_NAMED = re.compile(r"(?<![a-z\d])[a-z]+\d\w*")  # short names with digits: no2
_MARKED = re.compile(r"^\[.*\]$|^#.*$", re.M)
_CODE = re.compile(r"</?\w+>|https?://\S+|@[\w\[\]-]+|`[^`]*`|\b\w+\.\w{2,5}\b(?=\W|$)|\b\w*[_\d]\w*\b")
# No tool finds out why something is so; what stands behind such words must be what results show.
_CAUSE = re.compile(
    r"\b(?:because(?: of)?|owing to|due to|caused by|(?:as )?a (?:consequence|result) of|consequence of|"
    r"thanks to|"
    r"driven by|triggered by|brought about by|attribut\w+ to|stem(?:s|med|ming)? from|on account of|"
    r"(?:the )?(?:cause|reason)(?: (?:for|of) [^.;,]{1,40}?)? (?:is|was|are|were|being))\b",
    re.I,
)
# Verbs of causes: what stands before them is the cause, or what is said to be one.
_CAUSES = re.compile(
    # How much of a variance goes with something is a result.
    r"\b(?:explains?(?! (?:why|how)\b)(?![^.;]*\b(?:varian|variab|variation))|(?:has|have|had) explained|"
    r"(?:caus|trigger)(?:es?|ed|ing)(?! by)|"
    r"(?:leads?|led|leading) to|(?:drives?|drove|driving)|(?:is|are|was|were) (?:to blame|responsible) for|"
    r"results? in|resulted in|brought about(?! by)|brings? about)\b",
    re.I,
)
# Since a date is a time; else it tells why.
_SINCE = re.compile(
    r"\bsince\b"
    r"(?= (?:the|a|an|this|that|these|those|no|it|there)\b(?! (?:first|last|start|beginning|"
    r"end|same|\w+ of|previous|next|time|date|day|month|year)\b))(?=[^.;,]*\b(?:is|are|was|were|has|have|had|"
    r"[a-z]+s|kept|made|[a-z]+ed)\b)",
    re.I,
)
# Why an answer takes something for so, or did it: it tells of data and methods, and no cause in the world.
_REASONED = re.compile(
    r"\b(?:highest|lowest|largest|smallest|greatest|hottest|coldest|nearest)\b|"
    r"\b(?:only|just|single|one|two|few|no)\b.*\b(?:dates?|days?|images?|scenes?|rasters?|files?|acquisitions?|"
    r"values?|pixels?|samples?|observations?|points)\b|\b(?:not|n't|cannot|never)\b.*"
    r"\b(?:available|tested|provided|given|computed|calculated|contain\w*|cover\w*)\b|"
    r"\b(?:ratios?|means?|averages?|medians?|cloud(?:s|ed|y)?|mask(?:s|ed)?|no slope|valid|"
    r"rounding|resolution|formula|defined|definition|scale[ds]?|sensors?|bands?|units?)\b",
    re.I,
)
_REASONS = ("because", "since")
# A name stands in the middle of a sentence with a capital.
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z\u00e0-\u017f]{2,}\b")
_CAPITALISED = re.compile(r"\b[A-Z][a-z\u00e0-\u017f]{2,}\b")
_GAPS = re.compile(
    r"\b(?:clouds?|cloudy|no ?data|missing|masks?|masked|gaps?|empty|without (?:valid )?data|(?:in)?valid)\b",
    re.I,
)
# That clouds did no harm needs no cause to be found.
_UNHARMED = re.compile(
    r"\b(?:not|n't|never)\b[^.;,]{0,25}"
    r"\b(?:caused|affected|influenced|explained|distorted|biased|contaminated) by "
    r"(?:any |the |remaining )*(?:clouds?\b(?: (?:cover|contamination|shadows?))?|gaps|missing data)",
    re.I,
)
_END = re.compile(r"[.;](?:\s|$)|,\s")
# Letters of units as results have them.
_AS_TYPED = {ord("_"): " ", 0x2019: "'", 0x3BC: "u", 0xB5: "u"}
# A time beside that of the results, which is of theirs only where they have several.
_OTHER_TIME = re.compile(
    r"\b(?:previous|preceding|prior|past|next|following|coming)\s+(?:\w+\s+)?(?P<one>year|decade|month|week|season|"
    r"summer|winter|spring|autumn|century)s?\b|\b(?P<two>year|decade|month|week|season|summer|winter|spring|autumn|"
    r"centur)(?:s|y|ies)?\s+(?:before|earlier|ago|later|prior)\b|\b(?P<three>long[- ]term|historical|"
    r"climatolog\w+|(?:above|below|than|near) (?:the )?(?:seasonal )?(?:normal|usual)\b|"
    r"for (?:the|this) (?:season|time of (?:the )?year)\b|all[- ]time|unprecedented|"
    r"records? (?:for|high|low|value|level|breaking)|"
    r"(?:an?|the|new) record\b"
    r"(?! (?:\w+ )?(?:of|is|was|has|holds|contains|comprises|covers|consists|spans|begins|starts|ends)\b)|"
    r"on record|of all times?|"
    r"in (?:recorded )?history|ever (?:measured|recorded|seen|observed))",
    re.I,
)
# What was done with data before or beside the calls, and what results or calls tell of that they did it.
_DONE = re.compile(
    r"\b(?:(?:was|were|been|being|is|are|I|we|after|by|first|then)\s(?:\w+ly\s)?(?P<verb>mask|filter|smooth|"
    r"interpolat|resampl|calibrat|validat|detrend|despeckl|screen|exclud|remov|discard|verif|"
    r"cross-check)(?:k|p|t|m|v)?(?:ed|ied|ing)\b|"
    r"(?P<noun>mask|filter|correction|calibration|validation|interpolation)s?\s(?:was|were|has been)\s"
    r"(?:applied|used|done|made))",
    re.I,
)
_LEFT_OUT = (
    "mask",
    "clm",
    "cloud",
    "clear",
    "valid",
    "nodata",
    "no data",
    "exclud",
    "left out",
    "quality",
    "qa_",
)
# What was taken out was taken out by one of these.
_CARRIED_BY = dict.fromkeys(("mask", "screen", "exclud", "remov", "discard"), _LEFT_OUT)
_LEFT_UNDONE = re.compile(
    r"\b(?:not|never|without|cannot|instead of|rather than|would|could|may|might)\b|n't\b", re.I
)
_WHOLE_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_ASIDE = re.compile(r"\([^()]*\)")
_PAST = re.compile(r"\b(?:was|were|had|did|has been|have been|here|this|these)\b", re.I)
_LONG = (
    "above",
    "below",
    "than",
    "near",
    "un",
    "abn",
    "aty",
    "for",
    "all",
    "a ",
    "an ",
    "rec",
    "the ",
    "new ",
    "decade",
    "centur",
    "long",
    "histor",
    "climat",
    "on ",
    "of ",
    "in ",
    "ever",
)
_YEARS_OF_LONG = 10
_SHORT, _SPELT = 3, 6
_MOST = 3
# Spellings of one word: colour and color, analyse and analyze, metre and meter, labelled and labeled.
_SPELLINGS = (
    (re.compile(r"our(?=\b|s|e|i|a|l)"), "or"),
    (re.compile(r"([iy])s(?=e|i|a)"), r"\1z"),
    (re.compile(r"tre(?=\b|s)"), "ter"),
    (re.compile("ll"), "l"),
)
# What may stand before a plain word and leaves it plain.
_BEFORE = ("non", "mis", "pre", "mid", "multi", "sub", "inter")
# They look like forms of words that tell of the world: a corner is no corn.
_NO_FORMS = frozenset({"corner", "corners", "cornered"})
# A word is taken for another form of one that shares so much of its beginning.
_SHARED, _ENDING = 4, 2
_ENDINGS = (
    ("'s", ""),
    ("ies", "y"),
    ("ied", "y"),
    ("iest", "y"),
    ("ier", "y"),
    ("ily", "y"),
    ("es", ""),
    ("es", "e"),
    ("s", ""),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
    ("er", ""),
    ("er", "e"),
    ("est", ""),
    ("est", "e"),
    ("ly", ""),
    ("ness", ""),
    ("ally", "al"),
    ("ally", ""),
    ("ably", "able"),
    ("able", ""),
    ("able", "e"),
    ("ment", ""),
    ("ation", "e"),
    ("ation", ""),
    ("ion", ""),
    ("ion", "e"),
    ("ity", ""),
    ("ity", "e"),
    ("n't", ""),
    ("'re", ""),
    ("'ve", ""),
    ("'ll", ""),
    ("'d", ""),
)


def find_unsupported_words(answer: AnswerColumns, told: str) -> Iterator[str]:
    """Yield what an answer says in words that nothing carries, and which causes it tells, in sentences.

    Words of other languages than English are not known, and not looked at.

    Parameters
    ----------
    told : str
        What was said before: the question and its options, and what the data are said to be.
    """
    if is_foreign(answer.text) or is_foreign(f"{answer.question} {answer.text}"):
        return
    covers = [share for step in answer.steps for share in cloud_covers(step)]
    if covers and not any(covers):
        answer = replace(answer, text=_UNHARMED.sub(" ", answer.text))
    found = words_of_results(answer)
    yield from _causes(answer, found)
    yield from _acting_causes(answer)
    yield from _other_times(answer)
    yield from _other_methods(answer)
    yield from _other_tests(answer)
    known = found | words_and_names(told)
    if missing := list(dict.fromkeys(_doubts_of_words(answer, known))):
        more = f" and {len(missing) - _MOST} more words" if len(missing) > _MOST else ""
        yield f"No cited step shows {', '.join(map(repr, missing[:_MOST]))}{more}."


def _doubts_of_words(answer: AnswerColumns, known: frozenset[str]) -> Iterator[str]:
    """Yield the words of an answer that tell of the world, and the names, which nothing carries."""
    for sentence in sentences(_without_background(answer)):
        guess = is_interpretation(sentence)
        plain = _CODE.sub(" ", without_denied(sentence))
        names = {match[0].casefold() for match in _NAME.finditer(plain) if not months_in(match[0])}
        for word in _words(plain):
            if (is_telling(word, guess) or word in names) and not is_carried(word, known):
                yield word


def _without_background(answer: AnswerColumns) -> str:
    """Return what an answer says without the words by which it tells what a variable is in general."""
    return " ".join(_plainly(answer, part) for part in _WHOLE_SENTENCE.split(answer.text))


def _plainly(answer: AnswerColumns, sentence: str) -> str:
    of_variable = any(word in ACRONYMS for word in _words(sentence))
    of_place = claims_in(sentence) or dates_in(sentence) or labels_in(sentence, answer.columns)
    # Brackets tell which band is meant here, beside what holds everywhere.
    if not of_variable or of_place or _PAST.search(_ASIDE.sub(" ", sentence)) or way(sentence):
        return sentence
    return " ".join(word for word in _words(sentence) if word not in _background_words())


def words_of_results(answer: AnswerColumns) -> frozenset[str]:
    """Return the words of the results of an answer and of what their tools do, and others for the same."""
    units = (step.observation.unit for step in answer.steps)
    return words_and_names(" ".join([answer.evidence.words, *units, *_of_tools(answer.steps)]))


def _causes(answer: AnswerColumns, found: frozenset[str]) -> Iterator[str]:
    """Yield causes that no result is of: no tool finds out why something is so."""
    for part in sentences(answer.text):
        for match in (*_CAUSE.finditer(part), *_SINCE.finditer(part)):
            if is_guess(part[: match.start()]):
                continue  # what may be so is not told as found; its words must be known all the same
            behind = _END.split(part[match.end() :])[0]
            shown = claims_in(behind) or labels_in(behind, answer.columns) or _names_in(behind, found)
            reasoned = match[0].casefold() in _REASONS and _REASONED.search(behind)
            of_gaps = _GAPS.search(behind) and _GAPS.search(part[: match.start()])
            told = all(not is_telling(word) or is_carried(word, found) for word in _words_in(behind))
            if not (shown or reasoned or of_gaps) or not told:
                yield f"No cited step shows that something is {match[0].casefold()} {behind.strip()!r}."


def _acting_causes(answer: AnswerColumns) -> Iterator[str]:
    """Yield what is said to bring something about where no number of a result stands beside it."""
    for part in sentences(without_open(answer.text)):
        for match in _CAUSES.finditer(part):
            clause = [*_END.split(part[: match.start()])][-1] + _END.split(part[match.start() :])[0]
            founded = claims_in(clause) or len(_GAPS.findall(clause)) > 1
            open_told = is_interpretation(part[: match.start()])  # what would explain it is not said to
            if not founded and not open_told and not is_negated(part, match.start()):
                yield f"No cited step shows what {match[0].casefold()} something: {clause.strip()!r}."


def _other_times(answer: AnswerColumns) -> Iterator[str]:
    """Yield times beside those of the results that no result is of."""
    years = [int(date[:4]) for date in answer.evidence.dates]
    for match in _OTHER_TIME.finditer(answer.text):
        long = str(match["one"] or match["two"] or match["three"]).casefold().startswith(_LONG)
        shown = len(answer.evidence.dates) > 1 and (not long or max(years) - min(years) >= _YEARS_OF_LONG)
        shown = shown or "anomal" in answer.evidence.words or is_negated(answer.text, match.start())
        shown = shown or is_denied(answer.text, match.end())
        if not shown and match[0].casefold() not in answer.question.casefold():
            yield f"No cited step is of the time of {match[0]!r}."


def _other_methods(answer: AnswerColumns) -> Iterator[str]:
    """Yield what is said to have been done with the data that no call did and no result tells of."""
    tools = [step.action.tool for step in answer.steps if isinstance(step.action, Call)]
    told = " ".join([answer.evidence.words, *tools]).casefold()  # what a tool may do was not done therefore
    for part in sentences(without_open(answer.text)):
        for match in _DONE.finditer(part):
            stem = (match["verb"] or match["noun"]).casefold()
            said = not is_guess(part[: match.start()]) and not is_negated(part, match.end())
            if said and not any(word in told for word in _CARRIED_BY.get(stem, (stem[:6],))):
                yield f"No cited step shows that something {match[0].casefold()}."


def _other_tests(answer: AnswerColumns) -> Iterator[str]:
    """Yield tools by whose longer names an answer calls those that were called: seasonal for plain."""
    called = {step.action.tool for step in answer.steps if isinstance(step.action, Call)}
    longer = [
        tool.name
        for tool in (registry() if called else ())
        if tool.name not in called and any(tool.name.endswith(f"_{own}") for own in called)
    ]
    for part in sentences(answer.text) if longer else ():
        said = f" {' '.join(_words(part))} "
        for name in longer:
            if f" {name.replace('_', ' ')} " in said and not _LEFT_UNDONE.search(part):
                yield f"No cited step called {name}."


def _names_in(text: str, found: frozenset[str]) -> bool:
    return any(word in found and (is_telling(word) or word in ACRONYMS) for word in _words_in(text))


def _words_in(text: str) -> dict[str, None]:
    """Return the words of a text in their order, without those of what it leaves open."""
    return dict.fromkeys(_words(_CODE.sub(" ", without_open(text))))


def words_and_names(text: str) -> frozenset[str]:
    """Return the words of a text, short names with digits, and other words for the same things."""
    known = frozenset([*_words(text), *_NAMED.findall(text.casefold())])
    return known | frozenset(_same(known))


def _words(text: str) -> Iterator[str]:
    plain = unicodedata.normalize("NFKC", text).translate(_AS_TYPED)
    yield from (match[0].casefold() for match in _WORD.finditer(plain))


def _of_tools(steps: Iterable[Step]) -> Iterator[str]:
    """Yield what the tools of steps do, as their documents tell it."""
    for step in steps:
        name = step.action.tool if isinstance(step.action, Call) else ""
        yield name
        if name in registry():
            tool = registry().get(name)
            yield f"{tool.brief} {tool.returns} {tool.gives.quantity}"
            yield from _CAPITALISED.findall(tool.document)  # whose method it is


def is_carried(word: str, known: frozenset[str]) -> bool:
    """Return whether a word, in any of its forms, is one that is known, or the name of a variable or unit."""
    if len(word) < _SHORT or word in known or word in ACRONYMS or find_unit(word):
        return True
    if len(word) > _SPELT and any(is_one_letter_apart(word, other) for other in known):
        return True
    return bool(known.intersection(_forms(word))) or any(_are_alike(word, other) for other in known)


@lru_cache(maxsize=50_000)
def is_telling(word: str, guess: bool = False) -> bool:
    """Return whether a word tells of the world what a tool must have looked at, in any of its forms.

    Parameters
    ----------
    guess : bool
        It stands in what is told as a guess, which may speak of weather, waters and plants.
    """
    if word in _NO_FORMS:
        return False
    bare = [word.removeprefix(before) for before in _BEFORE if word.startswith(before)]
    rests = [rest for rest in bare if len(rest) > _SHORT]
    forms = {_usual_spelling(form) for each in (word, *rests) for form in _forms(each)}
    always, else_too = _telling_words()
    return not forms.isdisjoint(always) or not guess and not forms.isdisjoint(else_too)


def _usual_spelling(word: str) -> str:
    """Return the one of several spellings of a word that stands for all."""
    for pattern, instead in _SPELLINGS:
        word = pattern.sub(instead, word)
    return word


@lru_cache(maxsize=50_000)
def _forms(word: str) -> tuple[str, ...]:
    """Return a word, and without each ending that it may have; a doubled consonant before it counts once."""
    found = [word]
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORT - 1:
            stem = word[: -len(ending)]
            found.append(stem + instead)
            if len(stem) > _SHORT and stem[-1] == stem[-2]:
                found.append(stem[:-1])
    return tuple(found)


def _are_alike(word: str, other: str) -> bool:
    """Return whether two words begin alike as forms of one do: vegetation and vegetated."""
    shared = max(_SHARED, min(len(word), len(other)) - _ENDING)
    return word[:shared] == other[:shared]


@lru_cache(maxsize=32)  # each number of an answer asks it
def shown_by_indices(words: str) -> frozenset[str]:
    """Return what the indices in the words of results show, by its names: water, of the MNDWI."""
    return frozenset(_same(frozenset(ACRONYMS).intersection(re.findall(r"[a-z]+\d?", words))))


def _same(known: frozenset[str]) -> Iterator[str]:
    """Yield other words for what the known ones name."""
    for of, words in _same_things():
        if of & known or any(form in words for word in known for form in _forms(word)):
            yield from words


@cache
def _background_words() -> frozenset[str]:
    text = resources.files(_HERE).joinpath("background_words.txt").read_text("utf-8")
    return frozenset(_MARKED.sub("", text).split())


@cache
def _telling_words() -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that always tell of the world, and those that do where nothing is guessed."""
    text = resources.files(_HERE).joinpath("telling_words.txt").read_text("utf-8")
    _, always, else_too = re.split(r"^\[.*\]$", text, flags=re.M)
    return frozenset(map(_usual_spelling, always.split())), frozenset(map(_usual_spelling, else_too.split()))


@cache
def _same_things() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    lines = yaml.safe_load(resources.files(_HERE).joinpath("same_things.yaml").read_text("utf-8"))
    return tuple((frozenset(line["of"]), frozenset(line["words"].split())) for line in lines)
