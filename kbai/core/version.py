"""Which kbai this is."""

from __future__ import annotations

from importlib import metadata


def installed_version() -> str | None:
    """Return the version that is installed; None in a folder that only has the sources."""
    try:
        return metadata.version("kbai")
    except metadata.PackageNotFoundError:
        return None


__version__: str = installed_version() or "unknown"
