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
cbrt exp2 expm1 log1p round(*args, **kwargs) -> host[jax.numpy.*]
agm airy airye bdtr bdtrc bdtri bdtrik bdtrin bei beip ber berp besselpoly betaincc betainccinv betaincinv
    binom btdtria btdtrib chdtr chdtrc chdtri chdtriv chndtr chndtridf chndtrinc chndtrix cosdg cosm1 cotdg
    ellipe ellipeinc ellipj ellipk ellipkinc ellipkm1 elliprc elliprd elliprf elliprg elliprj erfcinv erfi
    eval_chebyc eval_chebys eval_chebyt eval_chebyu eval_gegenbauer eval_genlaguerre eval_hermite
    eval_hermitenorm eval_jacobi eval_laguerre eval_legendre eval_sh_chebyt eval_sh_chebyu eval_sh_jacobi
    eval_sh_legendre exp10 exprel fdtr fdtrc fdtri fdtridfd gammainccinv gammaincinv gdtr gdtrc gdtria
    gdtrib gdtrix hankel1 hankel1e hankel2 hankel2e huber hyp0f1 hyperu inv_boxcox inv_boxcox1p it2i0k0
    it2j0y0 it2struve0 itairy iti0k0 itj0y0 itmodstruve0 itstruve0 iv ive j0 j1 jn jv jve k0 k0e k1 k1e kei
    keip kelvin ker kerp kn kolmogi kolmogorov kv kve lambertw log_expit log_wright_bessel lpmv mathieu_a
    mathieu_b mathieu_cem mathieu_modcem1 mathieu_modcem2 mathieu_modsem1 mathieu_modsem2 mathieu_sem
    modfresnelm modfresnelp modstruve nbdtr nbdtrc nbdtri nbdtrik nbdtrin ncfdtr ncfdtri ncfdtridfd
    ncfdtridfn ncfdtrinc nctdtr nctdtridf nctdtrinc nctdtrit ndtri_exp nrdtrimn nrdtrisd obl_ang1
    obl_ang1_cv obl_cv obl_rad1 obl_rad1_cv obl_rad2 obl_rad2_cv pbdv pbvv pbwa pdtr pdtrc pdtri pdtrik perm
    powm1 pro_ang1 pro_ang1_cv pro_cv pro_rad1 pro_rad1_cv pro_rad2 pro_rad2_cv pseudo_huber psi radian
    rgamma shichi sindg smirnov smirnovi sph_harm stdtr stdtridf stdtrit struve tandg tklmbda voigt_profile
    wright_bessel wrightomega y0 y1 yn yv yve zetac
    (*args, **kwargs) -> host[]
""",
    "scipy.linalg": """
block_diag cho_factor cho_solve cholesky circulant companion det dft eigh expm expm_frechet fiedler fiedler_companion
    funm hadamard hankel hessenberg hilbert inv lu lu_factor lu_solve polar qr qr_multiply rsf2csf schur solve
    solve_sylvester solve_triangular sqrtm svd toeplitz(*args, **kwargs) -> host[jax.scipy.linalg.*]
norm pinv eig eigvals eigvalsh svdvals(*args, **kwargs) -> host[jax.numpy.linalg.*]
bandwidth cdf2rdf cho_solve_banded cholesky_banded coshm cosm eig_banded eigvals_banded ishermitian issymmetric
    khatri_rao ldl logm lstsq matmul_toeplitz matrix_balance null_space ordqz orth orthogonal_procrustes pinvh
    qr_delete qr_insert qr_update qz rq signm sinhm sinm solve_banded solve_circulant solve_continuous_are
    solve_continuous_lyapunov solve_discrete_are solve_discrete_lyapunov solve_lyapunov solve_toeplitz solveh_banded
    subspace_angles tanhm tanm(*args, **kwargs) -> host[]
fractional_matrix_power(A, t!:ConcretizationTypeError) -> host[]
""",
    "scipy.fft": """
dct idct dctn idctn(*args, **kwargs) -> host[jax.scipy.fft.*]
fft ifft fft2 ifft2 fftn ifftn hfft ihfft rfft irfft rfft2 irfft2 rfftn irfftn fftshift ifftshift
    (*args, **kwargs) -> host[jax.numpy.fft.*]
dst idst dstn idstn fht ifht(*args, **kwargs) -> host[]
fftfreq rfftfreq(n!length:ValueError, d=, *, xp=, device=) -> host[jax.numpy.fft.*]
""",
    "scipy.signal": """
