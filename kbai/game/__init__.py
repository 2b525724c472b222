"""Set-up and pieces: the values a game is made of."""
