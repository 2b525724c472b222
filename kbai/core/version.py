"""Which kbai this is."""

from __future__ import annotations


def installed_version() -> str | None:
    """Return the version that is installed; None in a folder that only has the sources."""
    from importlib import metadata  # which takes long to load, and most commands need no version

    try:
        return metadata.version("kbai")
    except metadata.PackageNotFoundError:
        return None


def __getattr__(name: str) -> str:
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return installed_version() or "unknown"
