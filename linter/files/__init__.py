"""Files: found, decoded, and as the linter sees them; what of a notebook is Python, and what a project holds."""
