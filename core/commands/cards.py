"""``treeline cards``: the task cards; ``treeline cards search``: those that fit a question."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from treeline.core.commands import COMMANDS
from treeline.core.commands.outcome import Outcome, add_command
from treeline.toolkit.errors import InputError

if TYPE_CHECKING:
    from treeline.knowledge import CardLibrary


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the command."""
    parser = add_command(commands, common, "cards", COMMANDS["cards"].summary, run)
    parser.add_argument("action", nargs="?", choices=("list", "show", "search"), default="list")
    parser.add_argument("text", nargs="*", help="the question to search for, or the id of the card to show")
    parser.add_argument("--limit", type=int, default=10, help="at most so many cards are found (default 10)")


def run(options: argparse.Namespace) -> Outcome:
    """List the cards, show one, or search them."""
    # What reads and compares cards takes long, which the options of the command do without.
    from treeline.core.context.cards import COMMON

    library = COMMON.library()
    text = " ".join(options.text).strip()
    if options.action != "list" and not text:
        raise InputError(
            f"`cards {options.action}` needs a text.", "Give a question to search for, or the id of a card."
        )
    return _ACTIONS[options.action](library, text, options.limit)


def _list(library: CardLibrary, text: str, limit: int) -> Outcome:
    cards = library.cards()
    lines: list[str] = []
    for card in cards:
        heading = f"{card.domain}: {card.sub_domain}"
        if heading not in lines:
            lines += ["", heading]
        lines.append(f"  {card.id}: {card.title}")
    return Outcome([card.content() for card in cards], "\n".join([*lines[1:], *library.problems]))


def _show(library: CardLibrary, text: str, limit: int) -> Outcome:
    card = library.get(text)
    return Outcome([card.content()], card.guidance)


def _search(library: CardLibrary, text: str, limit: int) -> Outcome:
    from treeline.core.context.cards import COMMON

    search = COMMON.search()
    found = search.search(text, limit)
    lines = [
        f"{m.score:.3f}  {m.id}  (cosine {m.cosine:.3f}, title {m.title:.3f}, keywords {m.keywords:.3f}, "
        f"content {m.content:.3f})  {search.cards[m.id].title}"
        for m in found
    ]
    return Outcome([match.as_dict() for match in found], "\n".join(lines) or "No card fits this question.")


_ACTIONS = {"list": _list, "show": _show, "search": _search}
