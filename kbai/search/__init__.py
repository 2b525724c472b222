"""The best turns of a position, and what they are worth."""
