"""Why one turn is better than another: gold by source, and what is different on the board."""
