"""Which bands of a catalogue are shown: words, roles, a period of the calendar, what needs a look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from treeline.pages.parts.data.catalogue import BANDS, COLLECTIONS, DATES, SCENES, Row
from treeline.pages.parts.shared.address import keep_choice, keep_several, put_in_address
from treeline.pages.parts.shared.choice import search_words
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.session import keep, values_of, widget_value

MANY = 200
"""Of more bands than these a person sees the collections first."""

_PERIOD = "catalogue-period"
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LACKS: Mapping[str, Callable[[Row], bool]] = {
    "Role not recognised": lambda row: row.source.band.role in (None, "unknown"),
    "No date": lambda row: not row.date,
    "Scale not known": lambda row: not row.source.band.scale_known,
    "No data in doubt": lambda row: bool(row.source.band.doubtful),
    "No CRS": lambda row: row.source.description.crs is None,
    "Duplicate": lambda row: row.twin is not None,
}


def show_finding(rows: Sequence[Row], workspace: str) -> tuple[list[Row], str, bool]:
    """Show what the catalogue can be narrowed by.

    Returns
    -------
    tuple
        The rows that are left, by what they are grouped, and whether several are to be chosen at once.
    """
    groupings = [BANDS, COLLECTIONS, SCENES, DATES]
    keep_choice(f"catalogue-grouping-{workspace}", BANDS if len(rows) <= MANY else COLLECTIONS, groupings)
    keep(f"catalogue-several-{workspace}", False)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="catalogue-row"):
        grouping = st.segmented_control(
            "Rows",
            groupings,
            default=widget_value(f"catalogue-grouping-{workspace}"),
            required=True,
            label_visibility="collapsed",
            key=f"catalogue-grouping-{workspace}",
        )
        words = search_words(
            "Search files, roles, dates, sensors", key=f"catalogue-words-{workspace}", width=250
        )
        offered = sorted({_role(row) for row in rows})
        keep_several(f"catalogue-roles-{workspace}", offered)
        roles = st.multiselect(
            "Variables",
            offered,
            values_of(f"catalogue-roles-{workspace}", offered),
            placeholder="Any role",
            label_visibility="collapsed",
            key=f"catalogue-roles-{workspace}",
            width=200,
        )
        period = _show_calendar(rows, workspace)
        found = [name for name, lacks in _LACKS.items() if any(map(lacks, rows))]
        only = _show_lacks(found, workspace) if found else []
        several = st.toggle(
            "Several",
            widget_value(f"catalogue-several-{workspace}"),
            key=f"catalogue-several-{workspace}",
            help="Choose many at once, and correct them together.",
        )
    left = [
        row
        for row in rows
        if _fits(row, words or "")
        and (not roles or _role(row) in roles)
        and row.date.startswith(period)
        and (not only or any(_LACKS[name](row) for name in only))
    ]
    if len(left) < len(rows):
        st.caption(f"{len(left):,} of {len(rows):,} bands are shown.")
    return left, grouping or BANDS, several


def _show_lacks(found: Sequence[str], workspace: str) -> list[str]:
    keep_several(f"catalogue-lacks-{workspace}", found)
    return st.multiselect(
        "Only",
        found,
        values_of(f"catalogue-lacks-{workspace}", found),
        placeholder="Needs a look",
        label_visibility="collapsed",
        key=f"catalogue-lacks-{workspace}",
        width=170,
    )


def _role(row: Row) -> str:
    return row.source.band.role or "unknown"


def _fits(row: Row, words: str) -> bool:
    raster = row.source.description
    text = f"{row.handle} {raster.path.name} {row.source.band.name} {_role(row)} {row.date} {raster.sensor}"
    return all(word in text.casefold() for word in words.casefold().split())


def _show_calendar(rows: Sequence[Row], workspace: str) -> str:
    """Show how many files there are of each month; return the year or the month that is chosen."""
    dates = {row.source.path: row.date for row in rows if row.date}
    months = Counter(date[:7] for date in dates.values())
    if not months:
        return ""
    state = f"{_PERIOD}-{workspace}"
    years = sorted({month[:4] for month in months})
    if state not in st.session_state:
        asked = st.query_params.get("period", "")
        st.session_state[state] = asked if any(month.startswith(asked) for month in months) else ""
    period = str(st.session_state[state] or "")
    put_in_address("period", period)
    ends = years[0] if len(years) == 1 else f"{years[0]}–{years[-1]}"
    with st.popover(
        period or f"Calendar {ends}",
        icon=":material/calendar_month:",
        key=f"{state}-calendar",
        help="How many files there are of each month",
        on_change="rerun",
    ) as popover:
        # What a popover holds is made though it is closed, unless it tells when it is opened (`on_change`).
        if not popover.open:
            return period
        st.caption("Files of each month. Click on a year or a month to see its files alone.")
        table = f"{state}-table"
        st.dataframe(
            [_year(year, months) for year in years],
            hide_index=True,
            key=table,
            selection_mode="single-cell",
            on_select=lambda: st.session_state.update({state: _chosen_month(table, years)}),
            height=table_height(len(years), 400),
            width=620,
            column_config={name: st.column_config.TextColumn(name, width=38) for name in _MONTHS},
            alt="Files of each month",
        )
        if period:
            st.button(
                "All dates", icon=":material/close:", on_click=st.session_state.update, args=({state: ""},)
            )
    return period


def _year(year: str, months: Mapping[str, int]) -> dict[str, Any]:
    # As texts: a table shows the place of a number that is not there as "None".
    counts = {name: str(months.get(f"{year}-{i:02d}") or "") for i, name in enumerate(_MONTHS, start=1)}
    return {"Year": year} | counts


def _chosen_month(table: str, years: Sequence[str]) -> str:
    cells = st.session_state[table].selection.cells
    if not cells:
        return ""
    row, column = cells[0]
    return years[row] + (f"-{_MONTHS.index(column) + 1:02d}" if column in _MONTHS else "")
