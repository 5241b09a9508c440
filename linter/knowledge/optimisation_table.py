"""Solvers and optimisers that trace the functions they are given: optax, jaxopt, optimistix, lineax, diffrax, blackjax."""

from __future__ import annotations

_LOSSES = """
l2_loss squared_error huber_loss log_cosh(predictions, targets=, **kwargs) -> array[?, ?]
hinge_loss(predictor_outputs, targets) -> array[?, ?]
cosine_similarity cosine_distance(predictions, targets, **kwargs) -> array[?, ?]
kl_divergence convex_kl_divergence generalized_kl_divergence(log_predictions, targets, axis=, where=) -> array[?, ?]
sigmoid_binary_cross_entropy safe_softmax_cross_entropy(logits, labels) -> array[?, ?]
sigmoid_focal_loss(logits, labels, *, alpha=, gamma=) -> array[?, ?]
softmax_cross_entropy softmax_cross_entropy_with_integer_labels(logits, labels, axis=, where=) -> array[?, ?]
ctc_loss(logits, logit_paddings, labels, label_paddings, *, blank_id=, log_epsilon=) -> array[?, ?]
smooth_labels(labels, alpha, *, axis=, where=) -> array[same(labels), ?]
"""

_GRADIENT_STATE = """
init(position, rng_key=) ->
    record[position=like[position], logdensity=array[scalar, ?], logdensity_grad=like[position]]
"""
_ACCEPTED = "acceptance_rate=array[scalar, ?], is_accepted=array[scalar, bool]"
_DIVERGENT = "is_divergent=array[scalar, bool]"

