"""How tool information reaches the policy, and which tools may therefore be called.

Five strategies of RS-Claw (arXiv 2605.13391): ``progressive``, its baselines ``flat`` and
``retrieval``, its ablations ``two_layer`` and ``random_tree``. Two of our own: ``adaptive`` and
``self_built``.
"""
