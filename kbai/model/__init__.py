"""What was learned from games: features, weights, and how they are read."""
