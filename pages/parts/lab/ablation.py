"""What each part of the evolver is worth: the settings beside one another, and what each costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from treeline.core.lab.ablation import MEASURES, SETTINGS
from treeline.pages.parts.lab.charts import show_groups_chart
from treeline.pages.parts.shared.look import table_height

_WHOLE = next(iter(SETTINGS))
_COSTS = ("steps", "seconds", "tokens")


def show_settings(report: Mapping[str, Any]) -> None:
    """Show the measures of each setting, and its costs as shares of the whole team's."""
    means = report["by_setting"]
    shares = cost_shares(means)
    if shares:
        show_groups_chart(shares[_WHOLE], {n: s for n, s in shares.items() if n != _WHOLE}, whole=_WHOLE)
        st.caption("Costs of a question; 1 is what the whole team needs.")
    st.dataframe(
        setting_rows(means),
        hide_index=True,
        height=table_height(len(means), 260),
        key="lab-settings",
        alt="The settings and what a question took under each",
        column_config={name.capitalize(): _number(name) for name in MEASURES},
    )


def cost_shares(means: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Return the costs of each setting against those of the whole; empty while the whole has none."""
    whole = means.get(_WHOLE)
    if not whole or not all(whole[cost] for cost in _COSTS):
        return {}
    return {name: {cost: mean[cost] / whole[cost] for cost in _COSTS} for name, mean in means.items()}


def setting_rows(means: Mapping[str, Mapping[str, float | None]]) -> list[dict[str, Any]]:
    """Return a row for each setting: the mean of each measure over its questions."""
    return [
        {"Setting": name, **{measure.capitalize(): mean[measure] for measure in MEASURES}}
        for name, mean in means.items()
    ]


def _number(measure: str) -> Any:
    return st.column_config.NumberColumn(format="percent" if measure in ("answered", "right") else "%.1f")
