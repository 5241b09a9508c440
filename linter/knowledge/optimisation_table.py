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
sgd noisy_sgd adam adamw adagrad adadelta adamax adamaxw amsgrad fromage lamb lars lion nadam nadamw novograd
    optimistic_gradient_descent radam rmsprop rprop sign_sgd sm3 yogi scale_by_learning_rate(learning_rate=, **kwargs) ->
    object[OptaxTransformation]
scale_by_schedule(step_size_fn) -> object[OptaxTransformation]
chain named_chain(*transforms) -> object[OptaxTransformation]
multi_transform partition(transforms, param_labels, **kwargs) -> object[OptaxTransformation]
masked apply_if_finite(inner, *args, **kwargs) -> object[OptaxTransformation]
MultiSteps(opt, every_k_schedule, **kwargs) -> object[OptaxTransformation]
""",
    "optax.losses": _LOSSES,
    "optax.tree_utils": "tree_l2_norm(tree, **kwargs) -> array[scalar, ?]",
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
minimise least_squares root_find fixed_point(fn, solver, y0, args=, options=, *, has_aux=, max_steps=, adjoint=,
    throw=, tags=) -> traces[fn(y0, args:arrays), unknown]
""",
    "lineax": """
linear_solve(operator, vector, solver=, *, options=, state=, throw=) -> taint
FunctionLinearOperator(fn, input_structure, tags=) -> traces[fn(TREE), unknown]
JacobianLinearOperator(fn, x, args=, tags=, jac=) -> traces[fn(x, args:arrays), unknown]
""",
    "diffrax": """
diffeqsolve(terms, solver, t0, t1, dt0, y0, args=, *, saveat=, stepsize_controller=, adjoint=, event=,
    max_steps=, throw=, progress_meter=, solver_state=, controller_state=, made_jump=) ->
    traces[terms.vector_field(SCALAR, y0, args:arrays), saveat.fn(SCALAR, y0, args:arrays),
    event.cond_fn(SCALAR, y0, args:arrays), tree]
ODETerm(vector_field) -> object[DiffraxTerm]
ControlTerm WeaklyDiagonalControlTerm(vector_field, control) -> object[DiffraxTerm]
MultiTerm(*terms) -> object[DiffraxTerm]
SaveAt(*, t0=, t1=, ts=, steps=, fn=, subs=, **kwargs) -> object[DiffraxPlan]
SubSaveAt(*, t0=, t1=, ts=, steps=, fn=) -> object[DiffraxPlan]
Event(cond_fn, root_finder=, direction=) -> object[DiffraxPlan]
linear_interpolation(ts, ys, *, fill_forward_nans_at_end=, replace_nans_at_start=) -> taint
""",
    "blackjax": """
nuts hmc mala barker_proposal(logdensity_fn, **kwargs) -> object[BlackjaxSampler]
elliptical_slice(loglikelihood_fn, **kwargs) -> object[BlackjaxLikelihood]
""",
}

METHODS = {
    "OptaxTransformation": """
init(params) -> tree
update(updates, state, params=, **extra_args) ->
    calls[learning_rate(ARRAY), step_size_fn(ARRAY), transforms.learning_rate(ARRAY), transforms.step_size_fn(ARRAY),
    inner.learning_rate(ARRAY), inner.step_size_fn(ARRAY), tree]
""",
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
    "DiffraxTerm": "vf(t, y, args) -> taint",
    "DiffraxPlan": "__call__() -> unknown",
    "BlackjaxSampler": """
init(position, rng_key=) -> tree
step(rng_key, state) -> traces[logdensity_fn(TREE), taint]
""",
    "BlackjaxLikelihood": """
init(position, rng_key=) -> tree
step(rng_key, state) -> traces[loglikelihood_fn(TREE), taint]
""",
}

ALIASES = {"optax.squared_loss": "optax.squared_error"}
