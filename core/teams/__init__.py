"""Teams: who works together on one question.

``solo`` is one policy. ``evolver`` follows GeoEvolver: sub-goals for executors, variants side by
side, a judge, a memory bank. ``layered`` follows HTAM (arXiv 2511.17198): sub-agents in three
layers, planned from the top, carried out from the bottom. A member's work is a run of its own
inside the team's; whatever has a form by rules has one by a language model beside it.

======================  ==============================================================================
where                   what
======================  ==============================================================================
``names``, ``model``    the teams by name; members, sub-goals and contracts
``work``                what a team is handed: its run, its data, ways to hire members
``joining``             how a run becomes a team's, and how a member's run differs from one of its own
``evolver``             GeoEvolver: ``retrieval``, ``strategies``, ``judges``, ``learning``
``layered``             HTAM: ``subagents`` with their tools
``orchestrator``        from a question to sub-goals with contracts, for both teams
``dispatch``            sub-goals handed out in order and in parallel, with retries
``crew``                members at work; ``executors`` are their policies
``adopting``            what was taken becomes the team's own record; ``report`` and
                        ``bank_history`` read it back
``language``            what a language model does: goals, layers, verdicts, lessons
``geoplan``             the layered plan alone, scored on GeoPlan-bench
======================  ==============================================================================
"""

from __future__ import annotations

from treeline.core.teams.names import TEAMS

__all__ = ["TEAMS"]
