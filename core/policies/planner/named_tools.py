"""Tools that a question asks for and no question reaches: told by the tools' own documents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from treeline.core.disclosure.search import nearest_tools, text_of
from treeline.toolkit.tool import Tool

# How it is run where no question does.
BY_HAND = "run it by its form on the Tools page, or have a language model call it"
# Words of so many tools' names (calculate, batch, image) tell none of them.
_USUAL = 5
# Shorter words (of, in, by) are in every document.
_SHORTEST = 3
_MAP = frozenset({"map"})


def told_tool(
    tools: Iterable[Tool], question: str, unknown: Iterable[str], unplaced: Iterable[str] = ()
) -> str:
    """Return in a sentence which tool does what a question asks for; empty where none is sure to.

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
    texts = dict.fromkeys([" ".join(words), *words])
    found = next(filter(None, (_of_words(there, text) for text in texts)), None)
    tool = found or _of_name(there, question, " ".join([*words, *unplaced]))
    return f"{tool.name} does that ({_brief(tool)}): {BY_HAND}." if tool is not None else ""


def _of_words(tools: tuple[Tool, ...], text: str) -> Tool | None:
    """Return the tool nearest to some words whose document holds all of them, one in its first lines."""
    stems = _stems(text)
    documents = {
        tool.name: tool for tool in tools if stems and stems <= _stems(f"{text_of(tool)} {tool.returns}")
    }
    for name, _ in nearest_tools(tools, text, len(tools)):
        if name in documents and stems & _stems(f"{documents[name].name} {documents[name].brief}"):
            return documents[name]
    return None


def _of_name(tools: tuple[Tool, ...], question: str, left_out: str) -> Tool | None:
    """Return the tool for rasters that a question names by words that were not read; the nearest one."""
    usual = Counter(stem for tool in tools for stem in _stems(tool.name))
    asked, unread = _stems(question), _stems(left_out)
    named = {}
    for tool in (tool for tool in tools if tool.outputs):
        # By its own name, or that of a band of what it writes; what it writes is a map.
        for name in (tool.name, *tool.bands):
            own = {stem for stem in _stems(name) if usual[stem] < _USUAL}
            if own and own <= asked and (own | _MAP) & unread:
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
