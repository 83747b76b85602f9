"""Treeline: a workbench in which remote-sensing questions are answered in plain sight."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("treeline")
except PackageNotFoundError:  # a checkout that is on the path without being installed
    __version__ = "0"
