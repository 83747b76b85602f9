"""The page of pinned answers."""
