"""The benchmark's own formulas, quirks included, where they differ from the published ones."""
