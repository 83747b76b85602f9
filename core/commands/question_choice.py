"""Which of a benchmark's questions a bench asks, as every bench declares it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treeline.core.lab.selection import Selection


def add_selection(parser: argparse.ArgumentParser) -> None:
    """Declare the choice of questions."""
    for name, what in (("--only", "work on these alone"), ("--exclude", "leave these out")):
        parser.add_argument(name, nargs="+", action="extend", default=[], metavar="ID", help=what)
    parser.add_argument("--sample", type=int, metavar="SEED", help="take them at random")
    parser.add_argument("--limit", type=_count, metavar="N", help="most questions")


def add_tools(parser: argparse.ArgumentParser) -> None:
    """Declare which tools are shown."""
    parser.add_argument(
        "--tools",
        default="all",
        metavar="reference|all",
        help="the 104 of the reference toolkit alone, or all; +75 adds so many made-up ones (default: all)",
    )


def selection(options: argparse.Namespace) -> Selection:
    """Return the choice that the options make."""
    from treeline.core.lab.selection import Selection

    return Selection(_names(options.only), _names(options.exclude), options.sample, options.limit)


def _names(given: list[str]) -> tuple[str, ...]:
    """Return the identifiers, written apart or with commas."""
    return tuple(name for text in given for name in text.replace(",", " ").split())


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number of questions; it is 1 or more")
    return number
