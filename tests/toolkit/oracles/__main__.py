"""Writes the table of the oracles."""

from tests.toolkit.oracles.table import README, text

README.write_text(text(), "utf-8")
