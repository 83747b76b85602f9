"""Parts of the Workbench: the question, the run's steps and series, the map with its controls."""
