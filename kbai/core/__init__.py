"""What anything may use: errors, seeds, statistics."""
