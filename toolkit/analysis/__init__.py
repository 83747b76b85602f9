"""Kits Analysis (trends, seasons, breaks, hot spots) and Series (maps from stacks through time)."""
