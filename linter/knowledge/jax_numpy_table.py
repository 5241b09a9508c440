"""jax.numpy, with its linalg and fft: which arguments must be static, and the shape and dtype of results.

Static parameters and their errors as JAX 0.10.2 raises them for a tracer; tests hold the lines against it.
"""

from __future__ import annotations

FUNCTIONS = {
    "jax.numpy": """
abs absolute(x, /) -> array[same(x), real(x)]
acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh cbrt cos cosh deg2rad
    degrees exp exp2 expm1 fabs log log10 log1p log2 rad2deg radians reciprocal rint sin sinc sinh sqrt
    tan tanh spacing(x, /) -> array[same(x), float(x)]
i0(x) -> array[same(x), float(x)]
ceil floor bitwise_invert bitwise_not conj conjugate invert positive sign square(x, /) ->
    array[same(x), same(x)]
trunc(x) -> array[same(x), same(x)]
negative(x, /, out=, where=) -> array[same(x), same(x)]
around round(a, decimals!:ValueError=, out=) -> array[same(a), same(a)]
nan_to_num(x, copy=, nan=, posinf=, neginf=) -> array[same(x), same(x)]
copy(a, order=) -> array[same(a), same(a)]
sort(a, axis!:ValueError=, *, kind=, order=, stable!:ValueError=, descending!:ValueError=) ->
    array[sorted_along(a, axis), same(a)]
partition(a, kth!:ValueError, axis!:ValueError=) -> array[same(a), same(a)]
sort_complex(a) -> array[same(a), complex(a)]
fliplr flipud(m) -> array[same(m), same(m)]
flip(m, axis!=) -> array[same(m), same(m)]
roll(a, shift, axis!=) -> array[same(a), same(a)]
unwrap(p, discont=, axis!:ValueError=, period=) -> array[same(p), same(p)]
tril triu(m, k!other:ValueError=) -> array[same(m), same(m)]
bitwise_count(x, /) -> array[same(x), uint8]
isfinite isinf isnan logical_not signbit(x, /) -> array[same(x), bool]
isneginf isposinf(x, /, out=) -> array[same(x), bool]
isreal iscomplex(x) -> array[same(x), bool]
add subtract multiply maximum minimum bitwise_and bitwise_or bitwise_xor(x, y, /, out=, where=) ->
    array[broadcast(x, y), promote(x, y)]
logaddexp logaddexp2(x, y, /, out=, where=) -> array[broadcast(x, y), float(x, y)]
logical_and logical_or logical_xor(x, y, /, out=, where=) -> array[broadcast(x, y), bool]
bitwise_left_shift left_shift(x, y, /) -> array[broadcast(x, y), promote(x, y)]
nextafter float_power(x, y, /) -> array[broadcast(x, y), float(x, y)]
bitwise_right_shift right_shift floor_divide fmod mod pow power remainder(x1, x2, /) ->
    array[broadcast(x1, x2), promote(x1, x2)]
copysign heaviside hypot ldexp(x1, x2, /) -> array[broadcast(x1, x2), float(x1, x2)]
fmax fmin gcd lcm(x1, x2) -> array[broadcast(x1, x2), promote(x1, x2)]
arctan2 atan2 divide true_divide(x1, x2, /) -> array[broadcast(x1, x2), float(x1, x2)]
equal not_equal greater greater_equal less less_equal(x, y, /) -> array[broadcast(x, y), bool]
isclose(a, b, rtol=, atol=, equal_nan!:ValueError=) -> array[broadcast(a, b), bool]
allclose(a, b, rtol=, atol=, equal_nan!:ValueError=) -> array[scalar, bool]
array_equal(a1, a2, equal_nan!:TracerBoolConversionError=) -> array[scalar, bool]
array_equiv(a1, a2) -> array[scalar, bool]
divmod(x1, x2, /) -> array*2[broadcast(x1, x2), promote(x1, x2)]
frexp(x, /) -> array*2[same(x), ?]
modf(x, /, out=) -> array*2[same(x), float(x)]
clip(arr=, /, min=, max=) -> array[broadcast(arr, min, max), promote(arr, min, max)]
all any(a, axis!=, out=, keepdims!:ValueError=, *, where=) -> array[reduce(a, axis, keepdims), bool]
amax amin max min(a, axis!=, out=, keepdims!:ValueError=, initial=, where=) ->
    array[reduce(a, axis, keepdims), same(a)]
nanmax nanmin(a, axis!:ValueError=, out=, keepdims!:ValueError=, initial=, where=) ->
    array[reduce(a, axis, keepdims), same(a)]
ptp(a, axis!=, out=, keepdims!:ValueError=) -> array[reduce(a, axis, keepdims), same(a)]
sum prod(a, axis!=, dtype!:TypeError=, out=, keepdims!:ValueError=, initial=, where=,
    promote_integers!:ValueError=) -> array[reduce(a, axis, keepdims), dtype|sum(a)]
nansum nanprod(a, axis!:ValueError=, dtype!:TypeError=, out=, keepdims!:ValueError=, initial=, where=) ->
    array[reduce(a, axis, keepdims), dtype|sum(a)]
mean(a, axis!=, dtype!:TypeError=, out=, keepdims!:ValueError=, *, where=) ->
    array[reduce(a, axis, keepdims), dtype|float(a)]
nanmean(a, axis!:ValueError=, dtype!:TypeError=, out=, keepdims!:ValueError=, where=) ->
    array[reduce(a, axis, keepdims), dtype|float(a)]
std var(a, axis!=, dtype!:TypeError=, out=, ddof=, keepdims!:ValueError=, *, where=, mean=, correction=)
    -> array[reduce(a, axis, keepdims), dtype|magnitude(a)]
nanstd nanvar(a, axis!:ValueError=, dtype!:TypeError=, out=, ddof=, keepdims!:ValueError=, where=, mean=)
    -> array[reduce(a, axis, keepdims), dtype|magnitude(a)]
median nanmedian(a, axis!:ValueError=, out=, overwrite_input=, keepdims!:ValueError=) ->
    array[reduce(a, axis, keepdims), float(a)]
quantile nanquantile nanpercentile(a, q, axis!:ValueError=, out=, overwrite_input=, method=,
    keepdims!:ValueError=, *, weights=) -> array[quantiles(a, q, axis, keepdims), float(a)]
percentile(a, q, axis!:ValueError=, out=, overwrite_input=, method=, keepdims!:ValueError=, *, weights=,
    out_sharding=) -> array[quantiles(a, q, axis, keepdims), float(a)]
average(a, axis!=, weights=, returned!:ValueError=, keepdims!:ValueError=) ->
    when[returned, array*2[reduce(a, axis, keepdims), float(a)], array[reduce(a, axis, keepdims), float(a)]]
argmax argmin nanargmax nanargmin(a, axis!:TracerIntegerConversionError=, out=,
    keepdims!:TracerBoolConversionError=) -> array[reduce(a, axis, keepdims), int32]
count_nonzero(a, axis!:ValueError=, keepdims!:ValueError=) -> array[reduce(a, axis, keepdims), int32]
argsort(a, axis!:ValueError=, *, kind=, order=, stable!:ValueError=, descending!:ValueError=,
    dtype!:TypeError=) -> array[same(a), dtype|int32]
argpartition(a, kth!:ValueError, axis!:ValueError=) -> array[same(a), exactly(int32)]
lexsort(keys, axis!:ValueError=) -> array[?, int32]
cumsum cumprod nancumsum nancumprod(a, axis!:ValueError=, dtype!:TypeError=, out=) ->
    array[cumulate(a, axis), dtype|sum(a)]
cumulative_sum cumulative_prod(x, /, *, axis!:TracerIntegerConversionError=, dtype!:TypeError=,
    include_initial!:TracerBoolConversionError=) -> array[?, dtype|sum(x)]
append(arr, values, axis!:ValueError=) -> array[joined(arr, values, axis), promote(arr, values)]
apply_along_axis(func1d, axis!:TracerIntegerConversionError, arr, *args, **kwargs) ->
    maps[func1d(ARRAY, *args), array]
apply_over_axes(func, a, axes!) -> calls[func(a), array]
piecewise(x, condlist, funclist, *args, **kw) -> traces[funclist(ARRAY, *args:strict), array]
fromfunction(function, shape!:TypeError, *, dtype!:TypeError=, **kwargs) -> maps[function(*shape:index), array]
vectorize(pyfunc, *, excluded=, signature=) -> transform[vectorize]
frompyfunc(func, /, nin!:TracerIntegerConversionError, nout!:TracerIntegerConversionError, *, identity=)
    -> transform[transparent]
mgrid.__getitem__ ogrid.__getitem__(key!size) -> tree
r_.__getitem__ c_.__getitem__(key) -> model[joined_by_index]
arange(start!length, stop!length=, step!length=, dtype!:TypeError=, *, device=, out_sharding=) ->
    array[arange(start, stop, step), dtype|strong(start, stop, step)]
linspace(start, stop, num!=, endpoint!:ValueError=, retstep!:ValueError=, dtype!:TypeError=, axis!=, *,
    device=) ->
    when[retstep, array*2[?, dtype|inexact(start, stop)], array[linspace(start, stop, num), dtype|inexact(start, stop)]]
geomspace(start, stop, num!=, endpoint!:ValueError=, dtype!:TypeError=, axis!=) ->
    array[linspace(start, stop, num), dtype|inexact(start, stop)]
logspace(start, stop, num!=, endpoint!:ValueError=, base=, dtype!:TypeError=, axis!=) ->
    array[linspace(start, stop, num), dtype|inexact(start, stop)]
zeros ones empty(shape!:TypeError, dtype!:TypeError=, *, device=, out_sharding=) ->
    array[shape(shape), dtype|float32]
full(shape!:TypeError, fill_value, dtype!:TypeError=, *, device=, out_sharding=) ->
    array[shape(shape), dtype|of(fill_value)]
zeros_like ones_like(a, dtype!:TypeError=, shape!:TypeError=, *, device=, out_sharding=) ->
    array[shape(shape)|same(a), dtype|same(a)]
empty_like(prototype, dtype!:TypeError=, shape!:TypeError=, *, device=) ->
    array[shape(shape)|same(prototype), dtype|same(prototype)]
full_like(a, fill_value, dtype!:TypeError=, shape!:TypeError=, *, device=, out_sharding=) ->
    array[shape(shape)|same(a), dtype|same(a)]
eye(N!:TypeError, M!:TypeError=, k=, dtype!:TypeError=, *, device=) -> array[eye(N, M), dtype|float32]
identity(n!:TypeError, dtype!:TypeError=) -> array[eye(n), dtype|float32]
tri(N!:TypeError, M=, k=, dtype!:TypeError=) -> array[eye(N, M), dtype|exactly(float32)]
bartlett blackman hamming hanning(M!) -> array[shape(M), float32]
kaiser(M!, beta) -> array[shape(M), float32]
array(object, dtype!:TypeError=, *args, copy!:TracerBoolConversionError=, order=,
    ndmin!:TracerBoolConversionError=, device=, out_sharding=) -> array[of(object), dtype|of(object)]
asarray(a, dtype!:TypeError=, order=, *, copy!:TracerBoolConversionError=, device=, out_sharding=) ->
    array[of(a), dtype|of(a)]
astype(x, dtype!:TypeError, /, *, copy!:TracerBoolConversionError=, device=) -> array[same(x), dtype]
argwhere(a, *, size!=, fill_value=) -> dynamic[size, array[?, int32]]
nonzero flatnonzero(a, *, size!=, fill_value=) -> dynamic[size, list[shape(size), int32]]
where(condition, x=, y=, /, *, size!=, fill_value=) ->
    dynamic[size|x|y, when[x, array[broadcast(condition, x, y), promote(x, y)], list[shape(size), int32]]]
bincount(x, weights=, minlength!=, *, length!=, out_sharding=) -> dynamic[length of x, array[shape(length), ?]]
compress(condition, a, axis!=, *, size!:TracerBoolConversionError=, fill_value=, out=) ->
    dynamic[size:TracerBoolConversionError, array[?, ?]]
extract(condition, arr, *, size!:TracerBoolConversionError=, fill_value=) ->
    dynamic[size:TracerBoolConversionError, array[?, ?]]
intersect1d(ar1, ar2, assume_unique!:ValueError=, return_indices!:ValueError=, *, size!:ValueError=,
    fill_value!:ValueError=) -> dynamic[size, when[return_indices, array*3[?, ?], array[shape(size), promote(ar1, ar2)]]]
setdiff1d(ar1, ar2, assume_unique!:TracerBoolConversionError=, *, size!=, fill_value=) ->
    dynamic[size, array[shape(size), promote(ar1, ar2)]]
setxor1d(ar1, ar2, assume_unique!:ValueError=, *, size!:ValueError=, fill_value=) ->
    dynamic[size, array[shape(size), promote(ar1, ar2)]]
union1d(ar1, ar2, *, size!=, fill_value=) -> dynamic[size, array[shape(size), promote(ar1, ar2)]]
unique_all(x, /, *, size!=, fill_value=) -> dynamic[size, array*4[?, ?]]
unique_counts unique_inverse(x, /, *, size!=, fill_value=) -> dynamic[size, array*2[?, ?]]
unique_values(x, /, *, size!=, fill_value=) -> dynamic[size, array[shape(size), same(x)]]
roots(p, *, strip_zeros!:TracerBoolConversionError=) -> dynamic[strip_zeros, array[?, ?]]
ravel_multi_index(multi_index!|mode, dims!, mode=, order=, *, dtype!:TypeError=) -> array[?, dtype|int32]
array_repr(arr!:TracerArrayConversionError, max_line_width!:TracerArrayConversionError=, precision=,
    suppress_small!:TracerBoolConversionError=) -> host[]
array_str(a!:TracerArrayConversionError, max_line_width!:TracerArrayConversionError=, precision=,
    suppress_small!:TracerBoolConversionError=) -> host[]
array_split split(ary, indices_or_sections!, axis!=) -> list[?, same(ary)]
hsplit vsplit dsplit(ary, indices_or_sections!) -> list[?, same(ary)]
atleast_1d atleast_2d atleast_3d(*arys) -> model[atleast]
block(arrays) -> array[?, ?]
broadcast_arrays(*args) -> list[broadcast(args), ?]
broadcast_shapes(*shapes!shape:TracerArrayConversionError) -> static[tuple]
broadcast_to(array, shape!:TypeError, *, out_sharding=) -> array[shape(shape), same(array)]
can_cast(from_, to, casting=) -> static[bool]
iscomplexobj isrealobj(x) -> static[bool]
isscalar(element) -> static[bool]
isdtype(dtype!:TypeError, kind) -> static[bool]
issubdtype(arg1, arg2) -> static[bool]
iterable(y) -> static[bool]
promote_types(a, b) -> static[dtype]
result_type(*args) -> static[dtype]
ndim(a) -> model[ndim]
shape(a) -> model[shape]
size(a, axis!:TracerIntegerConversionError=) -> model[size]
get_printoptions() -> static[dict]
set_printoptions(*args, **kwargs) -> none
printoptions(*args, **kwargs) -> static[context]
column_stack(tup) -> array[columns(tup), promote(tup)]
dstack(tup, dtype!:TypeError=) -> array[?, dtype|promote(tup)]
concat(arrays, /, *, axis!:TracerIntegerConversionError=) ->
    array[concatenate(arrays, axis), promote(arrays)]
concatenate(arrays, axis!:TracerIntegerConversionError=, dtype!:TypeError=) ->
    array[concatenate(arrays, axis), dtype|promote(arrays)]
stack(arrays, axis!:TracerIntegerConversionError=, out=, dtype!:TypeError=) ->
    array[stack(arrays, axis), dtype|promote(arrays)]
vstack(tup, dtype!:TypeError=) -> array[vstack(tup), dtype|promote(tup)]
hstack(tup, dtype!:TypeError=) -> array[hstack(tup), dtype|promote(tup)]
convolve(a, v, mode=, *, precision=, preferred_element_type=) ->
    array[convolved(a, v, mode), preferred_element_type|promote(a, v)]
correlate(a, v, mode=, *, precision=, preferred_element_type=) ->
    array[correlated(a, v, mode), preferred_element_type|promote(a, v)]
corrcoef(x, y=, rowvar!:ValueError=, dtype!:TypeError=) -> array[covariance(x, y, rowvar), dtype|float(x)]
cov(m, y=, rowvar!:ValueError=, bias!:ValueError=, ddof!:ValueError=, fweights=, aweights=,
    dtype!:TypeError=) -> array[covariance(m, y, rowvar), dtype|float(m)]
cross(a, b, axisa!:ValueError=, axisb!:ValueError=, axisc!:ValueError=, axis!:ValueError=) ->
    array[crossed(a, b, axisa, axisb, axisc, axis), promote(a, b)]
delete(arr, obj!|assume_unique_indices, axis!:TracerIntegerConversionError=, *,
    assume_unique_indices!:TracerBoolConversionError=) -> array[?, same(arr)]
insert(arr, obj, values, axis!=) -> array[?, same(arr)]
diag(v, k!:TracerIntegerConversionError=) -> array[diag(v, k), same(v)]
diagflat(v, k!:TypeError=) -> array[?, same(v)]
diagonal(a, offset!:ValueError=, axis1!:ValueError=, axis2!:ValueError=) -> array[?, same(a)]
diag_indices(n!, ndim!=) -> list[?, int32]
diag_indices_from(arr) -> list[?, int32]
diff(a, n!other:ValueError=, axis!:ValueError=, prepend=, append=) ->
    array[difference(a, n, axis, prepend, append), promote(a, prepend, append)]
ediff1d(ary, to_end=, to_begin=) -> array[?, ?]
digitize(x, bins, right!:ValueError=, *, method=) -> array[same(x), exactly(int32)]
searchsorted(a, v, side=, sorter=, *, method=) -> array[same(v), exactly(int32)]
dot(a, b, *, precision=, preferred_element_type=, out_sharding=) ->
    array[dot(a, b), preferred_element_type|promote(a, b)]
einsum(subscripts, /, *operands, out=, optimize!:TypeError=, precision=, preferred_element_type=,
    _dot_general=, out_sharding=) ->
    array[einsum(subscripts, operands), preferred_element_type|promote(operands)]
einsum_path(subscripts, /, *operands, optimize!:TypeError=) -> static[tuple]
expand_dims(a, axis!) -> array[expand(a, axis), same(a)]
squeeze(a, axis!=) -> array[squeeze(a, axis), same(a)]
fill_diagonal(a, val, wrap=, *, inplace!:TracerBoolConversionError=) -> array[same(a), same(a)]
from_dlpack(x!:TypeError, /, *, device=, copy!:TypeError=) -> array[?, ?]
frombuffer(buffer, dtype!:TypeError=, count!:TracerIntegerConversionError=,
    offset!:TracerIntegerConversionError=) -> array[?, ?]
fromstring(string, dtype!:TypeError=, count!:TracerIntegerConversionError=, *, sep) -> array[?, ?]
fromfile fromiter(*args, **kwargs) -> unknown
load(file, *args, **kwargs) -> unknown
histogram(a, bins!@scalar=, range=, weights=, density!:TracerBoolConversionError=) -> array*2[?, ?]
histogram2d(x, y, bins!=, range=, weights=, density!:TracerBoolConversionError=) -> array*3[?, ?]
histogram_bin_edges(a, bins!=, range=, weights=) -> array[?, float32]
indices(dimensions!shape, dtype!:TypeError=, sparse!:TracerBoolConversionError=) ->
    when[sparse, list[?, dtype|int32], array[?, dtype|int32]]
inner(a, b, *, precision=, preferred_element_type=) ->
    array[inner(a, b), preferred_element_type|promote(a, b)]
interp(x, xp, fp, left=, right=, period=) -> array[same(x), float(x, xp, fp)]
isin(element, test_elements, assume_unique!:ValueError=, invert!:ValueError=, *, method=) ->
    array[same(element), bool]
ix_(*args) -> list[?, ?]
kron(a, b) -> array[kronecker(a, b), promote(a, b)]
matmul(a, b, *, precision=, preferred_element_type=, out_sharding=) ->
    array[matmul(a, b), preferred_element_type|promote(a, b)]
matvec vecmat(x1, x2, /) -> array[?, promote(x1, x2)]
vecdot(x1, x2, /, *, axis!:TracerIntegerConversionError=, precision=, preferred_element_type=) ->
    array[?, preferred_element_type|promote(x1, x2)]
vdot(a, b, *, precision=, preferred_element_type=) -> array[scalar, preferred_element_type|promote(a, b)]
matrix_transpose(x, /) -> array[matrix_transpose(x), same(x)]
meshgrid(*xi, copy!:TracerBoolConversionError=, sparse!:TracerBoolConversionError=, indexing=) ->
    when[sparse, list[?, ?], list[grid(xi, indexing), ?]]
moveaxis(a, source!, destination!) -> array[move(a, source, destination), same(a)]
rollaxis(a, axis!:ValueError, start!:ValueError=) -> array[?, same(a)]
outer(a, b, out=) -> array[outer(a, b), promote(a, b)]
packbits(a, axis!:ValueError=, bitorder=) -> array[?, uint8]
unpackbits(a, axis!:ValueError=, count!:ValueError=, bitorder=) -> array[?, uint8]
pad(array, pad_width!, mode=, **kwargs) -> array[pad(array, pad_width), same(array)]
permute_dims(a, /, axes!:TracerIntegerConversionError) -> array[transpose(a, axes), same(a)]
transpose(a, axes!:TracerIntegerConversionError=) -> array[transpose(a, axes), same(a)]
place(arr, mask, vals, *, inplace!:TracerBoolConversionError=) -> array[same(arr), same(arr)]
put(a, ind, v, mode=, *, inplace!:TracerBoolConversionError=) -> array[same(a), same(a)]
put_along_axis(arr, indices, values, axis!:ValueError, inplace!:ValueError=, *, mode=) ->
    array[same(arr), same(arr)]
poly(seq_of_zeros) -> array[?, ?]
polyadd polysub(a1, a2) -> array[?, promote(a1, a2)]
polymul(a1, a2, *, trim_leading_zeros!:TracerBoolConversionError=) -> array[?, promote(a1, a2)]
polyder(p, m!other:ValueError=) -> array[?, ?]
polyint(p, m!other:ValueError=, k=) -> array[?, ?]
polydiv(u, v, *, trim_leading_zeros!:TracerBoolConversionError=) -> array*2[?, ?]
polyval(p, x, *, unroll!:ValueError=) -> array[same(x), promote(p, x)]
ravel(a, order=, *, out_sharding=) -> array[ravel(a), same(a)]
repeat(a, repeats!|total_repeat_length, axis!=, *, total_repeat_length!:TracerBoolConversionError=,
    out_sharding=) -> array[repeat(a, repeats, axis, total_repeat_length), same(a)]
reshape(a, shape!:TypeError, order=, *, copy=, out_sharding=) -> array[reshape(a, shape), same(a)]
resize(a, new_shape!:ValueError) -> array[shape(new_shape), same(a)]
rot90(m, k!other:ValueError=, axes!:ValueError=) -> array[?, same(m)]
save(file, arr!:TracerArrayConversionError, allow_pickle=) -> effect[file]
savez(file, *args!:TracerArrayConversionError, allow_pickle=, **kwds) -> effect[file]
select(condlist, choicelist, default=) ->
    array[selected(condlist, choicelist), promote(choicelist, default)]
swapaxes(a, axis1!:ValueError, axis2!:ValueError) -> array[swap(a, axis1, axis2), same(a)]
take(a, indices, axis!:TracerIntegerConversionError=, out=, mode=, unique_indices!:ValueError=,
    indices_are_sorted!:ValueError=, fill_value!:ValueError=) -> array[take(a, indices, axis), same(a)]
take_along_axis(arr, indices, axis!:ValueError=, mode=, fill_value!:ValueError=, *,
    wrap_negative_indices!:ValueError=) -> array[along(arr, indices, axis), same(arr)]
tensordot(a, b, axes!:TypeError=, *, precision=, preferred_element_type=, out_sharding=) ->
    array[contracted(a, b, axes), preferred_element_type|promote(a, b)]
tile(A, reps!:TypeError) -> array[tile(A, reps), same(A)]
trace(a, offset=, axis1!:ValueError=, axis2!:ValueError=, dtype!:TypeError=, out=) ->
    array[trace(a, axis1, axis2), dtype|sum(a)]
trapezoid(y, x=, dx=, axis!:ValueError=) -> array[reduce(y, axis)|leading(y, 1), float(y)]
tril_indices triu_indices(n!, k!=, m=) -> array*2[?, int32]
tril_indices_from triu_indices_from(arr, k!=) -> array*2[?, int32]
finfo(dtype) -> static[finfo]
iinfo(int_type) -> static[iinfo]
dtype(dtype, align=, copy!:TracerBoolConversionError=, **kwargs) -> static[dtype]
unravel_index(indices, shape) -> list[same(indices), ?]
unstack(x, /, *, axis!:ValueError=) -> list[?, same(x)]
vander(x, N!:ValueError=, increasing!:ValueError=) -> array[powers(x, N), same(x)]
real imag(val, /) -> array[same(val), real(val)]
angle(z, deg!:ValueError=) -> array[same(z), magnitude(z)]
unique(ar, return_index!:TracerBoolConversionError=, return_inverse!:TracerBoolConversionError=,
    return_counts!:TracerBoolConversionError=, axis!:TracerIntegerConversionError=, *,
    equal_nan!:ValueError=, size!=, fill_value=, sorted=) ->
    dynamic[size, when[return_index|return_inverse|return_counts, tree, array[?, same(ar)]]]
gradient(f, *varargs, axis!:ValueError=, edge_order=) -> tree
histogramdd(sample, bins!=, range=, weights=, density!:TracerBoolConversionError=) -> tree
polyfit(x, y, deg!:ValueError, rcond!:ValueError=, full!:ValueError=, w=, cov!:ValueError=) ->
    when[full|cov, tree, array[?, ?]]
trim_zeros(filt, trim=, axis!:TracerIntegerConversionError=) -> dynamic[]
mask_indices(n!:TypeError, mask_func, k!:ValueError=, *, size!=) -> dynamic[]
choose(a, choices, out=, mode=) -> dynamic[mode, array[?, ?]]
""",
    "jax.numpy.linalg": """
cholesky(a, *, upper!:ValueError=, symmetrize_input!:ValueError=) -> array[same(a), float(a)]
inv(a) -> array[same(a), float(a)]
pinv(a, rtol=, hermitian!:ValueError=, *, rcond=) -> array[same(a), float(a)]
cond(x, p=) -> array[?, float(x)]
det(a) -> array[leading(a, 2), float(a)]
cross(x1, x2, /, *, axis!:TracerIntegerConversionError=) -> array[crossed(x1, x2, axis), promote(x1, x2)]
diagonal(x, /, *, offset!:ValueError=) -> array[?, same(x)]
eig(a) -> array*2[leading(a, 1) & same(a), complex(a)]
eigh(a, UPLO=, symmetrize_input!:ValueError=) -> array*2[leading(a, 1) & same(a), magnitude(a) & float(a)]
eigvals(a) -> array[leading(a, 1), complex(a)]
eigvalsh(a, UPLO=, *, symmetrize_input!:ValueError=) -> array[leading(a, 1), magnitude(a)]
lstsq(a, b, rcond=, *, numpy_resid=) -> array*4[?, ?]
matmul(x1, x2, /, *, precision=, preferred_element_type=) ->
    array[matmul(x1, x2), preferred_element_type|promote(x1, x2)]
matrix_norm(x, /, *, keepdims!:ValueError=, ord!:ValueError=) ->
    when[keepdims, array[?, magnitude(x)], array[leading(x, 2), magnitude(x)]]
matrix_power(a, n!other:ValueError) -> array[same(a), same(a)]
matrix_rank(M, rtol=, *, hermitian!:ValueError=, tol=) -> array[?, int32]
matrix_transpose(x, /) -> array[matrix_transpose(x), same(x)]
multi_dot(arrays, *, precision=) -> array[?, promote(arrays)]
norm(x, ord!:ValueError=, axis!:ValueError=, keepdims!:ValueError=) ->
    array[reduce(x, axis, keepdims), magnitude(x)]
outer(x1, x2, /) -> array[outer(x1, x2), promote(x1, x2)]
qr(a, mode=) -> when[mode, tree, array*2[tall(a) & wide(a), float(a)]]
slogdet(a, *, method=) -> array*2[leading(a, 2), float(a)]
solve(a, b) -> array[same(b), float(a, b)]
svd(a, full_matrices!:ValueError=, compute_uv!:ValueError=, hermitian!:ValueError=, subset_by_index=) ->
    tree
svdvals(x, /) -> array[?, magnitude(x)]
tensordot(x1, x2, /, *, axes!:TypeError=, precision=, preferred_element_type=, out_sharding=) ->
    array[contracted(x1, x2, axes), preferred_element_type|promote(x1, x2)]
tensorinv(a, ind!:TracerIntegerConversionError=) -> array[?, float(a)]
tensorsolve(a, b, axes!:TracerIntegerConversionError=) -> array[?, float(a, b)]
trace(x, /, *, offset=, dtype!:TypeError=) -> array[leading(x, 2), dtype|sum(x)]
vecdot(x1, x2, /, *, axis!:TracerIntegerConversionError=, precision=, preferred_element_type=) ->
    array[?, preferred_element_type|promote(x1, x2)]
vector_norm(x, /, *, axis!=, keepdims!:ValueError=, ord!:TracerBoolConversionError=) ->
    array[?, magnitude(x)]
""",
    "jax.numpy.fft": """
fft ifft(a, n!:TracerIntegerConversionError=, axis!:TypeError=, norm=) ->
    array[spectrum(a, n, axis), complex(a)]
rfft(a, n!:TracerIntegerConversionError=, axis!:TypeError=, norm=) ->
    array[half_spectrum(a, n, axis), complex(a)]
fft2 ifft2 fftn ifftn(a, s!:TracerIntegerConversionError=, axes!:TypeError=, norm=) ->
    array[spectra(a, s), complex(a)]
rfft2 rfftn(a, s!:TracerIntegerConversionError=, axes!:TypeError=, norm=) -> array[?, complex(a)]
ihfft(a, n!:TracerIntegerConversionError=, axis!:TracerIntegerConversionError=, norm=) ->
    array[?, complex(a)]
irfft(a, n!:TracerIntegerConversionError=, axis!:TypeError=, norm=) ->
    array[whole_spectrum(a, n, axis), real(a)]
irfft2 irfftn(a, s!:TracerIntegerConversionError=, axes!:TypeError=, norm=) -> array[?, real(a)]
hfft(a, n!:TracerIntegerConversionError=, axis!:TracerIntegerConversionError=, norm=) -> array[?, real(a)]
fftfreq(n!, d=, *, dtype!:TypeError=, device=) -> array[shape(n), dtype|float32]
rfftfreq(n!:TracerBoolConversionError, d=, *, dtype!:TypeError=, device=) -> array[halved(n), dtype|float32]
fftshift ifftshift(x, axes!:TracerIntegerConversionError=) -> array[same(x), same(x)]
""",
}

