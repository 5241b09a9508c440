"""Edits of texts: fixes applied, shown as diffs, and `noqa` comments written."""
