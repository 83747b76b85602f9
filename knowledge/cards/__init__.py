"""The built-in task cards, one YAML file per sub-domain."""
