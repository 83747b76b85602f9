"""Meanings of words and phrases: what stands in the cells of the chart, one module a concept.

A phrase with a node has a value of its own; the others wait for what they apply to. The class is
the category by which rules find each other.
"""
