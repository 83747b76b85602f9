"""The largest part of a question that can be read, for who asks for it instead of a refusal.

Long questions come with background, purposes, definitions and steps. What is found in them, variables,
limits, times, places, statistics, is put together step after step; words that nothing takes up are named.
"""

from treeline.core.query.largest.part import Part, largest_part

__all__ = ["Part", "largest_part"]
