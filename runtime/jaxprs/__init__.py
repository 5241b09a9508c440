"""Jaxprs: the programs that tracing records, printed, checked, applied again and run."""
