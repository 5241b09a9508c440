"""What is known of libraries: tables, one module a library, and the look-up that the interpreter uses."""

from .catalogue import Catalogue, catalogue
from .schema import Parameter, Result, Signature

__all__ = ["Catalogue", "Parameter", "Result", "Signature", "catalogue"]
