"""Sizes of the stream, in one place."""

from __future__ import annotations

# Side of a tile in a file. The format wants a multiple of 16; a tile of the map then opens few of them.
TILE = 512
# Side of what is read at once: whole tiles, so that none is decoded twice.
WINDOW = 1024
OVERVIEWS_ABOVE = 1024
# Of all windows that are worked on at a time, whatever the size of the raster.
STREAM_BYTES = 160 * 2**20
# A process may usually have 1,024, and others need some too.
OPEN_FILES = 256
# What is decoded and computed at once fits the processor's cache, with its intermediate results.
CACHED_PIXELS = 1 << 17
