"""Teams: who works together on one question.

``solo`` is one policy. ``evolver`` follows GeoEvolver: sub-goals for executors, variants side by
side, a judge, a memory bank. ``layered`` follows HTAM (arXiv 2511.17198): sub-agents in three
layers, planned from the top, carried out from the bottom.
"""

from __future__ import annotations

from core.teams.names import TEAMS

__all__ = ["TEAMS"]
