"""jax.scipy, jax.image and jax.ops.

Static parameters and their errors as JAX 0.10.2 raises them for a tracer; tests hold the lines against it.
"""

from __future__ import annotations

FUNCTIONS = {
    "jax.scipy.special": """
bernoulli(n!other) -> array[?, float32]
bessel_jn(z, *, v!:ValueError, n_iter=) -> array[?, ?]
beta betaln(a, b) -> array[broadcast(a, b), float(a, b)]
gammainc gammaincc(a, x) -> array[broadcast(a, x), float(a, x)]
poch(z, m) -> array[broadcast(z, m), float(z, m)]
xlog1py xlogy(x, y) -> array[broadcast(x, y), float(x, y)]
boxcox boxcox1p(x, lmbda) -> array[broadcast(x, lmbda), float(x, lmbda)]
kl_div rel_entr(p, q) -> array[broadcast(p, q), float(p, q)]
owens_t(h, a) -> array[broadcast(h, a), float(h, a)]
comb(N, k, *, repetition=) -> array[broadcast(N, k), float(N, k)]
betainc hyp1f1(a, b, x) -> array[broadcast(a, b, x), float(a, b, x)]
hyp2f1(a, b, c, x) -> array[broadcast(a, b, c, x), float(a, b, c, x)]
dawsn digamma entr erf erfc erfcx erfinv exp1 expi expit gamma gammaln gammasgn i0 i0e i1 i1e loggamma
    logit ndtr spence(x) -> array[same(x), float(x)]
wofz(z) -> array[same(z), complex(z)]
ndtri(p) -> array[same(p), float(p)]
fresnel sici(x) -> array*2[same(x), float(x)]
log_ndtr(x, series_order=) -> array[same(x), float(x)]
log_softmax(x, /, *, axis!:ValueError=) -> array[same(x), float(x)]
softmax(x, /, *, axis!=) -> array[same(x), float(x)]
factorial(n, exact=) -> array[same(n), float(n)]
multigammaln(a, d!) -> array[same(a), float(a)]
zeta(x, q=) -> array[?, ?]
expn polygamma(n, x) -> array[broadcast(n, x), float(n, x)]
logsumexp(a, axis!:TypeError=, b=, keepdims!:ValueError=, return_sign!:TracerBoolConversionError=, where=)
    -> when[return_sign, array*2[?, ?], array[reduce(a, axis, keepdims), magnitude(a)]]
sph_harm_y(n!, m!, theta!, phi!, diff_n=, n_max=) -> array[?, complex64]
""",
    "jax.scipy.linalg": """
cholesky(a, lower!:ValueError=, overwrite_a=, check_finite=) -> array[same(a), float(a)]
det(a, overwrite_a=, check_finite=) -> array[?, float(a)]
inv(a, overwrite_a=, check_finite=) -> array[same(a), float(a)]
expm(A, *, upper_triangular=, max_squarings=) -> array[same(A), float(A)]
solve(a, b, lower!:ValueError=, overwrite_a=, overwrite_b=, debug=, check_finite=, assume_a=) ->
    array[same(b), float(a, b)]
solve_triangular(a, b, trans!other:ValueError=, lower!:ValueError=, unit_diagonal=, overwrite_b=, debug=, check_finite=) ->
    array[same(b), float(a, b)]
cho_solve(c_and_lower, b, overwrite_b=, check_finite=) -> array[same(b), ?]
lu_solve(lu_and_piv, b, trans=, overwrite_b!:ValueError=, check_finite!:ValueError=) -> array[same(b), ?]
cho_factor(a, lower!:ValueError=, overwrite_a=, check_finite=) -> tree
eigh(a, b=, lower!:ValueError=, eigvals_only!flag:ValueError=, overwrite_a=, overwrite_b=, turbo=, eigvals=, type=,
    check_finite=) -> tree
hessenberg(a, *, calc_q=, overwrite_a!:ValueError=, check_finite!:ValueError=) -> tree
lu(a, permute_l=, overwrite_a!:ValueError=, check_finite!:ValueError=) -> tree
lu_factor(a, overwrite_a!:ValueError=, check_finite!:ValueError=) -> tree
polar(a, side=, *, method=, eps=, max_iterations=) -> tree
qr(a, overwrite_a=, lwork=, mode=, pivoting=, check_finite=) -> tree
qr_multiply(a, c, mode=, pivoting=, conjugate=, overwrite_a=, overwrite_c=) -> tree
rsf2csf(T, Z, check_finite!:ValueError=) -> tree
schur(a, output=) -> tree
svd(a, full_matrices!:ValueError=, compute_uv!:ValueError=, overwrite_a=, check_finite=, lapack_driver=)
    -> tree
expm_frechet(A, E, *, method=, compute_expm=) -> tree
funm(A, func, disp=) -> calls[func(ARRAY), taint]
block_diag(*arrs) -> array[blocks(arrs), promote(arrs)]
circulant(c) -> array[?, ?]
companion fiedler fiedler_companion(a) -> array[?, ?]
convolution_matrix(a, n, mode=) -> array[?, ?]
dft(n, scale=, *, dtype!:TypeError=) -> array[?, ?]
eigh_tridiagonal(d, e, *, eigvals_only!:ValueError=, select=, select_range=, tol=, key=) -> array[?, ?]
hadamard(n, dtype!:TypeError=) -> array[?, ?]
hankel toeplitz(c, r=) -> array[?, ?]
helmert(n, full=) -> array[?, ?]
hilbert(n!:ValueError) -> array[?, ?]
invhilbert(n) -> array[?, ?]
invpascal(n, kind=) -> array[?, ?]
leslie(f, s) -> array[?, ?]
pascal(n!:ValueError, kind=) -> array[?, ?]
solve_sylvester(A, B, C, *, method=, tol=) -> array[?, ?]
sqrtm(A, blocksize=) -> array[?, ?]
""",
    "jax.scipy.stats": """
mode(a, axis=, nan_policy=, keepdims=) -> array[?, ?]
rankdata(a, method=, *, axis!:ValueError=, nan_policy=) -> array[?, ?]
sem(a, axis=, ddof=, nan_policy=, *, keepdims=) -> array[?, ?]
""",
    "jax.scipy.stats.norm": """
cdf logcdf logpdf logsf pdf sf(x, loc=, scale=) -> array[?, float(x)]
isf ppf(q, loc=, scale=) -> array[?, float(q)]
""",
    "jax.scipy.stats.bernoulli": """
cdf(k, p) -> array[?, float(k)]
logpmf pmf(k, p, loc=) -> array[?, float(k)]
ppf(q, p) -> array[?, float(q)]
""",
    "jax.scipy.stats.beta": """
cdf logcdf logpdf logsf pdf sf(x, a, b, loc=, scale=) -> array[?, float(x)]
""",
    "jax.scipy.stats.betabinom": """
logpmf pmf(k, n, a, b, loc=) -> array[?, float(k)]
""",
    "jax.scipy.stats.binom": """
logpmf pmf(k, n, p, loc=) -> array[?, float(k)]
""",
    "jax.scipy.stats.cauchy": """
cdf logcdf logpdf logsf pdf sf(x, loc=, scale=) -> array[?, float(x)]
isf ppf(q, loc=, scale=) -> array[?, float(q)]
""",
    "jax.scipy.stats.chi2": """
cdf logcdf logpdf logsf pdf sf(x, df, loc=, scale=) -> array[?, float(x)]
""",
    "jax.scipy.stats.dirichlet": """
logpdf pdf(x, alpha) -> array[?, float(x)]
""",
    "jax.scipy.stats.expon": """
cdf logcdf logpdf logsf pdf sf(x, loc=, scale=) -> array[?, float(x)]
ppf(q, loc=, scale=) -> array[?, float(q)]
""",
    "jax.scipy.stats.gamma": """
cdf logcdf logpdf logsf pdf sf(x, a, loc=, scale=) -> array[?, float(x)]
""",
    "jax.scipy.stats.gennorm": """
cdf logpdf pdf(x, beta) -> array[?, float(x)]
""",
    "jax.scipy.stats.geom": """
logpmf pmf(k, p, loc=) -> array[?, float(k)]
""",
    "jax.scipy.stats.gumbel_l": """
cdf logcdf logpdf logsf pdf sf(x, loc=, scale=) -> array[?, float(x)]
ppf(p, loc=, scale=) -> array[?, float(p)]
""",
    "jax.scipy.stats.gumbel_r": """
cdf logcdf logpdf logsf pdf sf(x, loc=, scale=) -> array[?, float(x)]
ppf(p, loc=, scale=) -> array[?, float(p)]
""",
    "jax.scipy.stats.laplace": """
cdf logpdf pdf(x, loc=, scale=) -> array[?, float(x)]
""",
    "jax.scipy.stats.logistic": """
cdf isf logpdf pdf ppf sf(x, loc=, scale=) -> array[?, float(x)]
""",
    "jax.scipy.stats.multinomial": """
logpmf pmf(x, n, p) -> array[?, float(x)]
""",
    "jax.scipy.stats.multivariate_normal": """
logpdf(x, mean, cov, allow_singular=) -> array[?, float(x)]
pdf(x, mean, cov) -> array[?, float(x)]
""",
    "jax.scipy.stats.nbinom": """
logpmf pmf(k, n, p, loc=) -> array[?, float(k)]
""",
    "jax.scipy.stats.pareto": """
cdf logcdf logpdf logsf pdf sf(x, b, loc=, scale=) -> array[?, float(x)]
ppf(q, b, loc=, scale=) -> array[?, float(q)]
""",
    "jax.scipy.stats.poisson": """
cdf logpmf pmf(k, mu, loc=) -> array[?, float(k)]
entropy(mu, loc=) -> array[?, float(mu)]
""",
    "jax.scipy.stats.t": """
logpdf pdf(x, df, loc=, scale=) -> array[?, float(x)]
""",
    "jax.scipy.stats.truncnorm": """
cdf logcdf logpdf logsf pdf sf(x, a, b, loc=, scale=) -> array[?, float(x)]
""",
    "jax.scipy.stats.uniform": """
cdf logpdf pdf(x, loc=, scale=) -> array[?, float(x)]
ppf(q, loc=, scale=) -> array[?, float(q)]
""",
    "jax.scipy.stats.vonmises": """
logpdf pdf(x, kappa) -> array[?, float(x)]
""",
    "jax.scipy.stats.wrapcauchy": """
logpdf pdf(x, c) -> array[?, float(x)]
""",
    "jax.scipy.signal": """
convolve correlate(in1, in2, mode=, method=, precision=) -> array[?, ?]
convolve2d correlate2d(in1, in2, mode=, boundary=, fillvalue=, precision=) -> array[?, ?]
csd(x, y, fs=, window=, nperseg=, noverlap=, nfft=, detrend=, return_onesided=, scaling=, axis=, average=)
    -> array[?, ?]
detrend(data, axis=, type=, bp=, overwrite_data=) -> array[?, ?]
fftconvolve(in1, in2, mode=, axes=) -> array[?, ?]
istft(Zxx, fs=, window=, nperseg=, noverlap=, nfft=, input_onesided=, boundary=, time_axis=, freq_axis=)
    -> array[?, ?]
stft(x, fs=, window=, nperseg!length=, noverlap=, nfft=, detrend=, return_onesided=, boundary=, padded=, axis=)
    -> array[?, ?]
welch(x, fs=, window=, nperseg=, noverlap=, nfft=, detrend=, return_onesided=, scaling=, axis=, average=)
    -> array[?, ?]
""",
    "jax.scipy.ndimage": """
map_coordinates(input, coordinates, order!other:ValueError, mode=, cval=) -> array[?, same(input)]
""",
    "jax.scipy.integrate": """
trapezoid(y, x=, dx=, axis=) -> array[?, float(y)]
""",
    "jax.scipy.fft": """
dct idct(x, type=, n!:TypeError=, axis=, norm=) -> array[?, ?]
dctn idctn(x, type=, s=, axes=, norm=) -> array[?, ?]
""",
    "jax.scipy.cluster.vq": """
vq(obs, code_book, check_finite=) -> array*2[?, ?]
""",
    "jax.scipy.optimize": """
minimize(fun, x0, args=, *, method, tol=, options=) ->
    traces[fun(x0, *args), record[x=array[same(x0), same(x0)], success=array[scalar, bool], status=array[scalar, int32],
    fun=array[scalar, ?], jac=array[same(x0), same(x0)], hess_inv=taint, nfev=array[scalar, int32], njev=array[scalar, int32],
    nit=array[scalar, int32]]]
""",
    "jax.scipy.sparse.linalg": """
bicgstab cg(A, b, x0=, *, tol=, atol=, maxiter=, M=) -> traces[A(b:strict), M(b), taint]
gmres(A, b, x0=, *, tol=, atol=, restart=, maxiter=, M=, solve_method=) ->
    traces[A(b:strict), M(b), taint]
""",
    "jax.image": """
resize(image, shape!:TypeError, method, antialias!:ValueError=, precision=) ->
    array[shape(shape), float(image)]
scale_and_translate(image, shape!:TypeError, spatial_dims!:TracerIntegerConversionError, scale,
    translation, method, antialias!:TracerBoolConversionError=, precision=) ->
    array[shape(shape), float(image)]
""",
    "jax.ops": """
segment_max segment_min segment_prod segment_sum(data, segment_ids, num_segments!=,
    indices_are_sorted!:TypeError=, unique_indices!:TypeError=, bucket_size=, mode=, out_sharding=) ->
    dynamic[num_segments of segment_ids, array[segments(data, num_segments), same(data)]]
""",
}
