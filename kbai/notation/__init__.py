"""Text to game and back, with errors that name a place."""
