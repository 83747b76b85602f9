"""Kit Classification: classes from bands, and how good they are."""
