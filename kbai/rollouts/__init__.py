"""Games played on from a position by small searches, to find out what its turns are worth."""
