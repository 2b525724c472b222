"""Positions as terminal text and as SVG."""
