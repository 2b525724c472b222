"""Seeds by name: the same on every machine and in every process."""

from __future__ import annotations

from kbai.core.hashes import blake2b


def derive_seed(seed: int, *labels: object) -> int:
    """Return a 64-bit seed for the part of a run that ``labels`` name."""
    text = ":".join(map(str, (seed, *labels)))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
