"""GDAL settings of the process and sizes of the stream, in one place."""

from __future__ import annotations

import os

# GDAL takes a twentieth of the memory for its block cache and reads this once, at first use.
# A stream reads and writes whole tiles, so it needs few of them. Worker processes import this module too.
os.environ.setdefault("GDAL_CACHEMAX", "16")

TILE = 512
WINDOW = 1024
OVERVIEWS_ABOVE = 1024
STREAM_BYTES = 160 * 2**20
OPEN_FILES = 256
# What is decoded and computed at once fits the processor's cache, with its intermediate results.
CACHED_PIXELS = 1 << 17