convolve convolve2d correlate correlate2d csd detrend fftconvolve istft stft welch
    (*args, **kwargs) -> host[jax.scipy.signal.*]
argrelmax argrelmin bilinear bode butter coherence cont2discrete cspline1d cspline1d_eval czt decimate deconvolve
    dimpulse dlsim dstep envelope filtfilt find_peaks find_peaks_cwt freqresp freqs freqs_zpk freqz freqz_zpk gausspulse
    hilbert hilbert2 impulse lfilter lfilter_zi lfiltic lombscargle lp2bp lp2bs lp2hp lp2lp lsim medfilt medfilt2d
    minimum_phase oaconvolve periodogram place_poles qspline1d qspline1d_eval resample residue residuez savgol_filter
    sawtooth sos2tf sosfilt sosfilt_zi sosfiltfilt spectrogram square ss2tf ss2zpk step sweep_poly tf2sos tf2ss tf2zpk
    unique_roots upfirdn wiener zoom_fft zpk2sos zpk2ss zpk2tf(*args, **kwargs) -> host[]
chirp(t, f0!:ConcretizationTypeError, t1!:ConcretizationTypeError, f1!:ConcretizationTypeError, *args, **kwargs) -> host[]
resample_poly(x, up!:ConcretizationTypeError, down!:ConcretizationTypeError, *args, **kwargs) -> host[]
""",
    "scipy.ndimage": """
map_coordinates(*args, **kwargs) -> host[jax.scipy.ndimage.map_coordinates]
affine_transform binary_closing binary_dilation binary_erosion binary_fill_holes binary_opening binary_propagation
    center_of_mass convolve convolve1d correlate correlate1d distance_transform_cdt distance_transform_edt extrema
    fourier_gaussian fourier_shift fourier_uniform gaussian_filter grey_closing grey_dilation grey_erosion grey_opening
    label laplace maximum maximum_filter maximum_position mean median median_filter minimum minimum_filter
    minimum_position percentile_filter prewitt rank_filter rotate shift sobel spline_filter spline_filter1d
    standard_deviation sum sum_labels uniform_filter variance zoom(*args, **kwargs) -> host[]
gaussian_filter1d(input, sigma!:ConcretizationTypeError, *args, **kwargs) -> host[]
gaussian_gradient_magnitude gaussian_laplace(input, sigma!:TracerBoolConversionError, *args, **kwargs) -> host[]
maximum_filter1d minimum_filter1d uniform_filter1d(input, size!:TracerBoolConversionError, *args, **kwargs) -> host[]
""",
    # where a function that they are given gives a tracer, these raise what stands first
    "scipy.integrate": """
trapezoid(*args, **kwargs) -> host[jax.scipy.integrate.trapezoid]
cumulative_simpson cumulative_trapezoid romb simpson(*args, **kwargs) -> host[]
quad(func, a, b, args=, **_) -> consults[ConcretizationTypeError, func(NUMBER, *args), host[:TracerBoolConversionError]]
quad_vec(f, a, b, *_, args=, **__) -> consults[TracerArrayConversionError, f(NUMBER, *args), host[]]
dblquad(func, a, b, gfun, hfun, args=, **_) -> consults[ConcretizationTypeError, func(NUMBER, NUMBER, *args), host[]]
tplquad(func, a, b, gfun, hfun, qfun, rfun, args=, **_) ->
    consults[ConcretizationTypeError, func(NUMBER, NUMBER, NUMBER, *args), host[]]
odeint(func, y0, t, args=, **_) ->
    consults[TracerArrayConversionError, func(BUFFER, NUMBER, *args), host[jax.experimental.ode.odeint]]
solve_ivp(fun, t_span, y0, method=, t_eval=, dense_output=, events=, vectorized=, args=, **_) ->
    consults[TracerArrayConversionError, fun(NUMBER, BUFFER, *args), host[]]
""",
    "scipy.interpolate": """
Akima1DInterpolator BarycentricInterpolator BPoly BSpline CloughTocher2DInterpolator CubicHermiteSpline CubicSpline
    InterpolatedUnivariateSpline KroghInterpolator LinearNDInterpolator NdPPoly NearestNDInterpolator PPoly
    PchipInterpolator RBFInterpolator RectBivariateSpline RegularGridInterpolator SmoothBivariateSpline
    UnivariateSpline interp1d make_interp_spline make_smoothing_spline(*args, **kwargs) -> host[, , HostFunction]
