"""A person at the table: a game under way, with variations, undo, hints and bots."""
