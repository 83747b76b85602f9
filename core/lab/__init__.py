"""Benchmarks and their metrics: Earth-Bench, GeoPlan-bench, recorded calls, cost of context."""
