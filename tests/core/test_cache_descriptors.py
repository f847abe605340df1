# SPDX-License-Identifier: GPL-3.0-or-later
"""Any number of caches is open at once under any limit of descriptors a system sets."""

import subprocess
import sys
import textwrap

import pytest

from ..waiting import HANGS

MANY = """
    import os, resource, sys
    from pathlib import Path
    import numpy as np
    from hooke.core.cache import CacheError, DiskFrames

    folder, scarce = Path(sys.argv[1]), sys.argv[2] == "scarce"
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))

    def positions(cache, number):
        return np.full((9, 3), 100.0 * cache + number)

    caches = [DiskFrames.create(folder / f"{i}.pc2", 9, 1, {}, owner=str(i)) for i in range(300)]
    held = len(os.listdir("/dev/fd"))
    assert held < 60, held
    # What the program itself opens: to save a file, or all it can.
    others = []
    try:
        while scarce or len(others) < 150:
            others.append(open(sys.executable, "rb"))
    except OSError:
        # Nothing is left but what the caches keep: enough to begin one more, in a folder that needs a lock of its own.
        DiskFrames.create(folder / "another" / "a.pc2", 9, 1, {}).close()
    for number in range(4):
        for i, cache in enumerate(caches):
            cache.append(positions(i, number), [i, number], {"x": positions(i, number)})
        for i, cache in enumerate(caches):
            for earlier in range(number + 1):
                assert (cache[earlier] == positions(i, earlier)).all()
    for i, cache in enumerate(caches):
        assert cache.writable and cache.notes[3] == [i, 3] and (cache.snapshot()["x"] == positions(i, 3)).all()
        cache.close()
    for other in others:
        other.close()
    assert len(os.listdir("/dev/fd")) <= 5
    caches = [DiskFrames.open(folder / f"{i}.pc2", owner=str(i)) for i in range(300)]
    assert all(cache.writable and len(cache) == 4 for cache in caches)
    assert all((cache[3] == positions(i, 3)).all() for i, cache in enumerate(caches))
"""


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit that a program could reach")
@pytest.mark.parametrize("others", ["some", "scarce"])
def test_300_caches_at_256_descriptors(others, tmp_path):
    command = [sys.executable, "-c", textwrap.dedent(MANY), str(tmp_path), others]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", timeout=HANGS)
    assert result.returncode == 0, result.stderr
