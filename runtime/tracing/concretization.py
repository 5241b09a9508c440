"""What happens when Python asks a tracer for its value: the value, if there is one, or the error that explains itself."""

from __future__ import annotations

from typing import Any, NoReturn

from ..core import Array, Tracer

_ATTRIBUTES = frozenset(
    {
        "addressable_shards",
        "committed",
        "global_shards",
        "is_fully_addressable",
        "is_fully_replicated",
        "traceback",
    }
)
_WITHOUT_VALUE = frozenset({"block_until_ready", "copy_to_host_async"})


def concretize(tracer: Tracer, conversion: str) -> Array:
    """The Array behind `tracer`, for ``bool``, ``int``, ``index`` or ``item``.

    Raises:
        ValueError: the truth of an array of several elements.
        TypeError: an array that is not a scalar where a number is wanted.
        ConcretizationTypeError: there is no value; TracerBoolConversionError and TracerIntegerConversionError likewise.
    """
    _check_scalar(tracer, conversion)
    concrete = tracer.to_concrete_value()
    return refuse(tracer, conversion) if concrete is None else concrete


def _check_scalar(tracer: Tracer, conversion: str) -> None:
    shape = tracer.aval.shape
    if conversion == "bool":
        if tracer.aval.size > 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
            )
        if tracer.aval.size == 0:
            raise ValueError(
                "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that it is not empty."
            )
    elif conversion in ("int", "float", "complex") and shape:
        raise TypeError(f"Only scalar arrays can be converted to Python scalars; got arr.ndim={len(shape)}")
    elif conversion == "index" and (shape or tracer.aval.dtype.kind not in "iu"):
        raise TypeError("Only integer scalar arrays can be converted to a scalar index.")


def refuse(tracer: Tracer, conversion: str) -> NoReturn:
    """Raise the error of a conversion for which no value is available."""
    from .. import errors

    _check_scalar(tracer, conversion)
    if conversion == "bool":
        raise errors.TracerBoolConversionError(tracer)
    if conversion == "index":
        raise errors.TracerIntegerConversionError(tracer)
    if conversion == "array":
        raise errors.TracerArrayConversionError(tracer)
    if conversion == "item":
        raise errors.ConcretizationTypeError(tracer, "This occurred in the item() method of jax.Array")
    if conversion in ("int", "float", "complex"):
        raise errors.ConcretizationTypeError(
            tracer,
            f"The problem arose with the `{conversion}` function. If trying to convert the data type of a value, try "
            f"using `x.astype({conversion})` or `jnp.array(x, {conversion})` instead.",
        )
    raise errors.ConcretizationTypeError(
        tracer, f"The {conversion}() method was called on {tracer._error_repr()}.{tracer._origin_msg()}"
    )


def missing_attribute(tracer: Tracer, name: str) -> Any:
    """The result of ``tracer.name`` for a name that needs the memory of an array: a method that refuses.

    Raises:
        ConcretizationTypeError: when it is no method.
        AttributeError: when libraries ask whether there is such a method.
    """
    if name == "sharding":
        raise AttributeError(
            f"The 'sharding' attribute is not available on {tracer._error_repr()}. To query sharding information on "
            "tracers, use `jax.typeof(x)`."
        )
    if name in _WITHOUT_VALUE:
        raise AttributeError(
            f"The '{name}' method is not available on {tracer._error_repr()}.{tracer._origin_msg()}"
        )
    if name in _ATTRIBUTES:
        from ..errors import ConcretizationTypeError

        raise ConcretizationTypeError(
            tracer,
            f"The '{name}' attribute is not available on {tracer._error_repr()}.{tracer._origin_msg()}",
        )
    return lambda *args, **kwargs: refuse(tracer, name)


def escaped(tracer: Tracer) -> Exception:
    """The error for a tracer met outside of the transform that made it."""
    from ..errors import UnexpectedTracerError

    return UnexpectedTracerError(
        "Encountered an unexpected tracer. A function transformed by JAX had a side effect, allowing for a reference to "
        f"an intermediate value with type {tracer.aval.str_short()} wrapped in a {type(tracer).__name__} to escape the "
        "scope of the transformation.\n"
        "JAX transformations require that functions explicitly return their outputs, and disallow saving intermediate "
        f"values to global state.{leak_message(tracer)}\n"
        "To catch the leak earlier, try setting the environment variable JAX_CHECK_TRACER_LEAKS or using the "
        "`jax.checking_leaks` context manager."
    )


def leak_message(tracer: Tracer) -> str:
    """Which function was being traced when the tracer leaked, and the line that made the tracer."""
    describe = getattr(tracer._trace, "describe_leak", None)
    return "" if describe is None else str(describe(tracer))
