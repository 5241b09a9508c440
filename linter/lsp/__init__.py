"""The language server: the third door."""
