"""NumPy: which functions need concrete values, and which call the method of their argument and so work on tracers.

Measured under NumPy 2.4 and JAX 0.10.2: a function that delegates hands a tracer on; all others convert it.
"""

from __future__ import annotations

FUNCTIONS = {
    "numpy": """
datetime64 timedelta64(value, unit=, /) -> static[time]
str_ bytes_(*args, **kwargs) -> static[text]
abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh bitwise_count
    bitwise_invert bitwise_not cbrt ceil conj conjugate cos cosh deg2rad degrees exp exp2 expm1 fabs floor
    frexp invert isfinite isinf isnan log log10 log1p log2 logical_not modf negative positive rad2deg
    radians reciprocal rint sign signbit sin sinh spacing sqrt square tan tanh trunc(x, /, out=, *,
    where=, casting=, order=, dtype=, subok=, signature=) -> host[jax.numpy.*]
add arctan2 atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign
    divide divmod equal float_power floor_divide fmax fmin fmod gcd greater greater_equal heaviside hypot
    lcm ldexp left_shift less less_equal logaddexp logaddexp2 logical_and logical_or logical_xor maximum
    minimum mod multiply nextafter not_equal pow power remainder right_shift subtract true_divide(x1, x2,
    /, out=, *, where=, casting=, order=, dtype=, subok=, signature=) -> host[jax.numpy.*]
matmul matvec vecdot vecmat(x1, x2, /, out=, *, axes=, axis=, keepdims=, casting=, order=, dtype=, subok=,
    signature=) -> host[jax.numpy.*]
all any(a, axis=, out=, keepdims=, *, where=) -> delegate[jax.numpy.*]
amax amin max min(a, axis=, out=, keepdims=, initial=, where=) -> delegate[jax.numpy.*]
argmax argmin(a, axis=, out=, *, keepdims=) -> delegate[jax.numpy.*]
argsort(a, axis=, kind=, order=, *, stable=) -> delegate[jax.numpy.*]
around round(a, decimals=, out=) -> delegate[jax.numpy.*]
array_split split(ary, indices_or_sections, axis=) -> delegate[jax.numpy.*]
choose(a, choices, out=, mode=) -> delegate[jax.numpy.*]
cumprod cumsum(a, axis=, dtype=, out=) -> delegate[jax.numpy.*]
dsplit hsplit vsplit(ary, indices_or_sections) -> delegate[jax.numpy.*]
flip(m, axis=) -> delegate[jax.numpy.*]
imag real(val) -> delegate[jax.numpy.*]
isreal(x) -> delegate[jax.numpy.*]
mean(a, axis=, dtype=, out=, keepdims=, *, where=) -> delegate[jax.numpy.*]
moveaxis(a, source, destination) -> delegate[jax.numpy.*]
permute_dims transpose(a, axes=) -> delegate[jax.numpy.*]
prod sum(a, axis=, dtype=, out=, keepdims=, initial=, where=) -> delegate[jax.numpy.*]
repeat(a, repeats, axis=) -> delegate[jax.numpy.*]
reshape(a, /, shape, order=, *, copy=) -> delegate[jax.numpy.*]
rollaxis(a, axis, start=) -> delegate[jax.numpy.*]
searchsorted(a, v, side=, sorter=) -> delegate[jax.numpy.*]
squeeze(a, axis=) -> delegate[jax.numpy.*]
std var(a, axis=, dtype=, out=, ddof=, keepdims=, *, where=, mean=, correction=) -> delegate[jax.numpy.*]
swapaxes(a, axis1, axis2) -> delegate[jax.numpy.*]
take_along_axis(arr, indices, axis=) -> delegate[jax.numpy.*]
unstack(x, /, *, axis=) -> delegate[jax.numpy.*]
fromfile(file, dtype=, count=, sep=, offset=, *, like=) -> effect[file:TracerArrayConversionError]
genfromtxt(fname, dtype=, comments=, delimiter=, skip_header=, skip_footer=, converters=, missing_values=,
    filling_values=, usecols=, names=, excludelist=, deletechars=, replace_space=, autostrip=,
    case_sensitive=, defaultfmt=, unpack=, usemask=, loose=, invalid_raise=, max_rows=, encoding=, *,
    ndmin=, like=) -> effect[file:TracerArrayConversionError]
load(file, mmap_mode=, allow_pickle=, fix_imports=, encoding=, *, max_header_size=) ->
    effect[file:TracerArrayConversionError]
loadtxt(fname, dtype=, comments=, delimiter=, converters=, skiprows=, usecols=, unpack=, ndmin=,
    encoding=, max_rows=, *, quotechar=, like=) -> effect[file:TracerArrayConversionError]
save(file, arr, allow_pickle=) -> effect[file:TracerArrayConversionError]
savetxt(fname, X, fmt=, delimiter=, newline=, header=, footer=, comments=, encoding=) ->
    effect[file:TracerArrayConversionError]
savez savez_compressed(file, *args, allow_pickle=, **kwds) -> effect[file:TracerArrayConversionError]
allclose isclose(a, b, rtol=, atol=, equal_nan=) -> host[jax.numpy.*]
angle(z, deg=) -> host[jax.numpy.*]
append(arr, values, axis=) -> host[jax.numpy.*]
apply_along_axis(func1d, axis, arr, *args, **kwargs) -> host[jax.numpy.*]
apply_over_axes(func, a, axes) -> host[jax.numpy.*]
arange(start_or_stop!length:TracerArrayConversionError, /, stop!length:TracerArrayConversionError=, step!length:TracerArrayConversionError=,
    *, dtype=, device=, like=) -> host[jax.numpy.*]
argpartition partition(a, kth, axis=, kind=, order=) -> host[jax.numpy.*]
argwhere flatnonzero sort_complex(a) -> host[jax.numpy.*]
nonzero(a) -> delegate_concrete[jax.numpy.*]
array(object, dtype=, *, copy=, order=, subok=, ndmin=, ndmax=, like=) -> host[jax.numpy.*]
array2string(a, max_line_width=, precision=, suppress_small=, separator=, prefix=, *, formatter=,
    threshold=, edgeitems=, sign=, floatmode=, suffix=, legacy=) -> host[]
array_repr(arr, max_line_width=, precision=, suppress_small=) -> host[jax.numpy.*]
array_str(a, max_line_width=, precision=, suppress_small=) -> host[jax.numpy.*]
asanyarray(a, dtype=, order=, *, device=, copy=, like=) -> host[]
asarray(a, dtype=, order=, *, device=, copy=, like=) -> host[jax.numpy.*]
asarray_chkfinite(a, dtype=, order=) -> host[]
ascontiguousarray asfortranarray(a, dtype=, *, like=) -> host[]
astype(x, dtype, /, *, copy=, device=) -> host[jax.numpy.*:TypeError]
atleast_1d atleast_2d atleast_3d(*arys) -> host[jax.numpy.*]
average(a, axis=, weights=, returned=, *, keepdims=) -> host[jax.numpy.*]
bartlett blackman hamming hanning(M!:TracerArrayConversionError) -> host[jax.numpy.*]
bincount(x, /, weights=, minlength=) -> host[jax.numpy.*]
block(arrays) -> host[jax.numpy.*]
broadcast_arrays(*args, subok=) -> host[jax.numpy.*]
broadcast_to(array, shape!:TracerBoolConversionError, subok=) -> host[jax.numpy.*]
clip(a, a_min=, a_max=, out=, *, min=, max=, **kwargs) -> host[jax.numpy.*]
column_stack dstack(tup) -> host[jax.numpy.*]
compress(condition, a, axis=, out=) -> host[jax.numpy.*]
concat concatenate(arrays, /, axis=, out=, *, dtype=, casting=) -> host[jax.numpy.*]
convolve correlate(a, v, mode=) -> host[jax.numpy.*]
copy(a, order=, subok=) -> host[jax.numpy.*]
copyto(dst, src, casting=, where=) -> host[]
corrcoef(x, y=, rowvar=, *, dtype=) -> host[jax.numpy.*]
count_nonzero(a, axis=, *, keepdims=) -> host[jax.numpy.*]
cov(m, y=, rowvar=, bias=, ddof=, fweights=, aweights=, *, dtype=) -> host[jax.numpy.*]
cross(a, b, axisa=, axisb=, axisc=, axis=) -> host[jax.numpy.*]
cumulative_prod cumulative_sum(x, /, *, axis=, dtype=, out=, include_initial=) -> host[jax.numpy.*]
delete(arr, obj, axis=) -> host[jax.numpy.*]
diag diagflat(v, k=) -> host[jax.numpy.*]
diag_indices(n!:TracerArrayConversionError, ndim=) -> host[jax.numpy.*]
diagonal(a, offset=, axis1=, axis2=) -> host[jax.numpy.*]
diff(a, n=, axis=, prepend=, append=) -> host[jax.numpy.*]
digitize(x, bins, right=) -> host[jax.numpy.*]
dot outer(a, b, out=) -> host[jax.numpy.*]
ediff1d(ary, to_end=, to_begin=) -> host[jax.numpy.*]
einsum(*operands, out=, optimize=, **kwargs) -> host[jax.numpy.*]
einsum_path(*operands, optimize=, einsum_call=) -> host[jax.numpy.*]
empty ones zeros(shape!:TypeError, dtype=, order=, *, device=, like=) -> host[jax.numpy.*]
empty_like(prototype, /, dtype=, order=, subok=, shape=, *, device=) -> host[jax.numpy.*]
expand_dims(a, axis) -> host[jax.numpy.*]
extract(condition, arr) -> host[jax.numpy.*]
eye(N!:TracerIntegerConversionError, M!:TracerIntegerConversionError=, k=, dtype=, order=, *, device=,
    like=) -> host[jax.numpy.*]
fill_diagonal(a, val, wrap=) -> host[]
fix(x, out=) -> host[]
fliplr flipud(m) -> host[jax.numpy.*]
from_dlpack(x, /, *, device=, copy=) -> host[jax.numpy.*:ConcretizationTypeError]
full(shape!:TypeError, fill_value, dtype=, order=, *, device=, like=) -> host[jax.numpy.*]
full_like(a, fill_value, dtype=, order=, subok=, shape=, *, device=) -> host[jax.numpy.*]
geomspace(start, stop, num!:TracerIntegerConversionError=, endpoint=, dtype=, axis=) -> host[jax.numpy.*]
gradient(f, *varargs, axis=, edge_order=) -> host[jax.numpy.*]
histogram(a, bins=, range=, density=, weights=) -> host[jax.numpy.*]
histogram2d(x, y, bins=, range=, density=, weights=) -> host[jax.numpy.*]
histogram_bin_edges(a, bins=, range=, weights=) -> host[jax.numpy.*]
histogramdd(sample, bins=, range=, density=, weights=) -> host[jax.numpy.*]
hstack vstack(tup, *, dtype=, casting=) -> host[jax.numpy.*]
i0 iscomplex sinc unique_all unique_counts unique_inverse unique_values(x) -> host[jax.numpy.*]
identity(n!:TracerIntegerConversionError, dtype=, *, like=) -> host[jax.numpy.*]
indices(dimensions!shape:TracerIntegerConversionError, dtype=, sparse=) -> host[jax.numpy.*]
inner vdot(a, b, /) -> host[jax.numpy.*]
insert(arr, obj, values, axis=) -> host[jax.numpy.*]
interp(x, xp, fp, left=, right=, period=) -> host[jax.numpy.*]
intersect1d(ar1, ar2, assume_unique=, return_indices=) -> host[jax.numpy.*]
isfortran(a) -> host[:AttributeError]
isin(element, test_elements, assume_unique=, invert=, *, kind=) -> host[jax.numpy.*]
isneginf isposinf(x, out=) -> host[jax.numpy.*]
ix_(*args) -> host[jax.numpy.*]
kaiser(M!:TracerArrayConversionError, beta) -> host[jax.numpy.*]
kron(a, b) -> host[jax.numpy.*]
lexsort(keys, axis=) -> host[jax.numpy.*]
linspace(start, stop, num!:TracerIntegerConversionError=, endpoint=, retstep=, dtype=, axis=, *, device=)
    -> host[jax.numpy.*]
logspace(start, stop, num!:TracerIntegerConversionError=, endpoint=, base=, dtype=, axis=) ->
    host[jax.numpy.*]
mask_indices(n, mask_func, k=) -> host[jax.numpy.*]
matrix_transpose(x, /) -> host[jax.numpy.*]
may_share_memory shares_memory(a, b, /, max_work=) -> host[]
median nanmedian(a, axis=, out=, overwrite_input=, keepdims=) -> host[jax.numpy.*]
meshgrid(*xi, copy=, sparse=, indexing=) -> host[jax.numpy.*]
min_scalar_type(a, /) -> host[]
nan_to_num(x, copy=, nan=, posinf=, neginf=) -> host[jax.numpy.*]
nanargmax nanargmin(a, axis=, out=, *, keepdims=) -> host[jax.numpy.*]
nancumprod nancumsum(a, axis=, dtype=, out=) -> host[jax.numpy.*]
nanmax nanmin(a, axis=, out=, keepdims=, initial=, where=) -> host[jax.numpy.*]
nanmean(a, axis=, dtype=, out=, keepdims=, *, where=) -> host[jax.numpy.*]
nanpercentile nanquantile percentile quantile(a, q, axis=, out=, overwrite_input=, method=, keepdims=, *,
    weights=) -> host[jax.numpy.*]
nanprod nansum(a, axis=, dtype=, out=, keepdims=, initial=, where=) -> host[jax.numpy.*]
nanstd nanvar(a, axis=, dtype=, out=, ddof=, keepdims=, *, where=, mean=, correction=) -> host[jax.numpy.*]
ones_like zeros_like(a, dtype=, order=, subok=, shape=, *, device=) -> host[jax.numpy.*]
packbits(a, /, axis=, bitorder=) -> host[jax.numpy.*]
pad(array, pad_width, mode=, **kwargs) -> host[jax.numpy.*]
piecewise(x, condlist, funclist, *args, **kw) -> host[jax.numpy.*]
place(arr, mask, vals) -> host[]
poly(seq_of_zeros) -> host[jax.numpy.*]
polyadd polymul polysub(a1, a2) -> host[jax.numpy.*]
polyder(p, m=) -> host[jax.numpy.*]
polydiv(u, v) -> host[jax.numpy.*]
polyfit(x, y, deg, rcond=, full=, w=, cov=) -> host[jax.numpy.*]
polyint(p, m=, k=) -> host[jax.numpy.*]
polyval(p, x) -> host[jax.numpy.*]
ptp(a, axis=, out=, keepdims=) -> host[jax.numpy.*]
put(a, ind, v, mode=) -> host[]
put_along_axis(arr, indices, values, axis) -> host[]
putmask(a, /, mask, values) -> host[]
ravel(a, order=) -> host[jax.numpy.*]
ravel_multi_index(multi_index, dims, mode=, order=) -> host[jax.numpy.*]
real_if_close(a, tol=) -> host[]
require(a, dtype=, requirements=, *, like=) -> host[]
resize(a, new_shape) -> host[jax.numpy.*]
roll(a, shift, axis=) -> host[jax.numpy.*]
roots(p) -> host[jax.numpy.*]
rot90(m, k=, axes=) -> host[jax.numpy.*]
row_stack(tup, *, dtype=, casting=) -> host[]
select(condlist, choicelist, default=) -> host[jax.numpy.*]
setdiff1d setxor1d(ar1, ar2, assume_unique=) -> host[jax.numpy.*]
sort(a, axis=, kind=, order=, *, stable=) -> host[jax.numpy.*]
stack(arrays, axis=, out=, *, dtype=, casting=) -> host[jax.numpy.*]
take(a, indices, axis=, out=, mode=) -> host[jax.numpy.*:NotImplementedError]
tensordot(a, b, axes=) -> host[jax.numpy.*]
tile(A, reps!:TracerBoolConversionError) -> host[jax.numpy.*]
trace(a, offset=, axis1=, axis2=, dtype=, out=) -> host[jax.numpy.*]
trapezoid(y, x=, dx=, axis=) -> host[jax.numpy.*]
tri(N!:TracerBoolConversionError, M!:TracerBoolConversionError=, k=, dtype=, *, like=) -> host[jax.numpy.*]
tril triu(m, k=) -> host[jax.numpy.*]
tril_indices triu_indices(n!:TracerBoolConversionError, k=, m=) -> host[jax.numpy.*]
trim_zeros(filt, trim=, axis=) -> host[jax.numpy.*]
union1d(ar1, ar2) -> host[jax.numpy.*]
unique(ar, return_index=, return_inverse=, return_counts=, axis=, *, equal_nan=, sorted=) ->
    host[jax.numpy.*]
unpackbits(a, /, axis=, count=, bitorder=) -> host[jax.numpy.*]
unravel_index(indices, shape, order=) -> host[jax.numpy.*]
unwrap(p, discont=, axis=, *, period=) -> host[jax.numpy.*]
vander(x, N=, increasing=) -> host[jax.numpy.*]
where(condition, x=, y=, /) -> host[jax.numpy.*]
ndim(a) -> model[ndim]
shape(a) -> model[shape]
size(a, axis=) -> model[size]
set_printoptions(precision=, threshold=, edgeitems=, linewidth=, suppress=, nanstr=, infstr=, formatter=,
    sign=, floatmode=, *, legacy=, override_repr=) -> none
seterr(all=, divide=, over=, under=, invalid=) -> none
array_equal(a1, a2, equal_nan=) -> static[bool]
array_equiv(a1, a2) -> static[bool]
binary_repr(num, width=) -> static[str]
broadcast_shapes(*args) -> static[tuple]
can_cast(from_, to, casting=) -> static[bool]
common_type(*arrays) -> static[type]
diag_indices_from(arr) -> static[tuple]
dtype(dtype, align=, copy=, **kwargs) -> static[dtype]
finfo(dtype) -> static[finfo]
get_printoptions geterr() -> static[dict]
iinfo(int_type) -> static[iinfo]
iscomplexobj isrealobj(x) -> static[bool]
isdtype(dtype, kind) -> static[bool]
isscalar(element) -> static[bool]
issubdtype(arg1, arg2) -> static[bool]
iterable(y) -> static[bool]
promote_types(type1, type2, /) -> static[dtype]
result_type(*arrays_and_dtypes) -> static[dtype]
tril_indices_from triu_indices_from(arr, k=) -> static[tuple]
vectorize(pyfunc, otypes=, doc=, excluded=, cache=, signature=) -> object[Vectorized]
poly1d(*args, **kwargs) -> host[, , HostFunction]
frompyfunc(func, /, nin, nout, *, identity=) -> object[Vectorized]
r_.__getitem__ c_.__getitem__ mgrid.__getitem__ ogrid.__getitem__(key) -> host[jax.numpy.*]
fromfunction(function, shape!:TypeError, *, dtype=, like=, **kwargs) -> unknown
ndindex(*shape!shape:TracerBoolConversionError) -> model[ndindex]
""",
    "numpy.linalg": """
cholesky(a, /, *, upper=) -> host[jax.numpy.linalg.*]
cond(x, p=) -> host[jax.numpy.linalg.*]
cross vecdot(x1, x2, /, *, axis=) -> host[jax.numpy.linalg.*]
det eig eigvals inv slogdet(a) -> host[jax.numpy.linalg.*]
diagonal(x, /, *, offset=) -> host[jax.numpy.linalg.*]
eigh eigvalsh(a, UPLO=) -> host[jax.numpy.linalg.*]
lstsq(a, b, rcond=) -> host[jax.numpy.linalg.*]
matmul outer(x1, x2, /) -> host[jax.numpy.linalg.*]
matrix_norm(x, /, *, keepdims=, ord=) -> host[jax.numpy.linalg.*]
matrix_power(a, n) -> host[jax.numpy.linalg.*]
matrix_rank(A, tol=, hermitian=, *, rtol=) -> host[jax.numpy.linalg.*]
matrix_transpose svdvals(x, /) -> host[jax.numpy.linalg.*]
multi_dot(arrays, *, out=) -> host[jax.numpy.linalg.*]
norm(x, ord=, axis=, keepdims=) -> host[jax.numpy.linalg.*]
pinv(a, rcond=, hermitian=, *, rtol=) -> host[jax.numpy.linalg.*]
qr(a, mode=) -> host[jax.numpy.linalg.*]
solve(a, b) -> host[jax.numpy.linalg.*]
svd(a, full_matrices=, compute_uv=, hermitian=) -> host[jax.numpy.linalg.*]
tensordot(x1, x2, /, *, axes=) -> host[jax.numpy.linalg.*]
tensorinv(a, ind=) -> host[jax.numpy.linalg.*]
tensorsolve(a, b, axes=) -> host[jax.numpy.linalg.*]
trace(x, /, *, offset=, dtype=) -> host[jax.numpy.linalg.*]
vector_norm(x, /, *, axis=, keepdims=, ord=) -> host[jax.numpy.linalg.*]
""",
    "numpy.polynomial": """
Chebyshev Hermite HermiteE Laguerre Legendre Polynomial(*args, **kwargs) -> host[, , HostFunction]
""",
    **{
        f"numpy.polynomial.{module}": f"""
{gauss}(deg) -> host[:TypeError]
{short}vander(x, deg) -> host[]
{short}fit(x, y, deg, rcond=, full=, w=) -> host[]
{short}roots(c) -> host[]
"""
        for module, gauss, short in (
            ("legendre", "leggauss", "leg"),
            ("hermite", "hermgauss", "herm"),
            ("hermite_e", "hermegauss", "herme"),
            ("laguerre", "laggauss", "lag"),
            ("chebyshev", "chebgauss", "cheb"),
        )
    },
    "numpy.fft": """
fft hfft ifft ihfft irfft rfft(a, n=, axis=, norm=, out=) -> host[jax.numpy.fft.*]
fft2 fftn ifft2 ifftn irfft2 irfftn rfft2 rfftn(a, s=, axes=, norm=, out=) -> host[jax.numpy.fft.*]
fftfreq rfftfreq(n!:ValueError, d=, device=) -> host[jax.numpy.fft.*]
fftshift ifftshift(x, axes=) -> host[jax.numpy.fft.*]
""",
    "numpy.testing": """
assert_allclose(actual, desired, rtol=, atol=, equal_nan=, err_msg=, verbose=, *, strict=) -> host[]
assert_array_equal assert_equal(actual, desired, err_msg=, verbose=, *, strict=) -> host[]
assert_almost_equal assert_array_almost_equal(actual, desired, decimal=, err_msg=, verbose=) -> host[]
""",
}

