"""What the server counts as it happens; ``/metrics`` tells it, with what the record holds."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram

REGISTRY = CollectorRegistry()

RUN_SECONDS = Histogram(
    "treeline_run_seconds",
    "Seconds from the beginning of a run to its end, by how it ended.",
    ["status"],
    buckets=(1, 2, 5, 10, 30, 60, 120, 300, 900),
    registry=REGISTRY,
)
TOKENS = Counter(
    "treeline_tokens",
    "Tokens of language models, as the endpoint reports them.",
    ["direction"],
    registry=REGISTRY,
)
TILE_SECONDS = Histogram(
    "treeline_tile_seconds",
    "Seconds to answer for a tile, by the answer's code.",
    ["code"],
    buckets=(0.05, 0.1, 0.2, 0.5, 1, 2, 5, 15),
    registry=REGISTRY,
)
UPLOADS = Counter("treeline_uploads", "Uploads by the answer's code.", ["code"], registry=REGISTRY)
UPLOADED = Counter("treeline_uploaded_bytes", "Bytes of uploads that were kept.", registry=REGISTRY)
REFUSED = Counter("treeline_refused", "Requests over the limit of their kind.", ["kind"], registry=REGISTRY)
