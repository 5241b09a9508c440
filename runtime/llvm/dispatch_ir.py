"""The code through which CPython calls compiled programs: one function for all of them, told apart by a record.

A record is a list of words: the fields of `Field`, then the avals of the arguments, the constant arrays, the shapes of
the results, their dtypes, and their avals. All objects in it are kept alive by the tuple that the function is bound to.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

SYMBOL = "tracetrap_dispatch"


class Field(IntEnum):
    """The words that each record starts with."""

    ENTRY = 0  # the compiled program: void (object*)
    INPUTS = 1
    CONSTANTS = 2
    OUTPUTS = 3
    SCRATCH = 4  # an array that one call at a time may use
    BUSY = 5  # whether such a call is running
    CALLS = 6  # how many calls there were
    LIMIT = 7  # how many there may be
    LONG = 8  # whether other threads run meanwhile
    WRAPPED = 9  # the type of the Arrays that are taken and returned; 0 for NumPy arrays
    EMPTY = 10  # numpy.empty
    DECLINED = 11  # what is returned for other arguments, and beyond the limit: NotImplemented
    OBJECTS = 12  # where the rest begins


def _field(field: Field, name: str, kind: str = "i64") -> str:
    """Reads a field of ``%record`` into ``%name``."""
    return f"""  %{name}.at = getelementptr i64, ptr %record, i64 {int(field)}
  %{name} = load {kind}, ptr %{name}.at"""


class Layout(NamedTuple):
    """Where an object keeps its type, and an Array its memory and its aval."""

    kind: int
    value: int
    aval: int


def dispatch_ir(layout: Layout, attributes: str) -> str:
    """The module: what it calls of CPython, its own functions, and the one that CPython calls."""
    functions = (_unwrap(layout), _EACH, _allocate(), _run(), _wrapped(layout), _RESULTS, _entry())
    return "\n\n".join((_DECLARATIONS, *functions, attributes))


_DECLARATIONS = """\
declare ptr @PyTuple_GetItem(ptr, i64)
declare ptr @PyLong_AsVoidPtr(ptr)
declare ptr @PyObject_VectorcallDict(ptr, ptr, i64, ptr)
declare ptr @PyType_GenericAlloc(ptr, i64)
declare ptr @PyList_New(i64)
declare i32 @PyList_SetItem(ptr, i64, ptr)
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"""


def _unwrap(layout: Layout) -> str:
    """The memory of each argument, into %table; false if one is of another kind than expected."""
    return f"""\
define internal i1 @unwrap(ptr %record, ptr %arguments, ptr %table, i64 %count) #0 {{
start:
{_field(Field.WRAPPED, "type", "ptr")}
  %avals = getelementptr i64, ptr %record, i64 {int(Field.OBJECTS)}
  %plain = icmp eq ptr %type, null
  br label %head
head:
  %k = phi i64 [ 0, %start ], [ %next, %store ]
  %done = icmp eq i64 %k, %count
  br i1 %done, label %yes, label %body
body:
  %argument.at = getelementptr ptr, ptr %arguments, i64 %k
  %argument = load ptr, ptr %argument.at
  br i1 %plain, label %store, label %check
check:
  %kind.at = getelementptr i8, ptr %argument, i64 {layout.kind}
  %kind = load ptr, ptr %kind.at
  %right = icmp eq ptr %kind, %type
  br i1 %right, label %array, label %no
array:
  %aval.at = getelementptr i8, ptr %argument, i64 {layout.aval}
  %aval = load ptr, ptr %aval.at
  %wanted.at = getelementptr ptr, ptr %avals, i64 %k
  %wanted = load ptr, ptr %wanted.at
  %value.at = getelementptr i8, ptr %argument, i64 {layout.value}
  %value = load ptr, ptr %value.at
  %known = icmp eq ptr %aval, %wanted
  %alive = icmp ne ptr %value, null
  %fits = and i1 %known, %alive
  br i1 %fits, label %store, label %no
store:
  %memory = phi ptr [ %argument, %body ], [ %value, %array ]
  %slot = getelementptr ptr, ptr %table, i64 %k
  store ptr %memory, ptr %slot
  %next = add i64 %k, 1
  br label %head
yes:
  ret i1 true
