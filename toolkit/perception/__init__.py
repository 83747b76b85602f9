"""Perception."""
