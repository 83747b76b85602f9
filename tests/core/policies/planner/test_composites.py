"""Numbers on composites of many dates, ranges, and what is better made by calling a tool."""

from __future__ import annotations