no:
  ret i1 false
}}"""


# Calls %function on each of %count objects.
_EACH = """\
define internal void @each(ptr %objects, i64 %count, ptr %function) #0 {
start:
  br label %head
head:
  %k = phi i64 [ 0, %start ], [ %next, %body ]
  %done = icmp eq i64 %k, %count
  br i1 %done, label %leave, label %body
body:
  %at = getelementptr ptr, ptr %objects, i64 %k
  %object = load ptr, ptr %at
  call void %function(ptr %object)
  %next = add i64 %k, 1
  br label %head
leave:
  ret void
}"""


def _allocate() -> str:
    """New arrays for the results, into %table; false, and an exception, if there is no memory."""
    return f"""\
define internal i1 @allocate(ptr %record, ptr %shapes, ptr %table, i64 %count) #0 {{
start:
{_field(Field.EMPTY, "empty", "ptr")}
  %pair = alloca [2 x ptr]
  %second = getelementptr ptr, ptr %pair, i64 1
  %dtypes = getelementptr ptr, ptr %shapes, i64 %count
  br label %head
head:
  %k = phi i64 [ 0, %start ], [ %next, %made ]
  %done = icmp eq i64 %k, %count
  br i1 %done, label %yes, label %body
body:
  %shape.at = getelementptr ptr, ptr %shapes, i64 %k
  %shape = load ptr, ptr %shape.at
  store ptr %shape, ptr %pair
  %dtype.at = getelementptr ptr, ptr %dtypes, i64 %k
  %dtype = load ptr, ptr %dtype.at
  store ptr %dtype, ptr %second
  %array = call ptr @PyObject_VectorcallDict(ptr %empty, ptr %pair, i64 2, ptr null)
  %failed = icmp eq ptr %array, null
  br i1 %failed, label %no, label %made
made:
  %slot = getelementptr ptr, ptr %table, i64 %k
  store ptr %array, ptr %slot
  %next = add i64 %k, 1
  br label %head
yes:
  ret i1 true
no:
  call void @each(ptr %table, i64 %k, ptr @Py_DecRef)
  ret i1 false
}}"""


def _run() -> str:
    """Runs the program; a long one while other threads run, with its arguments kept alive."""
    return f"""\
define internal void @run(ptr %record, ptr %table, i64 %count) #0 {{
{_field(Field.ENTRY, "entry", "ptr")}
{_field(Field.BUSY, "busy")}
{_field(Field.LONG, "long")}
  store i64 1, ptr %busy.at
  %releases = icmp ne i64 %long, 0
  br i1 %releases, label %alone, label %holding
holding:
  call void %entry(ptr %table)
  br label %finished
alone:
  call void @each(ptr %table, i64 %count, ptr @Py_IncRef)
  %thread = call ptr @PyEval_SaveThread()
  call void %entry(ptr %table)
  call void @PyEval_RestoreThread(ptr %thread)
  call void @each(ptr %table, i64 %count, ptr @Py_DecRef)
  br label %finished
finished:
  store i64 0, ptr %busy.at
{_field(Field.CALLS, "calls")}
  %counted = add i64 %calls, 1
  store i64 %counted, ptr %calls.at
  ret void
}}"""


def _wrapped(layout: Layout) -> str:
    """One result as what the caller gets: an Array around it, or the NumPy array itself."""
    return f"""\
define internal ptr @wrapped(ptr %record, ptr %avals, ptr %table, i64 %k) #0 {{
{_field(Field.WRAPPED, "type", "ptr")}
  %slot = getelementptr ptr, ptr %table, i64 %k
  %memory = load ptr, ptr %slot
  %plain = icmp eq ptr %type, null
  br i1 %plain, label %bare, label %wrap
bare:
  ret ptr %memory
wrap:
  %array = call ptr @PyType_GenericAlloc(ptr %type, i64 0)
  %failed = icmp eq ptr %array, null
  br i1 %failed, label %no, label %yes
yes:
  %aval.from = getelementptr ptr, ptr %avals, i64 %k
  %aval = load ptr, ptr %aval.from
  call void @Py_IncRef(ptr %aval)
  %aval.at = getelementptr i8, ptr %array, i64 {layout.aval}
  store ptr %aval, ptr %aval.at
  %value.at = getelementptr i8, ptr %array, i64 {layout.value}
  store ptr %memory, ptr %value.at
  ret ptr %array
