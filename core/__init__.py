"""The engine: actions, environment, disclosure, policies, runs, the record."""
