"""Set-up, pieces and steps: the values a game is made of."""
