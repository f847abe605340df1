# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever ends a frame becomes the status, the last good frame stays, and it plays on; bakes get the exception."""

import shutil
import sys

import bpy
import numpy as np
import pytest

from hooke.addon import cache_files
from hooke.addon.play import sessions
from hooke.addon.play.take import Take
from hooke.core.cache import DiskFrames

from .blowing import field
from .colliding import ball, collider, dropped
from .rendering import prepare
from .scenes import activate, add_hooke, bake, grid, play, same_bits, status, swing

FRAMES = range(1, 9)


@pytest.fixture
def cloth(scene):
    """A sheet that swings."""
    obj = grid()
    swing(obj)
    return add_hooke(obj)


@pytest.fixture
def failing(monkeypatch):
    """From frame 5 on nothing can be kept, for a reason that nobody has foreseen."""
    append = Take.append

    def broken(take, positions, note):
        if len(take) >= 4:
            raise KeyError("nobody knows")
        append(take, positions, note)

    monkeypatch.setattr(Take, "append", broken)


def test_it_is_told_printed_once_and_the_last_good_frame_stays(cloth, failing, monkeypatch, capfd):
    shown = play(cloth, FRAMES)
    told = capfd.readouterr().err
    assert "Hooke failed (KeyError: 'nobody knows'): report what the console says" in status(cloth)
    assert told.count("Traceback") == 1 and "in broken" in told
    assert all(same_bits(shown[frame], shown[4]) for frame in range(5, 9))
    monkeypatch.undo()
    again = play(cloth, FRAMES)
    assert not same_bits(again[8], again[4]) and "strain" in status(cloth)


def test_a_bake_gets_it(cloth, failing, monkeypatch):
    # Blender prints what leaves an operator, as it does of handlers.
    monkeypatch.setattr(sys, "excepthook", lambda *_: None)
    with pytest.raises(RuntimeError, match="nobody knows"):
        bake(cloth)
    assert not cloth.hooke.bake.exists


def test_the_command_line_gets_it(cloth, failing, command_line):
    exit_status, lines, _ = command_line("--object", "Cloth", "--frames", "1-8")
    assert exit_status == 1
    assert lines[0].startswith("Traceback") and lines[-1] == "hooke: 'nobody knows'"


def test_a_render_ends_by_it(cloth, failing, scene, folder, capfd):
    prepare(scene, str(folder / "picture"))
    scene.frame_end = 6
    with pytest.raises(RuntimeError):
        bpy.ops.render.render(animation=True)
    assert "nobody knows'; the render ends before frame 5" in capfd.readouterr().err


@pytest.mark.sampled(4)
@pytest.mark.parametrize("strength", [1e22, 1e30])
@pytest.mark.parametrize("restitution", [0.0, 0.8])
def test_a_vortex_beyond_all_measure_is_told(strength, restitution, scene):
    def build(_):
        collider(ball(height=-0.3))
        field("VORTEX", strength, rotation=(0.0, 0.0, 0.0))

    cloth = dropped(build, restitution=restitution)
    shown = play(cloth, range(1, 4))
    assert "diverged" in status(cloth)
    assert all(np.isfinite(positions).all() for positions in shown.values())


def forged(obj, change):
    """Let the newest snapshot of an object's cache, which no session has open, be another that checks out."""
    frames = DiskFrames.open(cache_files.path_of(obj), owner=obj.hooke.cache_id)
    positions, note, snapshot = frames[-1], frames.notes[-1], frames.snapshot()
    frames.sidecar.end_before(len(frames) - 1)
    frames.remains = True
    frames.append(positions, note, change(snapshot))
    assert frames.snapshot() is not None
    frames.close()


def other(**arrays):
    return lambda snapshot: snapshot | {name: np.array(array) for name, array in arrays.items()}


def every(name, value):
    return lambda snapshot: snapshot | {name: np.full_like(snapshot[name], value)}


FORGED = {
    "far positions": every("x", 1e300),
    "fast": every("v", 1e300),
    "far targets": every("targets", -1e300),
    "far extent": every("high", 1e300),
    "past beyond measure": every("history_0", 1e300),
    "late": other(t=1e300, first_t=1e300),
    "begun elsewhere": other(first_t=1e20),
    "many frames": other(frame=2**62),
    "frames before the start": other(frame=-1),
    "half a frame": other(frame=5.5),
    "no frame": lambda snapshot: {name: array for name, array in snapshot.items() if name != "frame"},
    "fewer vertices": other(x=np.zeros((24, 3))),
    "another past": other(history_7=np.zeros((25, 3))),
    "parts of another kind": other(parts=[9, 9]),
    "truth for positions": other(x=np.ones((25, 3), dtype=bool)),
    "surroundings of another kind": lambda snapshot: (
        snapshot | {"around_moved": np.ones(len(snapshot["around_moved"]))}
    ),
    "colliders far away": every("around_last", 1e300),
    "colliders that are far away for Blender too": every("around_last", 1e38),
}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Folder of a file whose sheet was played to frame 6, once it is; it is not there before."""
    return tmp_path_factory.mktemp("of all") / "played"


@pytest.fixture
def project(scene, cloth, played, folder):
    """A copy of it with its cache, opened, which no session has open."""
    if not played.exists():
        played.mkdir()
        swing(collider(ball(height=-0.3)), distance=0.2)
        bpy.ops.wm.save_as_mainfile(filepath=str(played / "cloth.blend"))
        play(cloth, range(1, 7))
        sessions.drop_all()
        bpy.ops.wm.save_mainfile()
    shutil.copytree(played, folder, dirs_exist_ok=True)
    bpy.ops.wm.open_mainfile(filepath=str(folder / "cloth.blend"))
    obj = bpy.data.objects["Cloth"]
    activate(obj)
    play(obj, [6])
    assert sessions.find(obj).cached == 6
    sessions.drop_all()
    return obj


@pytest.mark.sampled(6)
@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED)
def test_a_forged_snapshot_that_checks_out_raises_nothing(change, project, capfd):
    forged(project, change)
    capfd.readouterr()
    shown = play(project, range(6, 9))
    assert status(project)
    assert all(np.isfinite(positions).all() for positions in shown.values())
    assert "Traceback" not in capfd.readouterr().err
    bpy.ops.hooke.reset()
    play(project, range(1, 9))
    assert "strain" in status(project)
