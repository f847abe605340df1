# SPDX-License-Identifier: GPL-3.0-or-later
"""Which library is loaded: the right one, and none that is missing, damaged, foreign or wrong."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys

import pytest

from hooke.core.kernels import library, springs
from hooke.core.kernels.kernel import Chosen, Kernel
from hooke.core.kernels.library import SOURCE, NoLibrary, load, name_of
from hooke.core.kernels.threads import Threads

SAID = """
import json
from hooke.core.kernels import CHOSEN
print(json.dumps([CHOSEN.name, CHOSEN.reason, CHOSEN.threads.count]))
"""


def said(**variables):
    """Name, reason and threads that a fresh process tells."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HOOKE_")}
    told = subprocess.run(
        [sys.executable, "-c", SAID],
        env=kept | variables,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)


@pytest.fixture
def built(monkeypatch, tmp_path):
    """A folder in place of the checkout's, and the content of its library."""
    (path,) = library.BUILT.glob(f"hooke_kernels-{SOURCE}-*{library.SUFFIX}")
    content = path.read_bytes()
    monkeypatch.setattr(library, "BUILT", tmp_path)
    return tmp_path, content


@pytest.mark.newest
def test_a_process_takes_the_library_or_says_what_it_was_told():
    assert said(HOOKE_THREADS="3") == [f"C {SOURCE}", "", 3]
    assert said(HOOKE_KERNELS="numpy")[:2] == ["NumPy", "HOOKE_KERNELS asks for NumPy"]


def test_a_library_that_is_right_is_loaded(built):
    folder, content = built
    (folder / name_of(SOURCE, content, library.SUFFIX)).write_bytes(content)
    assert load()


def test_where_there_is_none_it_is_said(built):
    with pytest.raises(
        NoLibrary, match=r"no compiled library is installed: run `python scripts/compiling\.py`"
    ):
        load()


@pytest.mark.parametrize("cut", [0, 1, 1000])
def test_a_damaged_one_is_never_opened(built, cut):
    folder, content = built
    (folder / name_of(SOURCE, content, library.SUFFIX)).write_bytes(content[:cut])
    with pytest.raises(NoLibrary, match="damaged"):
        load()


def test_one_of_another_source_is_not_taken(built):
    folder, content = built
    (folder / name_of("0" * 12, content, library.SUFFIX)).write_bytes(content)
    with pytest.raises(NoLibrary, match=r"another version or platform: run `python scripts/compiling\.py`"):
        load()


def imported(folder):
    """library.py of a folder, as it is imported there now."""
    spec = importlib.util.spec_from_file_location("library_elsewhere", folder / "library.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_one_of_source_that_came_after_the_import_is_not_taken(built, tmp_path_factory):
    _, content = built
    kernels = tmp_path_factory.mktemp("kernels")
    for path in (*library.sources(), library.HERE / "library.py"):
        shutil.copyfile(path, kernels / path.name)
    running = imported(kernels)
    with open(kernels / "springs.c", "a", encoding="utf-8") as source:
        source.write("/* Another function of the same name takes other arguments. */\n")
    updated = imported(kernels)
    (kernels / "built").mkdir()
    (kernels / "built" / name_of(updated.SOURCE, content, library.SUFFIX)).write_bytes(content)
    with pytest.raises(running.NoLibrary, match="another version"):
        running.load()
    assert updated.load()


def test_a_user_is_told_what_nobody_asked_for(built, monkeypatch, caplog):
    monkeypatch.delenv("HOOKE_KERNELS", raising=False)
    chosen = Chosen()
    assert chosen.library is None and chosen.name == "NumPy"
    assert [record.getMessage() for record in caplog.records] == [chosen.remark]
    assert chosen.remark == f"Hooke calculates by NumPy, in twice the time: {chosen.reason}"
    monkeypatch.setenv("HOOKE_KERNELS", "numpy")
    asked = Chosen()
    assert asked.library is None and asked.remark == "" and len(caplog.records) == 1


def test_one_that_is_no_library_is_refused(built):
    folder, _ = built
    content = b"of another platform"
    (folder / name_of(SOURCE, content, library.SUFFIX)).write_bytes(content)
    with pytest.raises(NoLibrary):
        load()


def test_one_that_gives_another_answer_is_not_used(monkeypatch):
    monkeypatch.delenv("HOOKE_KERNELS", raising=False)

    def point_differences(x, vertices, weights, u):
        u[:] = 1.0

    example = springs.point_differences.example
    signature = "x(3,n) vertices(m,w)<n weights(q,w) -> u(3,m)"
    wrong = Kernel(point_differences, signature, "m", 1, example)
    chosen = Chosen()
    chosen.kernels.append(wrong)
    assert chosen.library is None and chosen.name == "NumPy"
    assert chosen.reason == "the compiled point_differences gives another answer than its definition"


@pytest.mark.parametrize("words", ["0", "-1", "many", "1e3", "257"])
def test_a_number_of_threads_that_is_none_is_refused(monkeypatch, words):
    monkeypatch.setenv("HOOKE_THREADS", words)
    with pytest.raises(ValueError, match=r"HOOKE_THREADS is .*: use a number from 1 to 256"):
        _ = Threads().count


def test_what_a_thread_raises_is_raised():
    def part(first, last):
        if first > 0:
            raise RuntimeError("of a thread")

    with pytest.raises(RuntimeError, match="of a thread"):
        Threads(4).run(part, 8, 1)
