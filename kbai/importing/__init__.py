"""Games recorded elsewhere: logs and replay pages of Board Game Arena."""
