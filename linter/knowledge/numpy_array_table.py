"""Methods and attributes of NumPy's arrays: they need concrete arguments."""

from __future__ import annotations

METHODS = {
    "ndarray": """
item(*args) -> static[float]
tolist() -> static[list]
tobytes(order=) -> static[bytes]
all any max min ptp(axis=, out=, keepdims=, initial=, where=) -> host[, reduce(self, axis, keepdims)]
sum prod(axis=, dtype=, out=, keepdims=, initial=, where=) -> host[, reduce(self, axis, keepdims)]
mean(axis=, dtype=, out=, keepdims=, *, where=) -> host[, reduce(self, axis, keepdims)]
std var(axis=, dtype=, out=, ddof=, keepdims=, *, where=, mean=, correction=) ->
    host[, reduce(self, axis, keepdims)]
argmax argmin(axis=, out=, *, keepdims=) -> host[, reduce(self, axis, keepdims)]
cumsum cumprod(axis=, dtype=, out=) -> host[, cumulate(self, axis)]
reshape(*shape!:TypeError, order=, copy=) -> host[, reshape(self, shape)]
ravel flatten(order=) -> host[, ravel(self)]
transpose(*axes) -> host[, transpose(self, axes)]
swapaxes(axis1, axis2, /) -> host[, swap(self, axis1, axis2)]
squeeze(axis=) -> host[, squeeze(self, axis)]
repeat(repeats, axis=) -> host[, repeat(self, repeats, axis)]
take(indices, axis=, out=, mode=) -> host[, take(self, indices, axis)]
astype(dtype, order=, casting=, subok=, copy=) -> host[, same(self)]
view(dtype=, type=) -> host[]
clip(min=, max=, out=, **kwargs) -> host[, same(self)]
round(decimals=, out=) -> host[, same(self)]
conj conjugate(out=) -> host[, same(self)]
copy(order=) -> host[, same(self)]
byteswap(inplace=) -> host[, same(self)]
argsort(axis=, kind=, order=, *, stable=) -> host[, same(self)]
argpartition(kth, axis=, kind=, order=) -> host[, same(self)]
searchsorted(v, side=, sorter=) -> host[, same(v)]
dot(other, /, out=) -> host[, dot(self, other)]
diagonal(offset=, axis1=, axis2=) -> host[]
trace(offset=, axis1=, axis2=, dtype=, out=) -> host[]
nonzero() -> static[tuple]
compress(condition, axis=, out=) -> host[]
choose(choices, out=, mode=) -> host[]
fill(value) -> host[:ValueError]
tofile(fid, sep=, format=) -> effect[file]
dump(file) -> effect[file]
""",
}
