"""The fuzzer behind ``scripts/fuzz.py``: it knows the text forms and imports no parser."""
