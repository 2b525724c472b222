"""Results as text, Markdown, JSON and HTML, from one document model."""
