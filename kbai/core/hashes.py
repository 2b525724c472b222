"""Hashes of texts, the same on every machine and in every process."""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:  # it is a private name; its public home also loads OpenSSL
    from hashlib import blake2b

__all__ = ["blake2b"]
