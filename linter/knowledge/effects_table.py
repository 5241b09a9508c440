"""The standard library where it touches the world: what it does happens once, while tracing."""

from __future__ import annotations

FUNCTIONS = {
    "builtins": """
print(*values, sep=, end=, file=, flush=) -> effect[print, none]
open(file, mode=, buffering=, encoding=, errors=, newline=, closefd=, opener=) -> effect[file, static[file]]
input(prompt=, /) -> effect[input, static[str]]
bytearray(source!size:TypeError=, encoding=, errors=) -> static[bytearray]
memoryview(object) -> static[memoryview]
""",
    "random": """
random() -> effect[random, static[float]]
uniform(a, b) -> effect[random, taint]
triangular(low=, high=, mode=) -> effect[random, taint]
gauss normalvariate lognormvariate(mu=, sigma=) -> effect[random, taint]
expovariate(lambd=) -> effect[random, taint]
betavariate gammavariate paretovariate weibullvariate(alpha, beta=) ->
    effect[random:TracerBoolConversionError, static[float]]
vonmisesvariate(mu, kappa) -> effect[random:TracerBoolConversionError, static[float]]
randint(a, b) -> effect[random:ConcretizationTypeError, static[int]]
randrange(start, stop=, step=) -> effect[random:ConcretizationTypeError, static[int]]
getrandbits(k, /) -> effect[random:TracerIntegerConversionError, static[int]]
randbytes(n) -> effect[random:TracerIntegerConversionError, static[bytes]]
choice(seq) -> effect[random, taint]
sample(population, k!size:TracerIntegerConversionError, *, counts=) -> effect[random, taint]
choices(population, weights!other:TracerBoolConversionError=, *, cum_weights=,
    k!size:TracerIntegerConversionError=) -> effect[random, taint]
shuffle(x) -> effect[random, none]
seed(a=, version=) -> effect[random, none]
getstate() -> effect[random]
setstate(state) -> effect[random, none]
Random SystemRandom(x=) -> static[Random]
""",
    "secrets": """
choice(seq) -> effect[random, taint]
randbelow(exclusive_upper_bound) -> effect[random, static[int]]
randbits(k) -> effect[random, static[int]]
token_bytes token_hex token_urlsafe(nbytes=) -> effect[random, static[str]]
""",
    "uuid": "uuid1 uuid3 uuid4 uuid5(*args) -> effect[random, static[UUID]]",
    "time": """
time monotonic perf_counter process_time thread_time() -> effect[time, static[float]]
time_ns monotonic_ns perf_counter_ns process_time_ns() -> effect[time, static[int]]
sleep(seconds, /) -> effect[time:TypeError, none]
gmtime localtime(seconds=, /) -> effect[time:TracerIntegerConversionError, static[struct_time]]
ctime(seconds=, /) -> effect[time:TracerIntegerConversionError, static[str]]
strftime(format, t=, /) -> effect[time, static[str]]
""",
    "datetime": """
datetime.now(tz=) -> effect[time, static[datetime]]
datetime.utcnow datetime.today date.today() -> effect[time, static[datetime]]
datetime date time timedelta timezone(*args, **kwargs) -> static[datetime]
""",
    "os": """
getenv(key, default=) -> effect[environment, static[str]]
putenv(name, value, /) -> effect[environment, none]
unsetenv(name, /) -> effect[environment, none]
environ.get environ.pop(key, default=) -> effect[environment, static[str]]
environ.setdefault(key, value) -> effect[environment, static[str]]
environ.__getitem__ environ.__contains__(key, /) -> effect[environment, static[str]]
environ.copy environ.keys environ.values environ.items() -> effect[environment]
getpid getppid cpu_count() -> static[int]
urandom(size, /) -> effect[random, static[bytes]]
getcwd() -> effect[file, static[str]]
listdir scandir walk(*args, **kwargs) -> effect[file, static[list]]
chdir chmod link makedirs mkdir remove removedirs rename renames replace rmdir symlink truncate unlink utime
    open read write close stat(*args, **kwargs) -> effect[file]
system popen execv fork kill(*args, **kwargs) -> effect[process]
path.exists path.isfile path.islink(path) -> effect[file, static[bool]]
path.isdir(s) -> effect[file, static[bool]]
path.getsize path.getmtime(filename) -> effect[file, static[int]]
path.join path.abspath path.basename path.dirname path.expanduser path.normpath path.realpath
    path.relpath path.expandvars(*args) -> static[str]
path.split path.splitext(p) -> static[tuple]
""",
    "sys": """
exit(status=, /) -> unknown
getsizeof(object, default=) -> static[int]
getrecursionlimit() -> static[int]
setrecursionlimit(limit, /) -> none
stdout.write stderr.write(s, /) -> effect[print, static[int]]
stdout.flush stderr.flush() -> none
""",
    "logging": """
warning warn(msg, *args, **kwargs) -> effect[warning, none]
debug info error critical exception(msg, *args, **kwargs) -> effect[log, none]
log(level, msg, *args, **kwargs) -> effect[log, none]
getLogger(name=) -> static[Logger]
basicConfig(**kwargs) -> none
disable(level=) -> none
""",
    "pprint": "pprint pp(object, *args, **kwargs) -> effect[print, none]",
    "traceback": "print_exc print_stack(*args, **kwargs) -> effect[print, none]",
    "warnings": """
warn(message, category=, stacklevel=, source=) -> none
filterwarnings(action, message=, category=, module=, lineno=, append=) -> none
simplefilter(action, category=, lineno=, append=) -> none
""",
    "subprocess": "run call check_call check_output Popen(*args, **kwargs) -> effect[process]",
    "shutil": "copy copy2 copyfile copytree move rmtree(*args, **kwargs) -> effect[file]",
    "glob": "glob iglob(pathname, **kwargs) -> effect[file, static[list]]",
    "tempfile": "mkdtemp mkstemp gettempdir NamedTemporaryFile TemporaryDirectory(*args, **kwargs) -> effect[file]",
    "pathlib": "Path PurePath PosixPath(*args) -> static[Path]",
    "json": """
dumps(obj, *, default=, cls=, **kwargs) -> when[default|cls, static[str], host[:TypeError, scalar, str]]
loads(s, **kwargs) -> unknown
dump(obj, fp, **kwargs) -> effect[file:TypeError, none]
load(fp, **kwargs) -> effect[file, unknown]
""",
    "pickle": """
dumps(obj, protocol=, **kwargs) -> host[:ConcretizationTypeError, scalar, bytes]
loads(data, /, **kwargs) -> unknown
dump(obj, file, protocol=, **kwargs) -> effect[file:ConcretizationTypeError, none]
load(file, **kwargs) -> effect[file, unknown]
""",
    "csv": "reader writer DictReader DictWriter(*args, **kwargs) -> effect[file]",
    "absl.logging": """
warning warn(msg, *args, **kwargs) -> effect[warning, none]
debug info error fatal exception(msg, *args, **kwargs) -> effect[log, none]
log vlog log_first_n log_every_n(level, msg, *args, **kwargs) -> effect[log, none]
""",
    "loguru.logger": """
warning(message, *args, **kwargs) -> effect[warning, none]
trace debug info success error critical exception(message, *args, **kwargs) -> effect[log, none]
""",
    "wandb": "log(data, **kwargs) -> effect[log, none]",
    "tqdm": "tqdm trange(iterable=, *args, **kwargs) -> same[iterable]",
    "tqdm.auto": "tqdm(iterable=, *args, **kwargs) -> same[iterable]",
    "rich": "print(*objects, **kwargs) -> effect[print, none]",
}