FUNCTIONS = {
    "optax": f"""
{_LOSSES}
apply_updates(params, updates) -> like[params]
incremental_update(new_tensors, old_tensors, step_size) -> like[new_tensors]
periodic_update(new_tensors, old_tensors, steps, update_period) -> like[new_tensors]
global_norm(updates) -> array[scalar, ?]
safe_norm(x, min_norm, ord=, axis=, keepdims=) -> array[?, ?]
safe_increment safe_int32_increment(count) -> array[same(count), same(count)]
value_and_grad_from_state(value_fn) -> object[OptaxValueAndGrad]
sgd noisy_sgd adabelief adadelta adafactor adagrad adam adamax adamaxw adamw adan amsgrad fromage lamb lars lbfgs lion
    nadam nadamw novograd optimistic_adam_v2 optimistic_gradient_descent radam rmsprop rprop sign_sgd signum sm3 yogi
    scale_by_learning_rate(learning_rate=, **kwargs) -> object[OptaxTransformation]
adaptive_grad_clip add_decayed_weights add_noise apply_every centralize clip clip_by_block_rms clip_by_global_norm ema
    freeze identity keep_params_nonnegative normalize_by_update_norm polyak_sgd scale scale_by_adadelta scale_by_adam
    scale_by_adamax scale_by_adan scale_by_amsgrad scale_by_backtracking_linesearch scale_by_belief
    scale_by_distance_over_gradients scale_by_lbfgs scale_by_lion scale_by_novograd scale_by_optimistic_gradient
    scale_by_param_block_norm scale_by_param_block_rms scale_by_polyak scale_by_radam scale_by_rms scale_by_rprop
    scale_by_rss scale_by_sign scale_by_sm3 scale_by_stddev scale_by_trust_ratio scale_by_yogi scale_by_zoom_linesearch
    set_to_zero trace zero_nans(*args, **kwargs) -> object[OptaxTransformation]
scale_by_schedule(step_size_fn) -> object[OptaxTransformation]
GradientTransformation GradientTransformationExtraArgs(init, update) -> handles[optax_transformation]
stateless(f) -> object[OptaxStateless]
chain(*transforms) -> handles[optax_chain]
named_chain(*transforms) -> object[OptaxTransformation]
multi_transform partition(transforms, param_labels, **kwargs) -> object[OptaxTransformation]
masked(inner, mask, *, mask_compatible_extra_args=) -> object[OptaxTransformation]
apply_if_finite(inner, *args, **kwargs) -> object[OptaxTransformation]
MultiSteps(opt, every_k_schedule, **kwargs) -> object[OptaxTransformation]
inject_hyperparams(inner_factory, static_args=, hyperparam_dtype=) -> object[OptaxFactory]
linear_schedule(init_value, end_value, transition_steps!other:TracerBoolConversionError, transition_begin=) -> object[OptaxSchedule]
polynomial_schedule(init_value, end_value, power, transition_steps!other:TracerBoolConversionError, transition_begin=) ->
    object[OptaxSchedule]
exponential_decay(init_value, transition_steps!other:TracerBoolConversionError, decay_rate!other:TracerBoolConversionError, **kwargs) ->
    object[OptaxSchedule]
cosine_decay_schedule(init_value, decay_steps!other:TracerBoolConversionError, alpha=, exponent=) -> object[OptaxSchedule]
cosine_onecycle_schedule(transition_steps!other:TracerBoolConversionError, peak_value, **kwargs) -> object[OptaxSchedule]
warmup_constant_schedule(init_value, peak_value, warmup_steps!other:TracerBoolConversionError) -> object[OptaxSchedule]
warmup_cosine_decay_schedule(init_value, peak_value!other:TracerBoolConversionError, warmup_steps!other:TracerBoolConversionError,
    decay_steps!other:TracerBoolConversionError, end_value=, exponent=) -> object[OptaxSchedule]
warmup_exponential_decay_schedule(init_value, peak_value, warmup_steps!other:TracerBoolConversionError, **kwargs) -> object[OptaxSchedule]
piecewise_constant_schedule piecewise_interpolate_schedule linear_onecycle_schedule sgdr_schedule(*args, **kwargs) ->
    object[OptaxSchedule]
join_schedules(schedules, boundaries) -> object[OptaxSchedule]
""",
    "optax.losses": _LOSSES,
    "optax.tree_utils": """
tree_l1_norm tree_l2_norm tree_linf_norm tree_norm(tree, **kwargs) -> array[scalar, ?]
tree_sum tree_max tree_min(tree) -> array[scalar, ?]
tree_vdot(tree_x, tree_y, **kwargs) -> array[scalar, ?]
tree_zeros_like tree_ones_like tree_full_like tree_clip tree_conj(tree, *args, **kwargs) -> like[tree]
tree_add tree_sub tree_mul tree_div tree_add_scale tree_add_scalar_mul(tree_x, *others) -> like[tree_x]
tree_scale tree_scalar_mul(scalar, tree) -> like[tree]
tree_update_moment tree_update_moment_per_elem_norm(updates, moments, decay, order) -> like[moments]
tree_update_infinity_moment(updates, moments, decay, eps) -> like[moments]
tree_bias_correction(moment, decay, count) -> like[moment]
""",
    "jaxopt": """
GradientDescent ProximalGradient LBFGS LBFGSB BFGS NonlinearCG PolyakSGD ArmijoSGD OptaxSolver ProjectedGradient
    MirrorDescent(fun=, *args, **kwargs) -> object[JaxoptSolver]
GaussNewton LevenbergMarquardt(residual_fun=, *args, **kwargs) -> object[JaxoptSolver]
FixedPointIteration AndersonAcceleration(fixed_point_fun=, *args, **kwargs) -> object[JaxoptSolver]
Bisection(optimality_fun=, *args, **kwargs) -> object[JaxoptBisection]
ScipyMinimize ScipyBoundedMinimize(method=, dtype=, jit=, implicit_diff_solve=, has_aux=, fun=, **kwargs) ->
    object[JaxoptWrapper]
""",
    "optimistix": """
minimise least_squares root_find fixed_point(fn, solver, y0, args=, options=, *, has_aux=, max_steps!other:ValueError=, adjoint=,
    throw=, tags=) -> traces[fn(y0, args:arrays), trace[root]]
""",
    "lineax": """
linear_solve(operator, vector, solver=, *, options=, state=, throw=) -> taint
FunctionLinearOperator(fn, input_structure, tags=) -> traces[fn(TREE), unknown]
JacobianLinearOperator(fn, x, args=, tags=, jac=) -> traces[fn(x, args:arrays), unknown]
""",
    "diffrax": """
diffeqsolve(terms, solver, t0, t1, dt0, y0, args=, *, saveat=, stepsize_controller=, adjoint=, event=,
    max_steps!other:TracerBoolConversionError=, throw!flag:ValueError=, progress_meter=, solver_state=, controller_state=, made_jump=) ->
    traces[terms.vector_field(SCALAR, y0, args:arrays), saveat.fn(SCALAR, y0, args:arrays),
    event.cond_fn(SCALAR, y0, args:arrays), trace[solution]]
ODETerm(vector_field) -> object[DiffraxTerm]
ControlTerm WeaklyDiagonalControlTerm(vector_field, control) -> object[DiffraxTerm]
MultiTerm(*terms) -> object[DiffraxTerm]
SaveAt(*, t0!flag:TracerBoolConversionError=, t1!flag:TracerBoolConversionError=, ts=, steps!flag:TracerBoolConversionError=, fn=, subs=, dense=, **kwargs) -> object[DiffraxPlan]
SubSaveAt(*, t0=, t1=, ts=, steps=, fn=) -> object[DiffraxPlan]
Event(cond_fn, root_finder=, direction=) -> object[DiffraxPlan]
linear_interpolation(ts, ys, *, fill_forward_nans_at_end=, replace_nans_at_start=) -> taint
""",
    "blackjax": """
nuts(logdensity_fn, **kwargs) -> object[BlackjaxNuts]
hmc dhmc dynamic_hmc mhmc multinomial_hmc(logdensity_fn, **kwargs) -> object[BlackjaxHmc]
mala barker barker_proposal(logdensity_fn, **kwargs) -> object[BlackjaxLangevin]
rmh irmh additive_step_random_walk(logdensity_fn, **kwargs) -> object[BlackjaxWalk]
elliptical_slice(loglikelihood_fn, **kwargs) -> object[BlackjaxSlice]
window_adaptation(algorithm, logdensity_fn, **kwargs) -> object[BlackjaxAdaptation]
""",
}

