"""Profiles: other implementations of the same tools, registered as variants."""
