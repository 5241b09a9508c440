"""mctx: searches in trees, which unroll the user's model inside a loop."""

from __future__ import annotations

FUNCTIONS = {
    "mctx": """
RootFnOutput(prior_logits, value, embedding) -> record
RecurrentFnOutput(reward, discount, prior_logits, value) -> record
gumbel_muzero_policy muzero_policy(params, rng_key, root, recurrent_fn, num_simulations, **kwargs) ->
    traces[recurrent_fn(params, KEY, ARRAY, TREE), taint]
stochastic_muzero_policy(params, rng_key, root, decision_recurrent_fn, chance_recurrent_fn, num_simulations, **kwargs) ->
    traces[decision_recurrent_fn(params, KEY, ARRAY, TREE), chance_recurrent_fn(params, KEY, ARRAY, TREE), taint]
search(params, rng_key, *, root, recurrent_fn, root_action_selection_fn, interior_action_selection_fn, num_simulations,
    **kwargs) -> traces[recurrent_fn(params, KEY, ARRAY, TREE), taint]
""",
}
