"""Kit Change: two dates compared."""
