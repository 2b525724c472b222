"""The library behind ``import kbai``: values and functions that speak in text and numbers."""