_DTYPES = """bool int2 int4 int8 int16 int32 uint2 uint4 uint8 uint16 uint32 bfloat16 float16 float32 complex64
float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu
float4_e2m1fn"""

_GENERIC = """character complexfloating flexible floating generic inexact integer number object_ signedinteger
unsignedinteger"""

OBJECTS = {
    **{f"jax.numpy.{name}": f"dtype:{name}" for name in _DTYPES.split()},
    # without x64, which JAX has by default, 64-bit types stand for 32-bit ones
    **{f"jax.numpy.{name}": "dtype:float32" for name in ("float64", "double", "float_", "single")},
    **{f"jax.numpy.{name}": "dtype:complex64" for name in ("complex128", "cdouble", "complex_", "csingle")},
    "jax.numpy.int64": "dtype:int32",
    "jax.numpy.int_": "dtype:int32",
    "jax.numpy.uint64": "dtype:uint32",
    "jax.numpy.uint": "dtype:uint32",
    "jax.numpy.bool_": "dtype:bool",
    **{f"jax.numpy.{name}": "class:dtype" for name in _GENERIC.split()},
    **{f"jax.numpy.{name}": "constant:float" for name in ("pi", "e", "euler_gamma", "inf", "nan")},
    "jax.numpy.newaxis": "constant:None",
}
