"""What each person uses of what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from treeline.core.runs.quotas import PRICES, SETTING, Quotas
from treeline.core.runs.reach.administration import Usage
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.services import administration

_GIB = 2**30


def show_quotas() -> None:
    """Show what people use now and in the last 24 hours, beside what is allowed to each."""
    quotas = Quotas.from_environment()
    with_disk = st.toggle("Count what their workspaces hold", key="quotas-disk", help="Reads every folder.")
    used = administration().usage(disk=with_disk)
    st.dataframe(
        [_row(each) for each in used],
        hide_index=True,
        height=table_height(len(used), 480),
        column_config=_columns(_limits_of(quotas), with_disk=with_disk),
        alt="What people use, and what is allowed",
    )
    a_minute = f"{_limit(quotas.asks, 'questions')}, {_limit(quotas.uploads, 'uploads')}"
    st.caption(
        f"`{SETTING}` and `{PRICES}` of the server say what is allowed. Besides: {quotas.runs} runs of all "
        f"at once, and {quotas.model_runs} of language models, of one person {quotas.model_runs_each}; "
        f"of one run {_limit(quotas.seconds, 'seconds')}; of one workspace "
        f"{_limit(quotas.files, 'files')} and {_gibibytes(quotas.disk)}; of one person in a minute "
        f"{a_minute} and {_limit(quotas.tiles, 'tiles')}."
    )


def _row(used: Usage) -> dict[str, Any]:
    return {
        "Person": used.person,
        "At work": used.at_work,
        "Waiting or at work": used.unfinished,
        "Tokens": used.tokens,
        "Money": used.money,
        "Workspaces": used.workspaces,
        "Disk": None if used.disk is None else used.disk / _GIB,
    }


def _limits_of(quotas: Quotas) -> Mapping[str, str]:
    """Return what one person may have of each column, in words."""
    return {
        "At work": str(quotas.runs_each),
        "Waiting or at work": str(quotas.queue_each),
        "Tokens": _limit(quotas.tokens),
        "Money": _limit(quotas.money),
        "Workspaces": _limit(quotas.workspaces),
        "Disk": _gibibytes(quotas.disk_each),
    }


def _columns(allowed: Mapping[str, str], *, with_disk: bool) -> dict[str, Any]:
    told = {"Tokens": "Tokens, 24 h", "Money": "Money, 24 h", "Disk": "Disk, GiB"}
    forms = {"Money": "%.2f", "Disk": "%.2f", "Tokens": "localized"}
    columns: dict[str, Any] = {
        name: st.column_config.NumberColumn(f"{told.get(name, name)} (of {limit})", format=forms.get(name))
        for name, limit in allowed.items()
    }
    return columns if with_disk else {**columns, "Disk": None}


def _limit(number: int, what: str = "") -> str:
    return f"{number:,} {what}".strip() if number else f"any {what}".strip()


def _gibibytes(number: int) -> str:
    return f"{number / _GIB:,.3g} GiB" if number else "any"
