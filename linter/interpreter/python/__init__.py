"""Python's own objects: classes and their instances, containers, text, builtins, and the standard library."""
