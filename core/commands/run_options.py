"""The options of the commands that work on questions."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from treeline.core.commands.addresses import fetch_addresses
from treeline.core.commands.model import add_model
from treeline.core.context.names import AUTO
from treeline.core.disclosure.names import DISCLOSURES, LEAST_TOKENS
from treeline.core.policies.names import PLANNER, POLICY_NAMES, UNATTENDED, USUAL
from treeline.core.teams import TEAMS
from treeline.core.teams.names import SOLO
from treeline.toolkit.errors import InputError

_CHOSEN = (
    "policy",
    "disclosure",
    "seed",
    "profile",
    "team",
    "variants",
    "executors",
    "rounds",
    "card",
    "partial",
)


def add_question(parser: argparse.ArgumentParser) -> None:
    """Declare a question and the rasters that it is asked of."""
    parser.add_argument("question", nargs="?", default="")
    parser.add_argument(
        "--data",
        nargs="+",
        action="extend",
        required=True,
        metavar="PATH",
        help="GeoTIFFs, folders, or addresses of GeoTIFFs on the web (#west,south,east,north for a part)",
    )


def question_and_data(options: argparse.Namespace) -> tuple[str, list[str]]:
    """Return the question and the paths that :func:`add_question` declares.

    A question after ``--data`` is taken for one more path by the parser; nothing of its name is there.

    Raises
    ------
    InputError
        There is no question.
    """
    if options.question:
        return options.question, fetch_addresses(options.data)
    *paths, last = options.data
    if paths and " " in last and not Path(last).exists():
        return last, fetch_addresses(paths)
    raise InputError("There is no question.", 'Put it first: treeline ask "..." --data PATH.')


def add_run_options(
    parser: argparse.ArgumentParser, profile: str, *, partial: bool = False, attended: bool = False
) -> None:
    """Declare how questions are worked on; profile and partial are the defaults.

    Parameters
    ----------
    attended : bool
        Whether a person is there, who may choose the actions.
    """
    policies = POLICY_NAMES if attended else UNATTENDED
    parser.add_argument("--policy", choices=sorted(policies), default=PLANNER)
    parser.add_argument(
        "--disclosure",
        choices=sorted(DISCLOSURES),
        default=USUAL,
        help=f"how tools become known (default: {LEAST_TOKENS} for a language model, which reads least by "
        "it; progressive otherwise)",
    )
    add_seed(parser, "of a model's choices, and ", None)
    parser.add_argument("--profile", choices=("science", "earth_bench"), default=profile)
    parser.add_argument(
        "--rounds", type=int, default=1, help="how many attempts at most; only a failed one is repeated"
    )
    parser.add_argument(
        "--team",
        choices=TEAMS,
        default=SOLO,
        help="who works on a question (default: solo); without a model a team finds no more: bench worth",
    )
    add_team_size(parser)
    parser.add_argument(
        "--partial",
        action=argparse.BooleanOptionalAction,
        default=partial,
        help="carry out the largest part of a question that is understood",
    )
    parser.add_argument(
        "--card", default=AUTO, metavar="ID", help="task card to work by: an id, auto (the best) or none"
    )
    add_model(parser)


def add_seed(parser: argparse.ArgumentParser, of: str = "", default: int | None = 0) -> None:
    """Declare the seed: of the disclosure by a random tree, and of something else that is named."""
    parser.add_argument("--seed", type=int, default=default, help=f"{of}seed of the disclosure random_tree")


def add_team_size(parser: argparse.ArgumentParser) -> None:
    """Declare how large a team may become."""
    parser.add_argument("--variants", type=int, default=2, help="variants that a team explores in parallel")
    parser.add_argument("--executors", type=int, default=3, help="most sub-goals of a team")


def run_options_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return what was chosen of the options that :func:`add_run_options` declares."""
    return {name: getattr(options, name) for name in _CHOSEN} | {"seed": options.seed or 0}
