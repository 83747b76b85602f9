"""Sizes of the stream, in one place."""

from __future__ import annotations

TILE = 512
WINDOW = 1024
OVERVIEWS_ABOVE = 1024
STREAM_BYTES = 160 * 2**20
OPEN_FILES = 256
# What is decoded and computed at once fits the processor's cache, with its intermediate results.
CACHED_PIXELS = 1 << 17
