"""The standard library where it handles functions and containers, values of any kind passing through."""

from __future__ import annotations

FUNCTIONS = {
    "functools": """
partial(func, /, *args, **keywords) -> model[partial]
partialmethod(func, /, *args, **keywords) -> model[partialmethod]
singledispatch singledispatchmethod(func) -> model[dispatcher]
wraps(wrapped, assigned=, updated=) -> model[wraps]
update_wrapper(wrapper, wrapped, assigned=, updated=) -> same[wrapper]
lru_cache(maxsize=, typed=) -> model[lru_cache]
cache(user_function, /) -> model[lru_cache]
reduce(function, iterable, initial=, /) -> model[reduce]
total_ordering(cls) -> same[cls]
""",
    "operator": """
add concat iadd iconcat(a, b, /) -> model[operator]
sub isub mul imul truediv itruediv floordiv ifloordiv mod imod pow ipow matmul imatmul(a, b, /) -> model[operator]
and_ iand or_ ior xor ixor lshift ilshift rshift irshift(a, b, /) -> model[operator]
lt le eq ne ge gt(a, b, /) -> model[operator]
neg pos abs invert inv(a, /) -> model[operator]
is_ is_not(a, b, /) -> static[bool]
not_(a, /) -> model[untruth]
truth(a, /) -> model[truth]
contains(a, b, /) -> model[operator]
index(a, /) -> convert[operator.index]
length_hint(obj, default=, /) -> static[int]
getitem(a, b, /) -> model[operator]
setitem(a, b, c, /) -> model[operator]
itemgetter(item, /, *items) -> model[itemgetter]
attrgetter(attr, /, *attrs) -> model[attrgetter]
methodcaller(name, /, *args, **kwargs) -> model[methodcaller]
""",
    "itertools": """
chain(*iterables) -> iterator[model[chain]]
chain.from_iterable(iterable, /) -> iterator[model[chain_from]]
product(*iterables, repeat=) -> iterator[model[product]]
zip_longest(*iterables, fillvalue=) -> iterator[model[product]]
combinations combinations_with_replacement permutations(iterable, r=) -> iterator[model[chosen]]
pairwise(iterable, /) -> iterator[model[pairwise]]
batched(iterable, n) -> iterator[model[chosen]]
islice(iterable, start_or_stop!size:ValueError, stop!size:ValueError=, step!size:ValueError=, /) -> iterator[model[sliced]]
cycle(iterable, /) -> iterator[model[cycled]]
repeat(object, times!repeats:TracerIntegerConversionError=) -> iterator[model[repeat]]
count(start=, step=) -> iterator[model[count]]
accumulate(iterable, func=, *, initial=) -> iterator[model[accumulated]]
starmap(function, iterable, /) -> iterator[model[starmap]]
takewhile dropwhile filterfalse(predicate, iterable, /) -> iterator[model[filtered]]
compress(data, selectors) -> iterator[model[compressed]]
groupby(iterable, key=) -> iterator[model[grouped]]
tee(iterable, n=, /) -> taint
""",
    "heapq": """
heapify(x, /) -> model[heap]
heappush heappushpop heapreplace(heap, item, /) -> model[heap]
heappop(heap, /) -> model[heap]
nsmallest nlargest(n, iterable, key=) -> model[heap]
merge(*iterables, key=, reverse=) -> taint
""",
    "bisect": """
bisect bisect_left bisect_right insort insort_left insort_right(a, x, lo=, hi=, *, key=) -> model[searched]
""",
    "copy": "copy deepcopy(x, memo=) -> model[copy]",
    "collections": """
OrderedDict(*args, **kwargs) -> model[dict]
defaultdict(default_factory=, /, *args, **kwargs) -> model[defaultdict]
deque(iterable=, maxlen=) -> model[list]
Counter(iterable=, /, **kwargs) -> model[counter]
ChainMap(*maps) -> object[ChainMap]
UserDict UserList UserString(*args, **kwargs) -> object[UserObject]
namedtuple(typename, field_names, *, rename=, defaults=, module=) -> model[namedtuple]
""",
    "decimal": "Decimal(value=, context=) -> host[:TypeError, scalar, Decimal]",
    "fractions": "Fraction(numerator=, denominator=) -> host[:TypeError, scalar, Fraction]",
    "enum": "auto(value=) -> static[auto]",
    "types": """
SimpleNamespace(mapping_or_iterable=, /, **kwargs) -> object[SimpleNamespace]
MappingProxyType(mapping) -> object[MappingProxyType]
""",
    "dataclasses": """
dataclass(cls=, /, *, init=, repr=, eq=, order=, unsafe_hash=, frozen=, match_args=, kw_only=, slots=,
    weakref_slot=) -> model[dataclass]
field(*, default=, default_factory=, init=, repr=, hash=, compare=, metadata=, kw_only=) -> model[field]
replace(obj, /, **changes) -> model[replace]
asdict(obj, *, dict_factory=) -> model[asdict]
astuple(obj, *, tuple_factory=) -> model[astuple]
fields(class_or_instance) -> static[tuple]
is_dataclass(obj) -> static[bool]
""",
    "typing": """
cast(typ, val) -> same[val]
NamedTuple(typename, fields=, /, **kwargs) -> model[namedtuple]
TypeVar NewType ParamSpec TypeVarTuple(*args, **kwargs) -> static[type]
get_type_hints(obj, **kwargs) -> static[dict]
get_origin get_args(tp) -> static[type]
final(f) -> same[f]
overload(func) -> same[func]
runtime_checkable(cls) -> same[cls]
no_type_check(arg) -> same[arg]
""",
    "inspect": """
signature(obj, **kwargs) -> object[InspectSignature]
getsource getfile getdoc(object) -> static[str]
isclass isfunction ismethod isgenerator(object) -> static[bool]
iscoroutinefunction(obj) -> static[bool]
""",
    "contextlib": "contextmanager asynccontextmanager(func) -> unknown",
    "struct": "pack(format, *values) -> host[:error, scalar, bytes]",
    "array": "array(typecode, initializer=, /) -> host[:ConcretizationTypeError, ?, array]",
    "abc": "abstractmethod(funcobj) -> same[funcobj]",
    "string": "capwords(s, sep=) -> static[str]",
    "re": """
compile(pattern, flags=) -> static[Pattern]
match search fullmatch(pattern, string, flags=) -> static[Match]
sub(pattern, repl, string, count=, flags=) -> static[str]
split findall(pattern, string, maxsplit=, flags=) -> static[list]
""",
}