METHODS = {
    "OptaxTransformation": """
init(params) -> calls[param_labels(params), mask(params), tree]
update(updates, state, params=, **extra_args) ->
    calls[learning_rate(ARRAY), step_size_fn(ARRAY), every_k_schedule(ARRAY), param_labels(updates), mask(updates),
    transforms.update(updates, TREE, params),
    inner.update(updates, TREE, params), opt.update(updates, TREE, params), trace[optax_updates]]
""",
    "OptaxStateless": """
init(params) -> tree
update(updates, state, params=, **extra_args) -> calls[f(updates, params), trace[optax_updates]]
""",
    "OptaxChain": """
init(params) -> handles[optax_chain_init]
update(updates, state, params=, **extra_args) -> handles[optax_chain_update]
""",
    "OptaxFactory": "__call__(learning_rate=, **kwargs) -> object[OptaxTransformation]",
    "OptaxSchedule": "__call__(count) -> calls[schedules(count), array[same(count), ?]]",
    "OptaxValueAndGrad": "__call__(params, *args, state, **kwargs) -> traces[value_fn(params, *args, **kwargs), taint]",
    "JaxoptSolver": """
run(init_params, *args, **kwargs) -> traces[fun(init_params, *args, **kwargs),
    residual_fun(init_params, *args, **kwargs), fixed_point_fun(init_params, *args, **kwargs), unknown]
update(params, state, *args, **kwargs) -> traces[fun(params, *args, **kwargs),
    residual_fun(params, *args, **kwargs), fixed_point_fun(params, *args, **kwargs), unknown]
init_state(init_params, *args, **kwargs) -> taint
""",
    "JaxoptWrapper": "run(init_params, *args, **kwargs) -> traces[fun(init_params, *args, **kwargs), unknown]",
    "JaxoptBisection": "run(init_params=, *args, **kwargs) -> traces[optimality_fun(SCALAR, *args, **kwargs), unknown]",
    "DiffraxSolution": """
evaluate(t0, t1=, left=) -> tree
derivative(t, left=) -> tree
""",
    "DiffraxTerm": "vf(t, y, args) -> taint",
    "DiffraxPlan": "__call__() -> unknown",
    "BlackjaxNuts": f"""
{_GRADIENT_STATE}
step(rng_key, state) -> traces[logdensity_fn(TREE), record[like[state], record[momentum=tree, {_DIVERGENT},
    is_turning=array[scalar, bool], energy=array[scalar, ?], trajectory_leftmost_state=tree,
    trajectory_rightmost_state=tree, num_trajectory_expansions=array[scalar, ?],
    num_integration_steps=array[scalar, ?], acceptance_rate=array[scalar, ?]]]]
""",
    "BlackjaxHmc": f"""
{_GRADIENT_STATE}
step(rng_key, state) -> traces[logdensity_fn(TREE), record[like[state], record[momentum=tree, {_ACCEPTED},
    {_DIVERGENT}, energy=array[scalar, ?], proposal=tree, num_integration_steps=array[scalar, ?]]]]
""",
    "BlackjaxLangevin": f"""
{_GRADIENT_STATE}
step(rng_key, state) -> traces[logdensity_fn(TREE), record[like[state], record[{_ACCEPTED}]]]
""",
    "BlackjaxWalk": f"""
init(position, rng_key=) -> record[position=like[position], logdensity=array[scalar, ?]]
step(rng_key, state) -> traces[logdensity_fn(TREE), record[like[state], record[{_ACCEPTED}, proposal=tree]]]
""",
    "BlackjaxSlice": """
init(position, rng_key=) -> record[position=like[position], logdensity=array[scalar, ?]]
step(rng_key, state) -> traces[loglikelihood_fn(TREE), record[like[state],
    record[momentum=tree, theta=array[scalar, ?], subiter=array[scalar, ?]]]]
""",
    "BlackjaxAdaptation": "run(rng_key, position, num_steps=) -> traces[logdensity_fn(position), taint]",
}

ALIASES = {
    "optax.squared_loss": "optax.squared_error",
    "optax.schedules": "optax",
    "optax.transforms": "optax",
}
