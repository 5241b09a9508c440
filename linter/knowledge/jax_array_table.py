"""Methods and attributes of jax arrays, tracers among them, and of `x.at[...]`.

A tracer answers as an array does, except where it is asked for its value.
"""

from __future__ import annotations

_UPDATE = "*, indices_are_sorted=, unique_indices=, mode=, out_sharding=, wrap_negative_indices="

METHODS = {
    "Array": """
# A Python value
is_integer() -> concrete[AttributeError, static[bool]]
bit_length bit_count() -> concrete[AttributeError, static[int]]
as_integer_ratio() -> concrete[AttributeError, static[tuple]]
hex() -> concrete[AttributeError, static[str]]
to_bytes(length=, byteorder=, *, signed=) -> concrete[AttributeError, static[bytes]]
item(*args) -> convert[item]
tolist() -> convert[tolist]
tobytes(order=) -> host[:ConcretizationTypeError]
__int__() -> convert[int]
__float__() -> convert[float]
__complex__() -> convert[complex]
__index__() -> convert[index]
__bool__() -> model[truth]
__array__(dtype=, context=, copy=) -> host[]

# Reductions
all any(axis!=, out=, keepdims!:ValueError=, *, where=) -> array[reduce(self, axis, keepdims), bool]
max min(axis!=, out=, keepdims!:ValueError=, initial=, where=) ->
    array[reduce(self, axis, keepdims), same(self)]
ptp(axis!=, out=, keepdims!:ValueError=) -> array[reduce(self, axis, keepdims), same(self)]
sum prod(axis!=, dtype!:TypeError=, out=, keepdims!:ValueError=, initial=, where=,
    promote_integers!:ValueError=) -> array[reduce(self, axis, keepdims), dtype|sum(self)]
mean(axis!=, dtype!:TypeError=, out=, keepdims!:ValueError=, *, where=) ->
    array[reduce(self, axis, keepdims), dtype|float(self)]
std var(axis!=, dtype!:TypeError=, out=, ddof=, keepdims!:ValueError=, *, where=, correction=) ->
    array[reduce(self, axis, keepdims), dtype|magnitude(self)]
argmax argmin(axis!:TracerIntegerConversionError=, out=, keepdims!:TracerBoolConversionError=) ->
    array[reduce(self, axis, keepdims), int32]
cumsum cumprod(axis!:ValueError=, dtype!:TypeError=, out=) -> array[cumulate(self, axis), dtype|sum(self)]
trace(offset=, axis1!:ValueError=, axis2!:ValueError=, dtype!:TypeError=, out=) -> array[?, ?]

# Shape
reshape(*args!shape:TypeError, order=, out_sharding=) -> array[reshape(self, args), same(self)]
ravel flatten(order=, *, out_sharding=) -> array[ravel(self), same(self)]
transpose(*args!axis:TracerIntegerConversionError) -> array[transpose(self, args), same(self)]
swapaxes(axis1!:ValueError, axis2!:ValueError) -> array[swap(self, axis1, axis2), same(self)]
squeeze(axis!=) -> array[squeeze(self, axis), same(self)]
diagonal(offset!:ValueError=, axis1!:ValueError=, axis2!:ValueError=) -> array[?, same(self)]
repeat(repeats!|total_repeat_length, axis!=, *, total_repeat_length!:TracerBoolConversionError=,
    out_sharding=) -> array[repeat(self, repeats, axis, total_repeat_length), same(self)]

# Elements
astype(dtype!:TypeError, copy=, device=) -> array[same(self), dtype]
view(dtype!:TypeError=, type=) -> array[?, dtype]
clip(min=, max=) -> array[broadcast(self, min, max), promote(self, min, max)]
__round__(ndigits!other:TracerBoolConversionError=) -> array[same(self), same(self)]
round(decimals!:ValueError=, out=) -> array[same(self), same(self)]
conj conjugate copy() -> array[same(self), same(self)]
byteswap(inplace=) -> array[same(self), same(self)]
dot(b, *, precision=, preferred_element_type=) -> array[dot(self, b), preferred_element_type|promote(self, b)]
sort(axis!:ValueError=, *, kind=, order=, stable!:ValueError=, descending!:ValueError=) ->
    array[same(self), same(self)]
argsort(axis!:ValueError=, *, kind=, order=, stable!:ValueError=, descending!:ValueError=) ->
    array[same(self), int32]
argpartition(kth!:ValueError, axis!:ValueError=) -> array[same(self), int32]
searchsorted(v, side=, sorter=, *, method=) -> array[same(v), int32]
take(indices, axis!:TracerIntegerConversionError=, out=, mode=, unique_indices!:ValueError=,
    indices_are_sorted!:ValueError=, fill_value!:ValueError=) -> array[take(self, indices, axis), same(self)]
nonzero(*, fill_value=, size!=) -> dynamic[size, list[shape(size), int32]]
compress(condition, axis!=, *, out=, size!:TracerBoolConversionError=, fill_value=) ->
    dynamic[size:TracerBoolConversionError, array[?, same(self)]]
choose(choices, out=, mode=) -> dynamic[mode, array[?, ?]]

# Devices
block_until_ready() -> concrete[AttributeError, same[self]]
clone() -> same[self]
to_device(device, *, stream=) -> same[self]
copy_to_host_async() -> concrete[AttributeError, none]
delete() -> concrete[ConcretizationTypeError, none]
devices() -> concrete[ConcretizationTypeError, static[set]]
is_deleted() -> concrete[ConcretizationTypeError, static[bool]]
is_ready() -> concrete[AttributeError, static[bool]]
addressable_data(index) -> concrete[ConcretizationTypeError, same[self]]
on_device_size_in_bytes unsafe_buffer_pointer() -> concrete[ConcretizationTypeError, static[int]]
__dlpack__(*, stream=, max_version=, dl_device=, copy=) -> concrete[ConcretizationTypeError, unknown]
__dlpack_device__() -> concrete[AttributeError, static[tuple]]

# What NumPy's arrays have and jax arrays refuse
fill(value) -> mutate[fill]
put(indices, values, mode=) -> mutate[put]
resize(new_shape, refcheck=) -> mutate[resize]
itemset(*args) -> mutate[itemset]
setfield(val, dtype, offset=) -> mutate[setfield]
partition(kth, axis=, kind=, order=) -> mutate[partition]
setflags(write=, align=, uic=) -> mutate[setflags]
""",
    "At": f"""
set add subtract multiply mul divide power max min(values, {_UPDATE}) -> array[same(self), same(self)]
apply(func, *, indices_are_sorted=, unique_indices=, mode=, wrap_negative_indices=) -> trace[at_apply]
get(*, indices_are_sorted=, unique_indices=, mode=, fill_value=, out_sharding=, wrap_negative_indices=) ->
    unknown
""",
}

