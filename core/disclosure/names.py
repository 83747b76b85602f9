"""The strategies of disclosure by name."""

from __future__ import annotations

DISCLOSURES = ("adaptive", "progressive", "self_built", "two_layer", "retrieval", "flat", "random_tree")

LEAST_TOKENS = "adaptive"
"""The strategy that costs least where expert trajectories are replayed.

Tokens a question of 143, every tool reached (``treeline bench context --way found``), with all tools and with
the reference's 104: 30,820 and 29,420; ``progressive`` 58,142 and 43,417; ``two_layer`` 103,104 and 57,535;
``flat`` 615,627 and 233,185. On the fifth that was set aside it is 22,854 against 50,013 of ``progressive``,
and without task cards 56,794 and 39,221.
"""
