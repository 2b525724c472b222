"""What many reviewed games say about a player."""
