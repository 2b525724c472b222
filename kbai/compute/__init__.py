"""Tasks on cores and machines, and files that keep their results."""