barycentric_interpolate griddata interpn krogh_interpolate pchip_interpolate splev splrep(*args, **kwargs) -> host[]
""",
    "scipy.optimize": """
minimize(fun, x0, args=, **_) -> consults[ValueError, fun(BUFFER, *args), host[jax.scipy.optimize.minimize]]
fmin fmin_powell(func, x0, args=, **_) -> consults[ValueError, func(BUFFER, *args), host[]]
fmin_bfgs fmin_cg(f, x0, fprime=, args=, **_) -> consults[ValueError, f(BUFFER, *args), host[]]
fmin_l_bfgs_b fmin_tnc(func, x0, fprime=, args=, **_) -> consults[ValueError, func(BUFFER, *args), host[]]
basinhopping(func, x0, **_) -> consults[ValueError, func(BUFFER), host[]]
bisect brenth brentq ridder toms748(f, a, b, args=, **_) ->
    consults[TracerArrayConversionError, f(NUMBER, *args), host[:RuntimeError]]
root_scalar(f, args=, **_) -> consults[TracerArrayConversionError, f(NUMBER, *args), host[]]
newton(func, x0, fprime=, args=, **_) -> consults[TracerBoolConversionError, func(NUMBER, *args), host[]]
minimize_scalar(fun, bracket=, bounds=, args=, **_) -> consults[TracerBoolConversionError, fun(NUMBER, *args), host[]]
brent golden(func, args=, **_) -> consults[TracerBoolConversionError, func(NUMBER, *args), host[]]
fminbound(func, x1, x2, args=, **_) -> consults[TracerBoolConversionError, func(NUMBER, *args), host[]]
root least_squares(fun, x0, **_) -> consults[TracerArrayConversionError, fun(BUFFER), host[]]
fsolve leastsq fixed_point(func, x0, args=, **_) -> consults[TracerArrayConversionError, func(BUFFER, *args), host[]]
brute(func, ranges, args=, **_) -> consults[TracerArrayConversionError, func(BUFFER, *args), host[]]
dual_annealing(func, bounds, args=, **_) -> consults[TracerArrayConversionError, func(BUFFER, *args), host[]]
differential_evolution(func, bounds, args=, **_) -> consults[RuntimeError, func(BUFFER, *args), host[]]
approx_fprime(xk, f, epsilon=, *args) -> consults[TracerArrayConversionError, f(BUFFER, *args), host[]]
curve_fit linear_sum_assignment linprog milp nnls(*args, **kwargs) -> host[]
""",
    # a dense array is refused before it is asked for its elements
    "scipy.sparse": """
coo_array coo_matrix bmat hstack kron kronsum spdiags tril triu vstack(*args, **kwargs) -> host[, , HostMatrix]
bsr_array bsr_matrix csc_array csc_matrix csr_array csr_matrix dia_array dia_matrix block_diag diags diags_array
    (*args, **kwargs) -> host[:ValueError, , HostMatrix]
dok_array dok_matrix lil_array lil_matrix(*args, **kwargs) -> host[:TypeError, , HostMatrix]
eye eye_array identity random random_array(*args, **kwargs) -> host[:ConcretizationTypeError, , HostMatrix]
issparse isspmatrix(x) -> static[bool]
""",
    "scipy.sparse.linalg": """
bicg bicgstab cg cgs gmres lgmres lsmr lsqr minres qmr tfqmr(A!other:TypeError, *args, **kwargs) -> host[]
spsolve spsolve_triangular(A!other:ValueError, *args, **kwargs) -> host[]
eigs eigsh(*args, **kwargs) -> host[]
expm expm_multiply(*args, **kwargs) -> host[, , HostMatrix]
inv norm svds(A, *args, **kwargs) -> host[:TypeError]
factorized splu spilu(A, *args, **kwargs) -> host[:ValueError, , HostSolver]
""",
    "scipy.spatial": """
ConvexHull Delaunay KDTree cKDTree distance_matrix geometric_slerp minkowski_distance procrustes
    (*args, **kwargs) -> host[]
""",
    "scipy.spatial.distance": """
braycurtis canberra cdist chebyshev cityblock correlation cosine dice directed_hausdorff euclidean hamming jaccard
    jensenshannon mahalanobis minkowski pdist rogerstanimoto russellrao seuclidean sokalsneath sqeuclidean squareform
    yule(*args, **kwargs) -> host[]
""",
    "scipy.stats": """
