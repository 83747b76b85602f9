"""Policies: each chooses the next action from the decision state. ``registry`` has them by name."""
