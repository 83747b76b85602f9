"""The tables of the papers as data: what is worked out, and the published values with their place."""
