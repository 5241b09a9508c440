"""SciPy: everything is computed on the host, so that tracers are refused."""

from __future__ import annotations

from .jax_scipy_table import FUNCTIONS as JAX_FUNCTIONS


def twins(module: str, lines: str) -> str:
    """The functions of a jax module as host functions of which they are the twins."""
    names = " ".join(
        line.partition("(")[0] for line in lines.strip().splitlines() if not line.startswith(" ")
    )
    return f"{names}(*args, **kwargs) -> host[{module}.*]"


FUNCTIONS = {
    "scipy.special": """
beta betainc betaln boxcox boxcox1p comb dawsn digamma entr erf erfc erfcx erfinv exp1 expi expit expn
    factorial fresnel gamma gammainc gammaincc gammaln gammasgn hyp1f1 hyp2f1 i0 i0e i1 i1e kl_div log_ndtr
    log_softmax loggamma logit logsumexp multigammaln ndtr ndtri owens_t poch polygamma rel_entr sici softmax spence
    wofz xlog1py xlogy zeta(*args, **kwargs) -> host[jax.scipy.special.*]
bernoulli(n!length:ValueError) -> host[jax.scipy.special.*]
legendre(n!:TracerBoolConversionError, monic=) -> host[]
binom ellipe ellipk jn jv iv kv kn yv lambertw perm psi sph_harm struve
    (*args, **kwargs) -> host[]
""",
    "scipy.linalg": """
block_diag cho_factor cho_solve cholesky circulant det dft eigh expm expm_frechet funm hadamard hankel hessenberg
    hilbert inv lu lu_factor lu_solve polar qr schur solve solve_sylvester solve_triangular sqrtm svd toeplitz
    (*args, **kwargs) -> host[jax.scipy.linalg.*]
norm pinv eig eigvals eigvalsh(*args, **kwargs) -> host[jax.numpy.linalg.*]
logm null_space orth lstsq(*args, **kwargs) -> host[]
""",
    "scipy.fft": """
dct idct dctn idctn(*args, **kwargs) -> host[jax.scipy.fft.*]
fft ifft fft2 ifft2 fftn ifftn rfft irfft rfft2 irfft2 fftshift ifftshift
    (*args, **kwargs) -> host[jax.numpy.fft.*]
fftfreq rfftfreq(n!length:ValueError, d=, *, xp=, device=) -> host[jax.numpy.fft.*]
""",
    "scipy.signal": """
convolve convolve2d correlate correlate2d csd detrend fftconvolve istft stft welch
    (*args, **kwargs) -> host[jax.scipy.signal.*]
butter filtfilt find_peaks hilbert lfilter medfilt resample savgol_filter sosfilt(*args, **kwargs) -> host[]
""",
    "scipy.ndimage": """
map_coordinates(*args, **kwargs) -> host[jax.scipy.ndimage.map_coordinates]
binary_dilation binary_erosion convolve distance_transform_edt gaussian_filter label maximum_filter median_filter
    minimum_filter rotate shift uniform_filter zoom(*args, **kwargs) -> host[]
""",
    "scipy.integrate": """
trapezoid(*args, **kwargs) -> host[jax.scipy.integrate.trapezoid]
odeint(*args, **kwargs) -> host[jax.experimental.ode.odeint]
quad(*args, **kwargs) -> host[:TracerBoolConversionError]
cumulative_trapezoid dblquad simpson solve_ivp(*args, **kwargs) -> host[]
""",
    "scipy.interpolate": """
Akima1DInterpolator BSpline CubicSpline PchipInterpolator RegularGridInterpolator UnivariateSpline griddata interp1d
    splev splrep(*args, **kwargs) -> host[]
""",
    "scipy.optimize": """
minimize(*args, **kwargs) -> host[jax.scipy.optimize.minimize]
bisect brentq curve_fit differential_evolution fsolve least_squares linear_sum_assignment linprog minimize_scalar
    newton nnls root root_scalar(*args, **kwargs) -> host[]
""",
    "scipy.spatial": "ConvexHull Delaunay KDTree cKDTree distance_matrix(*args, **kwargs) -> host[]",
    "scipy.spatial.distance": "cdist cosine euclidean pdist squareform(*args, **kwargs) -> host[]",
    "scipy.stats": """
describe entropy gmean hmean iqr kendalltau ks_2samp kurtosis linregress moment pearsonr rankdata skew spearmanr
    ttest_ind zscore gaussian_kde(*args, **kwargs) -> host[]
""",
}

_DENSITIES = "cdf isf logcdf logpdf logpmf logsf pdf pmf ppf sf"

FUNCTIONS |= {
    prefix.removeprefix("jax."): f"""
{_DENSITIES}(*args, **kwargs) -> host[]
rvs(*args, **kwargs) -> effect[random:TracerArrayConversionError, static[ndarray]]
{twins(prefix, lines)}
"""
    for prefix, lines in JAX_FUNCTIONS.items()
    if prefix.startswith("jax.scipy.stats.")
}