_UFUNCS = "add subtract multiply divide maximum minimum logical_and logical_or bitwise_and bitwise_or"

FUNCTIONS |= {
    f"numpy.{ufunc}": """
at(a, indices, b, /) -> host[]
reduce(array, /, axis=, dtype=, out=, *, keepdims=, initial=, where=) -> host[]
accumulate(array, /, axis=, dtype=, out=) -> host[]
outer(a, b, /, **kwargs) -> host[]
"""
    for ufunc in _UFUNCS.split()
}

FUNCTIONS["numpy.ma"] = """
array arange asanyarray asarray fix_invalid masked_array masked_equal masked_greater masked_greater_equal
    masked_inside masked_invalid masked_less masked_less_equal masked_not_equal masked_object masked_outside
    masked_values masked_where(*args, **kwargs) -> host[, ?, masked array]
empty masked_all ones zeros(*args, **kwargs) -> host[:TracerIntegerConversionError, ?, masked array]
"""

METHODS = {"Vectorized": "__call__(*args, **kwargs) -> host[]"}

ALIASES = {
    "numpy.bool": "numpy.bool_",
    "numpy.product": "numpy.prod",
    "numpy.cumproduct": "numpy.cumprod",
    "numpy.alltrue": "numpy.all",
    "numpy.sometrue": "numpy.any",
    "numpy.round_": "numpy.round",
    "numpy.trapz": "numpy.trapezoid",
    "numpy.in1d": "numpy.isin",
    "numpy.newaxis": "jax.numpy.newaxis",
}

