"""The scripts, one a revision."""