mode rankdata sem(*args, **kwargs) -> host[jax.scipy.stats.*]
ansari binned_statistic binned_statistic_2d binned_statistic_dd boxcox brunnermunzel chi2_contingency chisquare circmean
    circstd circvar combine_pvalues cumfreq describe differential_entropy ecdf energy_distance entropy expectile
    fisher_exact gmean gstd gzscore hmean iqr jarque_bera kendalltau ks_2samp kstat kstest kurtosis kurtosistest
    linregress mannwhitneyu median_abs_deviation moment mood normaltest pearsonr percentileofscore pointbiserialr
    power_divergence probplot quantile ranksums relfreq shapiro siegelslopes sigmaclip skew skewtest spearmanr
    theilslopes tmax tmean tmin tsem tstd ttest_1samp ttest_ind ttest_rel tvar variation wasserstein_distance
    weightedtau wilcoxon yeojohnson zmap zscore(*args, **kwargs) -> host[]
gaussian_kde(*args, **kwargs) -> host[, , HostFunction]
""",
}

_DISTRIBUTIONS = """
alpha anglit arcsine argus betanbinom betaprime boltzmann bradford burr burr12 chi cosine crystalball dgamma
dlaplace dweibull erlang exponnorm exponpow exponweib f fatiguelife fisk foldcauchy foldnorm gausshyper genexpon
genextreme gengamma genhalflogistic genhyperbolic geninvgauss genlogistic genpareto gibrat gompertz halfcauchy
halfgennorm halflogistic halfnorm hypergeom hypsecant invgamma invgauss invweibull johnsonsb johnsonsu kappa3 kappa4
ksone kstwo kstwobign laplace_asymmetric levy levy_l levy_stable loggamma loglaplace lognorm logser loguniform lomax
maxwell mielke moyal nakagami ncf nct ncx2 nhypergeom norminvgauss pearson3 planck powerlaw powerlognorm powernorm
randint rayleigh rdist recipinvgauss reciprocal rel_breitwigner rice semicircular skellam skewcauchy skewnorm
studentized_range trapezoid triang truncexpon truncpareto truncweibull_min tukeylambda vonmises_line wald weibull_max
weibull_min yulesimon zipf zipfian
""".split()  # those that jax.scipy.stats has not

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

FUNCTIONS |= {
    f"scipy.stats.{name}": f"""
{_DENSITIES}(*args, **kwargs) -> host[]
rvs(*args, **kwargs) -> effect[random:TracerArrayConversionError, static[ndarray]]
"""
    for name in _DISTRIBUTIONS
}

_NAMES = [
    *_DISTRIBUTIONS,
    *(prefix.rsplit(".", 1)[1] for prefix in JAX_FUNCTIONS if prefix.startswith("jax.scipy.stats.")),
]
_LOOKING = ("dirichlet", "multinomial", "multivariate_normal")  # at their parameters when they are made
FUNCTIONS["scipy.stats"] += f"""
{" ".join(name for name in _NAMES if name not in _LOOKING)}(*args, **kwargs) -> object[HostDistribution]
{" ".join(_LOOKING)}(*args, **kwargs) -> host[, , HostDistribution]
"""

METHODS = {
    "HostDistribution": f"""
{_DENSITIES}(*args, **kwargs) -> host[]
rvs(*args, **kwargs) -> effect[random:TracerArrayConversionError, static[ndarray]]
entropy mean median moment std var(*args, **kwargs) -> host[]
interval stats support(*args, **kwargs) -> host[, , tuple]
""",
    # interpolating functions, polynomials, densities
    "HostFunction": """
__call__ ev evaluate integrate integral logpdf partial_derivative pdf solve(*args, **kwargs) -> host[]
antiderivative deriv derivative integ(*args, **kwargs) -> host[, , HostFunction]
""",
    "HostMatrix": """
__add__ __mul__ __radd__ __rmul__ __rsub__ __sub__ __truediv__(other) -> model[combined]
__matmul__ __rmatmul__ dot multiply(other) -> host[]
copy tocsc tocsr tocoo transpose(*args, **kwargs) -> host[, , HostMatrix]
diagonal max mean min sum toarray todense(*args, **kwargs) -> static[ndarray]
""",
    # factors of a sparse matrix, which take no array but NumPy's
    "HostSolver": "__call__ solve(rhs, trans=) -> host[:TypeError]",
}

ATTRIBUTES = {
    "HostMatrix": {"T": "same", "data": "static:ndarray", "nnz": "static:int", "shape": "static:tuple"}
}
