"""The cache of compiled objects: hits, corruption, and writers that race."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime.llvm import cache, compile_jaxpr, engine
from tracetrap.runtime.llvm.cache import ObjectCache

KEY = ObjectCache.key("module", "processor")


def test_an_entry_is_found_again(tmp_path: Path) -> None:
    ObjectCache(tmp_path).put(KEY, b"code")

    assert ObjectCache(tmp_path).get(KEY) == b"code"


def test_keys_separate_their_parts() -> None:
    assert ObjectCache.key("ab", "c") != ObjectCache.key("a", "bc")


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 200])
def test_a_damaged_entry_is_absent_and_written_again(tmp_path: Path, damage: bytes) -> None:
    cache = ObjectCache(tmp_path)
    cache.put(KEY, b"code")
    cache.path(KEY).write_bytes(damage)

    assert cache.get(KEY) is None
    cache.put(KEY, b"code")
    assert cache.get(KEY) == b"code"


def test_one_flipped_bit_is_noticed(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path)
    cache.put(KEY, b"code" * 100)
    entry = bytearray(cache.path(KEY).read_bytes())
    entry[-1] ^= 1
    cache.path(KEY).write_bytes(entry)

    assert cache.get(KEY) is None


def test_an_entry_under_a_wrong_name_is_refused(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path)
    cache.put(KEY, b"code")
    other = ObjectCache.key("another module")
    cache.path(other).parent.mkdir(exist_ok=True)
    cache.path(KEY).rename(cache.path(other))

    assert cache.get(other) is None


def test_writers_that_race_leave_one_whole_entry(tmp_path: Path) -> None:
    payloads = [bytes([k]) * 50_000 for k in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda payload: ObjectCache(tmp_path).put(KEY, payload), payloads * 4))

    assert ObjectCache(tmp_path).get(KEY) in payloads
    assert not list(tmp_path.rglob("*.tmp"))


def test_a_directory_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a directory")
    cache = ObjectCache(blocked)

    cache.put(KEY, b"code")

    assert cache.get(KEY) is None


def test_of_too_many_entries_the_oldest_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_ENTRIES", 2)
    objects, keys = ObjectCache(tmp_path), [f"ab{number}" for number in range(3)]
    left = objects.path(keys[0]).with_suffix(".tmp")  # by a writer that was killed
    left.parent.mkdir()
    left.write_bytes(b"half")
    os.utime(left, (0, 0))
    for second, key in enumerate(keys, start=1):
        objects.put(key, b"code")
        os.utime(objects.path(key), (second, second))

    assert [objects.get(key) for key in keys] == [None, b"code", b"code"]
    assert not left.exists()


def test_the_second_compilation_does_not_compile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACETRAP_CACHE_DIR", str(tmp_path))
    x = np.arange(7, dtype=np.float32)
    closed = jax.make_jaxpr(lambda x: x * 3 - 1)(x)
    first = compile_jaxpr(closed)([x])[0]
    monkeypatch.setattr(engine, "compile_object", lambda *args, **options: pytest.fail("compiled again"))

    assert np.array_equal(compile_jaxpr(closed)([x])[0], first)


def test_a_killed_writer_leaves_the_cache_usable(tmp_path: Path) -> None:
    script = (
        "import os, tracetrap.runtime as jax, numpy as np\n"
        "os.replace = lambda *a: os._exit(9)\n"
        "print(jax.jit(lambda x: x + 1)(np.ones(3, 'f4')))"
    )
    environment = {**os.environ, "TRACETRAP_CACHE_DIR": str(tmp_path)}
    killed = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=False)
    assert killed.returncode == 9

    script = script.replace("os._exit(9)", "None")
    again = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert again.stdout.strip() == "[2. 2. 2.]", again.stderr
