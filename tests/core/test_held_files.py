# SPDX-License-Identifier: GPL-3.0-or-later
"""What other programs have open is waited for, and then named as the reason; only Windows lets them keep it so."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest

from hooke.core import held_files
from hooke.core.cache import CacheError, DiskFrames, remove, write_pc2

WINDOWS = pytest.mark.skipif(sys.platform != "win32", reason="only Windows keeps what is open")
# Opens a file again and again, as long a time as it is closed between.
HOLDER = """
    import sys, time
    path, seconds = sys.argv[1], float(sys.argv[2])
    print("begun", flush=True)
    while True:
        try:
            with open(path, "rb"):
                print("held", flush=True)
                time.sleep(seconds)
        except OSError:
            pass
        time.sleep(seconds)
"""


def refused(winerror):
    """An OSError as Windows raises it."""
    error = OSError(13, "Access is denied")
    error.winerror = winerror
    return error


@pytest.mark.parametrize("winerror", [5, 32, 33])
def test_it_is_tried_until_the_other_program_lets_go(winerror):
    errors = [refused(winerror), refused(winerror)]

    def work(word):
        if errors:
            raise errors.pop()
        return word

    assert held_files.patiently(work, "done") == "done"


def test_what_is_held_for_longer_is_an_error_with_its_reason():
    def work():
        raise refused(32)

    with pytest.raises(OSError, match="denied") as told:
        held_files.patiently(work, patience=0.05)
    sentence = held_files.because(told.value, "choose another file")
    assert sentence == "(another program has it open): close it there or choose another file"


def test_other_errors_are_not_waited_for():
    tried = []

    def work():
        tried.append(1)
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="space") as told:
        held_files.patiently(work)
    assert len(tried) == 1
    assert (
        held_files.because(told.value, "choose another")
        == "(No space left on device): free space or choose another"
    )


@pytest.fixture
def held(request, tmp_path):
    """Begin a program that holds a file for some seconds at a time."""
    begun = []

    def begin(path, seconds):
        words = [sys.executable, "-c", textwrap.dedent(HOLDER), str(path), str(seconds)]
        begun.append(subprocess.Popen(words, stdout=subprocess.PIPE))
        while begun[-1].stdout.readline().strip() != b"held":
            pass

    yield begin
    for process in begun:
        process.kill()
        process.wait()
        process.stdout.close()


@WINDOWS
def test_108_rounds_beside_a_program_that_opens_the_cache(held, tmp_path):
    path, frames = tmp_path / "flag.pc2", [np.full((40, 3), 1.0)] * 3
    write_pc2(path, frames, 1)
    held(path, 0.1)
    for number in range(108):
        write_pc2(path, [frame * number for frame in frames], 1)
    assert list(tmp_path.iterdir()) == [path]


@WINDOWS
def test_a_cache_that_is_held_on_and_on_says_so(held, tmp_path, monkeypatch):
    path = tmp_path / "flag.pc2"
    write_pc2(path, [np.ones((40, 3))], 1)
    held(path, 3600.0)
    with pytest.raises(CacheError, match="another program has it open"):
        write_pc2(path, [np.zeros((40, 3))], 1)
    assert list(tmp_path.iterdir()) == [path]
    cache = tmp_path / "sheet.pc2"
    DiskFrames.create(cache, 40, 1, {}).close()
    held(cache, 3600.0)
    with pytest.raises(CacheError, match="another program has it open"):
        remove(cache)
