"""What every turn of a game cost."""
