"""Libraries that look at arrays without changing them, or rearrange them: chex, jaxtyping, beartype, einops."""

from __future__ import annotations

FUNCTIONS = {
    "chex": """
dataclass(cls=, *, init=, repr=, eq=, order=, unsafe_hash=, frozen=, kw_only=, mappable_dataclass=) ->
    model[pytree_dataclass]
mappable_dataclass(cls) -> model[register_pytree]
register_dataclass_type_with_jax_tree_util(data_class) -> model[register_pytree]
chexify(fn, async_check=, errors=) -> transform[transparent]
assert_max_traces(fn=, n=) -> transform[transparent]

# shapes, types and structure
assert_axis_dimension(tensor, axis, expected) -> none
assert_axis_dimension_gt assert_axis_dimension_gteq assert_axis_dimension_lt
    assert_axis_dimension_lteq(tensor, axis, val) -> none
assert_equal_rank assert_equal_size(inputs) -> none
assert_equal_shape(inputs, *, dims=) -> none
assert_equal_shape_prefix(inputs, prefix_len) -> none
assert_equal_shape_suffix(inputs, suffix_len) -> none
assert_rank(inputs, expected_ranks) -> none
assert_shape(inputs, expected_shapes) -> none
assert_size(inputs, expected_sizes) -> none
assert_type(inputs, expected_types) -> none
assert_is_broadcastable(shape_a, shape_b) -> none
assert_exactly_one_is_none assert_not_both_none(first, second) -> none
assert_tree_has_only_ndarrays assert_tree_no_nones assert_tree_is_on_host assert_tree_is_on_device(tree, **kwargs) -> none
assert_tree_shape(tree, expected_shape) -> none
assert_tree_shape_prefix(tree, shape_prefix) -> none
assert_tree_shape_suffix(tree, shape_suffix) -> none
assert_trees_all_equal_dtypes assert_trees_all_equal_shapes assert_trees_all_equal_shapes_and_dtypes
    assert_trees_all_equal_sizes assert_trees_all_equal_structs(*trees) -> none

# values: under a trace only inside chexify
assert_tree_all_finite(tree_like) -> checks[chex.chexify:RuntimeError]
assert_trees_all_close assert_trees_all_close_ulp assert_trees_all_equal(*trees, **kwargs) ->
    checks[chex.chexify:RuntimeError]

# Python numbers
assert_scalar assert_scalar_negative assert_scalar_non_negative assert_scalar_positive(x) -> host[:AssertionError]
assert_scalar_in(x, min_, max_, included=) -> host[:AssertionError]
assert_equal(first, second) -> host[:TracerBoolConversionError]
assert_is_divisible(numerator, denominator) -> host[:TracerBoolConversionError]
""",
    "jaxtyping": "jaxtyped(fn=, *, typechecker=) -> transform[transparent]",
    "beartype": "beartype(obj=, *, conf=) -> transform[transparent]",
    "typeguard": "typechecked(target=, **kwargs) -> transform[transparent]",
    "einops": """
rearrange repeat(tensor, pattern, **axes_lengths!size:TypeError) -> handles[rearranged]
reduce(tensor, pattern, reduction, **axes_lengths!size:TypeError) -> handles[rearranged]
einsum(*tensors_and_pattern) -> handles[rearranged]
pack(tensors, pattern) -> taint
unpack(tensor, packed_shapes, pattern) -> taint
parse_shape(x, pattern) -> static[dict]
asnumpy(tensor) -> host[]
""",
}

ALIASES = {"chex.with_jittable_assertions": "chex.chexify"}
