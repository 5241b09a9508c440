"""The settings: what can be chosen, how each is written, and the files where they stand."""