METHODS = {
    "InspectSignature": "bind bind_partial(*args, **kwargs) -> model[bound_arguments]",
    "InspectBoundArguments": "apply_defaults() -> model[defaults_applied]",
    "Dispatcher": """
register(cls, func=) -> model[register]
__call__(*args, **kwargs) -> model[dispatch]
""",
}

ATTRIBUTES = {
    "InspectSignature": {"parameters": "static:mappingproxy", "return_annotation": "static:type"},
}

ALIASES = {
    "typing_extensions": "typing",
    "toolz.functoolz.curry": "functools.partial",
    "toolz.curry": "functools.partial",
}

OBJECTS = {
    "contextlib.suppress": "context:suppress",
    "contextlib.nullcontext": "context:none",
    "contextlib.redirect_stdout": "context:none",
    "contextlib.ExitStack": "context:none",
    "enum.Enum": "class:Enum",
    "enum.IntEnum": "class:Enum",
    "enum.StrEnum": "class:Enum",
    "enum.Flag": "class:Enum",
    **{f"types.{name}": "class:opaque" for name in ("SimpleNamespace", "MappingProxyType")},
    **{f"collections.{name}": "class:opaque" for name in ("ChainMap", "UserDict", "UserList", "UserString")},
    "typing.TYPE_CHECKING": "constant:bool",
}
