"""A second oracle for every tool: what its author did not use, on random scenes.

A tool is held against another library, another formulation of its method, or a property that the method has
(it does not change when a constant is added, when a raster is turned, when its inverse is taken). The oracles
register themselves; a tool without one fails ``tests/toolkit/test_oracles.py``. ``python -m
tests.toolkit.oracles`` writes their table, ``README.md``.
"""
