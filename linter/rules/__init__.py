"""One module a rule; the registry finds them by itself."""

from .registry import Rule, all_rules, rule

__all__ = ["Rule", "all_rules", "rule"]
