"""Spectral and environmental indices computed from bands."""
