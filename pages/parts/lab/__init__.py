"""Parts of the Lab page: benches, their form, state and results."""
