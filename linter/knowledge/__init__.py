"""What is known of libraries: tables, one module a library, and the look-up that the interpreter uses."""

from .catalogue import Catalogue, catalogue, catalogue_for
from .schema import Parameter, Result, Signature

__all__ = ["Catalogue", "Parameter", "Result", "Signature", "catalogue", "catalogue_for"]
