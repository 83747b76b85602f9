"""A team at work: its members, its board, what it cost."""
