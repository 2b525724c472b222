"""What anything may use: errors, seeds, intervals."""
