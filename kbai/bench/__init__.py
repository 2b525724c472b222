"""Speed, and the signature of the search."""
