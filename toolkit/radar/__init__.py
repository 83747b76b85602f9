"""Kit Radar: backscatter."""
