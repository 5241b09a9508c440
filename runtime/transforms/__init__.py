"""Transforms: functions that trace other functions, and the control flow that they go through."""
