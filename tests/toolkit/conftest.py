"""The registry is filled in its own order, whatever a test module imports first."""

from toolkit import registry

registry()
