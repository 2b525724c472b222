"""An engine for the board game Kingdom Builder."""
