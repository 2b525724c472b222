"""An engine for the board game Kingdom Builder."""

import os

from kbai._cpu import has_avx2

# The compiled modules are there twice where that pays, see setup.py; the first one found counts.
# KBAI_BASELINE, set to anything, keeps to those that run everywhere.
if has_avx2() and not os.environ.get("KBAI_BASELINE"):
    __path__.insert(0, os.path.join(__path__[0], "avx2"))
