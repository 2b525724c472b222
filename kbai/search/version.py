"""The version of the search: answers that one version has given are of no use to another.

`SIGNATURE` is what the benchmark gives for `SIGNATURE_VISITS` visits. It stands here as a constant,
so that nobody has to run the benchmark to know it; a test compares the two.
"""

from __future__ import annotations

SIGNATURE_VISITS = 64
SIGNATURE = "af8a8624b420"
