"""The strategies of disclosure by name."""

from __future__ import annotations

PROGRESSIVE = "progressive"
DISCLOSURES = (PROGRESSIVE, "adaptive", "self_built", "two_layer", "retrieval", "flat", "random_tree")