ALIASES = {
    "posixpath": "os.path",
    "ntpath": "os.path",
    "cPickle": "pickle",
    "cloudpickle.dumps": "pickle.dumps",
    "tqdm.autonotebook.tqdm": "tqdm.tqdm",
    "tqdm.notebook.tqdm": "tqdm.tqdm",
    "logging.Logger": "logging.getLogger",
}

OBJECTS = {
    **{f"os.{name}": "static:str" for name in ("sep", "linesep", "name", "pathsep", "curdir")},
    **{f"sys.{name}": "static:str" for name in ("platform", "version", "executable", "byteorder")},
    **{f"sys.{name}": "static:list" for name in ("argv", "path")},
    "sys.version_info": "static:tuple",
    "sys.maxsize": "static:int",
    "sys.modules": "static:dict",
    "sys.float_info": "static:float_info",
    "warnings.catch_warnings": "context:none",
    **{f"logging.{name}": "static:int" for name in ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")},
}

METHODS = {
    "Logger": """
warning warn(msg, *args, **kwargs) -> effect[warning, none]
debug info error critical exception(msg, *args, **kwargs) -> effect[log, none]
log(level, msg, *args, **kwargs) -> effect[log, none]
isEnabledFor(level) -> static[bool]
setLevel(level) -> none
addHandler removeHandler(hdlr) -> none
getChild(suffix) -> static[Logger]
""",
    "Random": FUNCTIONS["random"],
    "Path": """
read_text read_bytes write_text write_bytes open exists is_file is_dir mkdir rmdir unlink rename replace touch
    stat iterdir glob rglob(*args, **kwargs) -> effect[file]
absolute resolve expanduser with_suffix with_name relative_to joinpath(*args) -> static[Path]
as_posix() -> static[str]
""",
    "file": """
read readline readlines write writelines flush close seek tell truncate(*args) -> effect[file]
""",
}