no:
  call void @Py_DecRef(ptr %memory)
  ret ptr null
}}"""


# All results: the only one itself, or a list of them.
_RESULTS = """\
define internal ptr @results(ptr %record, ptr %avals, ptr %table, i64 %count) #0 {
start:
  %single = icmp eq i64 %count, 1
  br i1 %single, label %one, label %many
one:
  %only = call ptr @wrapped(ptr %record, ptr %avals, ptr %table, i64 0)
  ret ptr %only
many:
  %list = call ptr @PyList_New(i64 %count)
  %none = icmp eq ptr %list, null
  br i1 %none, label %drop, label %head
drop:
  call void @each(ptr %table, i64 %count, ptr @Py_DecRef)
  ret ptr null
head:
  %k = phi i64 [ 0, %many ], [ %next, %made ]
  %done = icmp eq i64 %k, %count
  br i1 %done, label %leave, label %body
body:
  %result = call ptr @wrapped(ptr %record, ptr %avals, ptr %table, i64 %k)
  %next = add i64 %k, 1
  %failed = icmp eq ptr %result, null
  br i1 %failed, label %undo, label %made
made:
  %put = call i32 @PyList_SetItem(ptr %list, i64 %k, ptr %result)
  br label %head
undo:
  %rest = getelementptr ptr, ptr %table, i64 %next
  %left = sub i64 %count, %next
  call void @each(ptr %rest, i64 %left, ptr @Py_DecRef)
  call void @Py_DecRef(ptr %list)
  ret ptr null
leave:
  ret ptr %list
}"""


def _entry() -> str:
    """What CPython calls: it declines, or does all of the above in turn."""
    return f"""\
define ptr @{SYMBOL}(ptr %self, ptr %arguments, i64 %given) #0 {{
  %address = call ptr @PyTuple_GetItem(ptr %self, i64 0)
  %record = call ptr @PyLong_AsVoidPtr(ptr %address)
{_field(Field.INPUTS, "inputs")}
{_field(Field.CONSTANTS, "constants")}
{_field(Field.OUTPUTS, "outputs")}
{_field(Field.SCRATCH, "scratch", "ptr")}
{_field(Field.BUSY, "busy")}
{_field(Field.CALLS, "calls")}
{_field(Field.LIMIT, "limit")}
  %expected = icmp eq i64 %given, %inputs
  %free = icmp eq i64 %busy, 0
  %left = icmp ult i64 %calls, %limit
  %willing = and i1 %expected, %left
  %possible = and i1 %willing, %free
  br i1 %possible, label %try, label %decline
try:
  %fixed = add i64 %inputs, %constants
  %filled = add i64 %fixed, %outputs
  %slots = add i64 %filled, 1
  %table = alloca ptr, i64 %slots
  %suitable = call i1 @unwrap(ptr %record, ptr %arguments, ptr %table, i64 %inputs)
  br i1 %suitable, label %fill, label %decline
fill:
  %avals.in = getelementptr ptr, ptr %record, i64 {int(Field.OBJECTS)}
  %held = getelementptr ptr, ptr %avals.in, i64 %inputs
  %held.to = getelementptr ptr, ptr %table, i64 %inputs
  %bytes = mul i64 %constants, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %held.to, ptr %held, i64 %bytes, i1 false)
  %shapes = getelementptr ptr, ptr %held, i64 %constants
  %made = getelementptr ptr, ptr %table, i64 %fixed
  %scratch.to = getelementptr ptr, ptr %table, i64 %filled
  store ptr %scratch, ptr %scratch.to
  %allocated = call i1 @allocate(ptr %record, ptr %shapes, ptr %made, i64 %outputs)
  br i1 %allocated, label %go, label %fail
go:
  call void @run(ptr %record, ptr %table, i64 %inputs)
  %twice = shl i64 %outputs, 1
  %avals = getelementptr ptr, ptr %shapes, i64 %twice
  %result = call ptr @results(ptr %record, ptr %avals, ptr %made, i64 %outputs)
  ret ptr %result
decline:
{_field(Field.DECLINED, "declined", "ptr")}
  call void @Py_IncRef(ptr %declined)
  ret ptr %declined
fail:
  ret ptr null
}}"""
