"""Years before 1900: dates where there are images as old, numbers elsewhere."""

from __future__ import annotations

import datetime as dt

import pytest

from treeline.core.query.dates import date_at
from treeline.core.query.phrases.times import Time

OLD, NEW = dt.date(1850, 1, 16), dt.date(2021, 6, 1)


@pytest.mark.parametrize("text", ["january 1850", "1850-01", "1850", "1850-01-16", "16 january 1850"])
def test_an_old_year_is_a_date_where_there_are_images_as_old(text: str) -> None:
    end, (found,) = date_at(text, 0, {OLD, NEW}) or (0, ())
    assert end == len(text) and isinstance(found, Time)
    assert any(span.first.year == 1850 for span in found.when.spans)


@pytest.mark.parametrize("text", ["1850", "1850-01-16"])
@pytest.mark.parametrize("known", [{NEW}, set()])
def test_an_old_year_is_a_number_elsewhere(text: str, known: set[dt.date]) -> None:
    assert date_at(text, 0, known) is None
