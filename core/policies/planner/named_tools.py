"""Tools that a question asks for and no question reaches: told by the tools' own documents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from treeline.core.disclosure.search import nearest_tools, text_of
from treeline.core.query.lexer import common_words
from treeline.toolkit.tool import Tool

# How it is run where no question does.
BY_HAND = "run it by its form on the Tools page, or have a language model call it"
# Words of so many tools' names (calculate, batch, image) tell none of them.
_USUAL = 5
# A word of a method or of a measure stands in the documents of one or two tools.
_RARE = 2
# Shorter words (of, in, by) are in every document.
_SHORTEST = 3
_MAP = frozenset({"map"})
# A band of the day's overpass is no answer to how many days there are.
_TIMES = frozenset({"day", "night", "dat", "month", "year"})


def told_tool(
    tools: Iterable[Tool], question: str, unknown: Iterable[str], unplaced: Iterable[str] = ()
) -> str:
    """Return in a sentence which tool may do what a question asks for; empty where none is near.

    Parameters
    ----------
    tools : iterable of Tool
        Those at hand.
    question : str
        In its own words.
    unknown : iterable of str
        Its words that nothing is known of; those that stand together are one.
    unplaced : iterable of str
        Its words that are known and fit nowhere.
    """
    there, words = tuple(tools), list(unknown)
    # A single word of everyday English asks for no method.
    texts = dict.fromkeys(text for text in (" ".join(words), *words) if text not in common_words())
    found = next(filter(None, (_of_words(there, text) for text in texts)), None)
    tool = found or _of_name(there, question, " ".join([*words, *unplaced]))
    return f"{tool.name} may be what is meant ({_brief(tool)}): {BY_HAND}." if tool is not None else ""


def _of_words(tools: tuple[Tool, ...], text: str) -> Tool | None:
    """Return the tool nearest to some words whose document holds all of them.

    One must be in what it is called, or be a word of hardly any other tool: not each that speaks of
    neighbours or of quality does what is asked of these.
    """
    asked = _stems(text)
    documents = {tool.name: _stems(f"{text_of(tool)} {tool.returns}") for tool in tools}
    known = Counter(stem for stems in documents.values() for stem in asked & stems)
    rare = {stem for stem, count in known.items() if count <= _RARE}
    found = {
        tool.name: tool
        for tool in tools
        if asked and asked <= documents[tool.name] and asked & (rare | _stems(_called(tool)))
    }
    nearest = nearest_tools(tools, text, len(tools)) if found else ()
    return next((found[name] for name, _ in nearest if name in found), None)


def _called(tool: Tool) -> str:
    """Return what a tool is called, without what its first line explains."""
    return f"{tool.name} {re.split(r'[:;,(]', tool.brief)[0]}"


def _of_name(tools: tuple[Tool, ...], question: str, left_out: str) -> Tool | None:
    """Return the tool for rasters that a question names by words that were not read; the nearest one."""
    usual = Counter(stem for tool in tools for stem in _stems(tool.name))
    asked, unread = _stems(question), _stems(left_out)
    named = {}
    for tool in (tool for tool in tools if tool.outputs):
        # By its own name, or that of a band of what it writes; what it writes is a map.
        for name in (tool.name, *tool.bands):
            own = {stem for stem in _stems(name) if usual[stem] < _USUAL}
            if own - _TIMES and own <= asked and (own | _MAP) & unread:
                named[tool.name] = tool
    nearest = nearest_tools(tools, question, len(tools)) if named else ()
    return next((named[name] for name, _ in nearest if name in named), None)


def _stems(text: str) -> frozenset[str]:
    """Return the words of a text without the endings that differ between singular, plural and verb."""
    words = re.findall(r"[^\W\d_]+", text.casefold().replace("_", " "))
    return frozenset(re.sub(r"(ing|ed|s|e)+$", "", word) for word in words if len(word) >= _SHORTEST)


def _brief(tool: Tool) -> str:
    brief = tool.brief.rstrip(".")
    return f"{brief[:1].lower()}{brief[1:]}" if brief[1:2].islower() else brief
