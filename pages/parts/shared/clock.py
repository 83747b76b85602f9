"""Moments of the record, which are UTC, as the clock of the browser shows them."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

import streamlit as st


def moment_text(moment: datetime, form: str = "%Y-%m-%d %H:%M") -> str:
    """Return a moment as a person reads it: ``2021-07-12 10:30``."""
    return moment.astimezone(zone_of(st.context.timezone)).strftime(form)


def moment_column(form: str = "YYYY-MM-DD HH:mm", **how: Any) -> Any:
    """Return the column of a table for moments."""
    return st.column_config.DatetimeColumn(format=form, timezone=str(zone_of(st.context.timezone)), **how)


def zone_of(name: str | None) -> tzinfo:
    """Return the time zone of a name; UTC for none, and for one that is not known."""
    try:
        return ZoneInfo(name) if name else UTC
    except (KeyError, OSError, ValueError):  # the name comes from the browser
        return UTC
