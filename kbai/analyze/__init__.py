"""The JSON-lines service."""