COMMON = {
    "Array": frozenset(
        "sharding device format flags strides base committed traceback choose compress delete devices clone is_ready "
        "fill put resize partition".split()
    )
}

ATTRIBUTES = {
    "Array": {
        "shape": "shape",
        "ndim": "static:int",
        "size": "static:int",
        "itemsize": "static:int",
        "nbytes": "static:int",
        "dtype": "static:dtype",
        "weak_type": "static:bool",
        "aval": "static:aval",
        "sharding": "concrete:AttributeError,Sharding",
        "device": "concrete:AttributeError,Device",
        "format": "concrete:AttributeError,Format",
        "_value": "concrete:AttributeError,ndarray",
        "_npy_value": "concrete:AttributeError,ndarray",
        # what arrays of NumPy have alone
        "flags": "concrete:AttributeError,flags",
        "strides": "concrete:AttributeError,tuple",
        "base": "concrete:AttributeError,ndarray",
        "ctypes": "concrete:AttributeError,ctypes",
        "committed": "concrete:ConcretizationTypeError,bool",
        "is_fully_addressable": "concrete:ConcretizationTypeError,bool",
        "is_fully_replicated": "concrete:ConcretizationTypeError,bool",
        "addressable_shards": "concrete:ConcretizationTypeError,list",
        "global_shards": "concrete:ConcretizationTypeError,list",
        "traceback": "concrete:ConcretizationTypeError,Traceback",
        "T": "array:transpose(self),same(self)",
        "mT": "array:matrix_transpose(self),same(self)",
        "real": "array:same(self),real(self)",
        "imag": "array:same(self),real(self)",
        "flat": "array:ravel(self),same(self)",
        "at": "at",
    },
}
