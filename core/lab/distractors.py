"""Made-up tools of other fields, to see how a strategy copes with tools that no question needs.

In the place of the general-purpose tools that RS-Claw (arXiv 2605.13391), section IV-D, adds from
API-Bank and ToolBench: names, briefs and documents of the usual form. They can be read, not called
with any use.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from treeline.toolkit.tool import Gives, Tool, build_tool
from treeline.toolkit.tree import Kit, SkillTree

_FIELDS: dict[str, tuple[str, str]] = {
    "Calendar": (
        "Appointments and reminders",
        "meeting reminder holiday deadline invitation agenda shift birthday",
    ),
    "Accounts": (
        "Sign-in and user accounts",
        "password session profile permission login token device membership",
    ),
    "Banking": (
        "Money in accounts",
        "transfer balance loan deposit card_limit statement overdraft standing_order",
    ),
    "Health": (
        "Care of patients",
        "prescription symptom vaccination appointment diagnosis allergy dosage heart_rate",
    ),
    "Music": (
        "Songs and those who play them",
        "song playlist album lyrics concert artist chord karaoke_track",
    ),
    "Travel": (
        "Journeys and where to stay",
        "flight hotel visa train_seat itinerary luggage ferry rental_car",
    ),
    "Shopping": (
        "Goods and orders",
        "order basket coupon parcel refund wishlist invoice product_review",
    ),
    "Cooking": (
        "Food and how to make it",
        "recipe ingredient menu calorie oven_timer pantry diet table_booking",
    ),
    "Sport": (
        "Matches and training",
        "match league training_plan player_transfer scoreboard referee stadium_ticket medal",
    ),
    "News": (
        "What happened",
        "headline article column podcast obituary editorial press_release newsletter",
    ),
    "Advertising": (
        "Campaigns and who sees them",
        "campaign banner audience keyword_bid slogan sponsor click landing_page",
    ),
    "Education": (
        "Schools and courses",
        "course exam timetable scholarship homework lecture diploma tutor",
    ),
    "Law": (
        "Contracts and courts",
        "contract lawsuit trademark clause will hearing licence power_of_attorney",
    ),
    "Jobs": (
        "Work and those who seek it",
        "vacancy application salary interview payslip resignation reference pension",
    ),
    "Home": (
        "Devices of a home",
        "lamp thermostat doorbell vacuum_cleaner lock blind alarm washing_machine",
    ),
    "Messages": (
        "Mail and chat",
        "email chat contact voicemail newsletter_list attachment emoji group_call",
    ),
    "Games": (
        "Play",
        "chess_move quest leaderboard card_deck dice avatar level puzzle",
    ),
    "Languages": (
        "Words and their meaning",
        "translation synonym spelling idiom pronunciation crossword poem transcript",
    ),
    "Cars": (
        "Vehicles",
        "oil_change parking tyre insurance_claim fuel_receipt inspection toll charging_stop",
    ),
    "Films": (
        "Films and series",
        "film trailer cinema_seat subtitle actor award episode soundtrack",
    ),
}

_DEEDS: dict[str, str] = {
    "find": "Find every {thing} that matches some words.",
    "create": "Create a new {thing} and return its number.",
    "cancel": "Cancel a {thing} that is not needed any more.",
    "update": "Change the details of a {thing}.",
    "share": "Share a {thing} with another person.",
    "rate": "Give a {thing} between one and five stars.",
    "archive": "Put a {thing} away where it can still be read.",
}

MOST = len(_FIELDS) * 8 * len(_DEEDS)


def with_distractors(tree: SkillTree, count: int) -> SkillTree:
    """Return a tree with so many tools of other fields besides its own.

    Raises
    ------
    ValueError
        More are wanted than :data:`MOST`.
    """
    if not 0 <= count <= MOST:
        raise ValueError(f"There are at most {MOST} made-up tools, not {count}.")
    extra: dict[str, tuple[Tool, ...]] = {}
    for tool in islice(_tools(), count):
        extra[tool.kit] = (*extra.get(tool.kit, ()), tool)
    kits = {name: Kit(name, f"{_FIELDS[name][0]}.") for name in extra}
    return SkillTree({**tree.kits, **kits}, {**tree.tools, **extra})


def _tools() -> Iterator[Tool]:
    """Yield tools, one of each field in turn."""
    # Built once: the schema of the arguments is the same for all, and building it takes longer than a copy.
    template = build_tool(_act, kit="", source="Made up.", gives=Gives("text"))
    for deed, brief in _DEEDS.items():
        for number in range(8):
            # The field changes fastest, so that a small number of tools is spread over all fields.
            for field, (_, things) in _FIELDS.items():
                thing = things.split()[number]
                name = f"{deed}_{field.lower()}_{thing}"
                words = brief.format(thing=thing.replace("_", " "))
                yield replace(template, name=name, kit=field, brief=words)


def _act(name: str, details: str = "", limit: int = 10, notify: bool = False) -> str:
    """Do something in another field.

    Parameters
    ----------
    name : str
        Name or number of the thing.
    details : str
        Words that describe it further; empty for none.
    limit : int
        How many entries are returned at most.
    notify : bool
        Tell those concerned by a message.

    Returns
    -------
    str
        What was done, in a sentence.
    """
    return f"{name}: nothing was done."
