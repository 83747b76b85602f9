"""Treeline: a workbench in which remote-sensing questions are answered in plain sight."""


def __getattr__(name: str) -> str:
    """Read ``__version__`` from the installed metadata when it is asked for: most commands never do."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("treeline")
    except PackageNotFoundError:  # a checkout that is on the path without being installed
        return "0"
