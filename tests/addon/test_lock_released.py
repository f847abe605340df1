# SPDX-License-Identifier: GPL-3.0-or-later
"""However a bake from the command line ends by itself, no lock stays beside its frames."""

import bpy
import pytest

from hooke.addon import cli
from hooke.addon.play import ranges
from hooke.core.file_lock import NAME

from .full_disk import files_up_to, make_large
from .scenes import play
from .script import opened

ARGUMENTS = ["bake", "--object", "Cloth", "--frames", "1-6"]


def fails_on_a_full_disk(monkeypatch):
    make_large()
    bpy.ops.wm.save_mainfile()
    with files_up_to(20_000):
        return cli.main(ARGUMENTS)


def diverges(monkeypatch):
    return cli.main([*ARGUMENTS, "--integrator", "SYMPLECTIC_EULER", "--stiffness", "1e6"])


def raises(error):
    """A bake within which something is raised after four frames."""

    def ended(monkeypatch):
        whole = ranges.frames

        def broken(*arguments):
            for number, frame in enumerate(whole(*arguments)):
                if number == 4:
                    raise error
                yield frame

        monkeypatch.setattr(ranges, "frames", broken)
        return cli.main(ARGUMENTS)

    ended.__name__ = type(error).__name__
    return ended


ENDS = {
    fails_on_a_full_disk: 1,
    diverges: 2,
    raises(KeyboardInterrupt()): 1,
    raises(OSError(5, "Input/output error")): 1,
    raises(ZeroDivisionError()): 1,
    lambda monkeypatch: cli.main(ARGUMENTS): 0,
}


@pytest.mark.combined
@pytest.mark.parametrize("simulated_before", [False, True])
@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.__name__)
def test_no_lock_stays(end, simulated_before, file, folder, monkeypatch):
    obj = opened(file)
    if simulated_before:
        bpy.ops.hooke.add()
        play(obj, range(1, 4))
        bpy.ops.wm.save_mainfile()
        assert list(folder.rglob(NAME))
        opened(file)
    assert end(monkeypatch) == ENDS[end]
    assert list(folder.rglob(NAME)) == []
