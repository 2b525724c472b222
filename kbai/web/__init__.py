"""The analysis board in the browser: a local server and its page."""
