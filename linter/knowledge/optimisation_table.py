"""Solvers and optimisers that trace the functions they are given: optax, jaxopt, optimistix, lineax, diffrax."""

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
value_and_grad_from_state(value_fn) -> transform[opaque]
""",
    "optax.losses": _LOSSES,
    "optax.tree_utils": "tree_l2_norm(tree, **kwargs) -> array[scalar, ?]",
    "jaxopt": """
GradientDescent ProximalGradient LBFGS LBFGSB BFGS NonlinearCG GaussNewton LevenbergMarquardt FixedPointIteration
    Bisection ScipyMinimize ScipyBoundedMinimize ScipyRootFinding PolyakSGD ArmijoSGD OptaxSolver ProjectedGradient
    BlockCoordinateDescent MirrorDescent AndersonAcceleration(fun=, *args, **kwargs) -> trace[opaque]
""",
    "optimistix": """
minimise least_squares root_find fixed_point(fn, solver, y0, args=, options=, *, has_aux=, max_steps=, adjoint=,
    throw=, tags=) -> trace[opaque]
""",
    "lineax": """
linear_solve(operator, vector, solver=, *, options=, state=, throw=) -> taint
FunctionLinearOperator(fn, input_structure, tags=) -> trace[opaque]
JacobianLinearOperator(fn, x, args=, tags=) -> trace[opaque]
""",
    "diffrax": """
diffeqsolve(terms, solver, t0, t1, dt0, y0, args=, *, saveat=, stepsize_controller=, adjoint=, event=,
    max_steps=, throw=, progress_meter=, solver_state=, controller_state=, made_jump=,
    discrete_terminating_event=) -> trace[diffrax_solve]
ODETerm(vector_field) -> trace[diffrax_term]
ControlTerm WeaklyDiagonalControlTerm(vector_field, control) -> trace[opaque]
linear_interpolation(ts, ys, *, fill_forward_nans_at_end=, replace_nans_at_start=) -> taint
""",
}

ALIASES = {"optax.squared_loss": "optax.squared_error"}
