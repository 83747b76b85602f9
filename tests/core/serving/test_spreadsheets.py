"""Tables as CSV open in a spreadsheet as what they are."""

from __future__ import annotations

import csv
import io

import numpy as np

from treeline.core.serving.spreadsheets import csv_text


def test_texts_stay_texts_and_numbers_read_back_as_they_are():
    rows = [("=1+1", -0.1 - 0.2, None), ("-a", np.float64(1e-17), -3), ("forest, mixed", 2.0, "@b")]
    read = list(csv.reader(io.StringIO(csv_text(["+name", "value", "more"], rows))))
    assert read[0] == ["'+name", "value", "more"]
    assert [row[0] for row in read[1:]] == ["'=1+1", "'-a", "forest, mixed"]
    assert [float(row[1]) for row in read[1:]] == [-0.1 - 0.2, 1e-17, 2.0]
    assert [row[2] for row in read[1:]] == ["", "-3", "'@b"]


def test_what_excel_would_misread_says_how_it_is_written():
    assert csv_text(["date", "value [°C]"], [("2021-06-03", 21.5)]).startswith("\ufeffdate,value [°C]\n")
    assert csv_text(["date", "value"], [("2021-06-03", 0.5)]) == "date,value\n2021-06-03,0.5\n"
