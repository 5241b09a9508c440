"""Calls of library functions as the knowledge tables tell them, and the objects that libraries make."""