_DTYPES = "bool_ int8 int16 uint8 uint16 float16 float32 complex64"

_GENERIC = """character complexfloating flexible floating generic inexact integer number object_ signedinteger
unsignedinteger datetime64 timedelta64 str_ bytes_ void"""

OBJECTS = {
    **{f"numpy.{name}": f"dtype:{name.rstrip('_')}" for name in _DTYPES.split()},
    # JAX makes these 32 bits wide unless x64 is enabled
    **{f"numpy.{name}": "dtype:int32" for name in ("int32", "int64", "int_", "intc", "intp", "longlong")},
    **{f"numpy.{name}": "dtype:uint32" for name in ("uint32", "uint64", "uint", "uintc", "uintp")},
    **{f"numpy.{name}": "dtype:float32" for name in ("float64", "double", "float_", "single", "longdouble")},
    **{f"numpy.{name}": "dtype:complex64" for name in ("complex128", "cdouble", "complex_", "csingle")},
    **{f"numpy.{name}": "class:dtype" for name in _GENERIC.split()},
    **{
        f"numpy.{name}": "constant:float"
        for name in ("pi", "e", "euler_gamma", "inf", "nan", "Inf", "NaN", "infty")
    },
    **{f"numpy.{name}": "context:none" for name in ("errstate", "printoptions")},
    "numpy.ndarray": "class:ndarray",
    "numpy.__version__": "static:str",
}
