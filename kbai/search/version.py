"""The version of the search: answers kept from one version are of no use to another.

`SIGNATURE` is the signature of the benchmark with `SIGNATURE_VISITS` visits. It is a constant, so
that nobody has to run the benchmark to know it; a test compares the two.
"""

from __future__ import annotations

SIGNATURE_VISITS = 64
SIGNATURE = "af8a8624b420"
# Goes up with a change of the rules, which the positions of the benchmark need not meet.
RULES = 2
