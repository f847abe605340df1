# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames on disk: the PC2 format, what survives a killed process, and what is refused."""

import os
import struct
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

from hooke.core import INTEGRATORS, Simulation, SpringNetwork
from hooke.core.cache import CacheError, DiskFrames, MemoryFrames, read_inputs, remove

from .caches import INPUTS, VERTICES, append, assert_same, contents, filled, positions, snapshot


def read_pc2(path):
    """First frame and positions, read as the format is documented, without Hooke."""
    content = path.read_bytes()
    magic, version, points, first, rate, samples = struct.unpack("<12siiffi", content[:32])
    assert (magic, version, rate) == (b"POINTCACHE2\0", 1, 1.0)
    return first, np.frombuffer(content[32:], "<f4").reshape(samples, points, 3)


def test_the_file_is_pc2_with_the_bits_of_every_frame(tmp_path):
    first, samples = read_pc2(filled(tmp_path / "a.pc2", 4))
    assert first == 5.0
    assert samples.tobytes() == b"".join(positions(frame).tobytes() for frame in range(4))


def test_opened_again_everything_is_there(tmp_path):
    path = filled(tmp_path / "a.pc2", 4)
    frames = DiskFrames.open(path)
    assert (len(frames), frames.vertex_count, frames.frame_start) == (4, VERTICES, 5)
    assert frames.inputs == INPUTS == read_inputs(path)
    assert frames.notes == [[0], [1], [2], [3]]
    assert frames[-1].tobytes() == positions(3).tobytes()
    assert [part.tobytes() for part in frames[1:3]] == [positions(1).tobytes(), positions(2).tobytes()]
    assert_same(frames.snapshot(), snapshot(3))
    with pytest.raises(IndexError):
        frames[4]
    frames.append(positions(4), [4])
    assert len(frames) == 5 and frames[4].tobytes() == positions(4).tobytes()
    # This frame came without one: an older snapshot is none of it.
    assert frames.snapshot() is None
    frames.close()


def test_a_copy_is_its_own(tmp_path):
    frames = DiskFrames.open(filled(tmp_path / "a.pc2", 3))
    copy = frames.copy(tmp_path / "other" / "b.pc2")
    copy.append(positions(3), [3])
    assert (len(frames), len(copy)) == (3, 4)
    assert copy[2].tobytes() == frames[2].tobytes() and copy.inputs == frames.inputs
    frames.close()
    remove(frames.path)
    assert list(tmp_path.iterdir()) == [tmp_path / "other"]
    assert copy[0].tobytes() == positions(0).tobytes()
    copy.close()


def states_of_a_killed_writer(folder):
    """Generator of caches of three frames as a process leaves them that is killed while it writes the fourth.

    The order of writes is: snapshot, line of the sidecar, positions, count; each may be done in part.
    """
    path = filled(folder / "a.pc2", 3)
    before = contents(folder)
    frames = DiskFrames.open(path)
    append(frames, 3)
    frames.close()
    after = contents(folder)
    after["a.pc2"] = before["a.pc2"][:32] + after["a.pc2"][32:]
    written = dict(before)
    for name in ("a.state1", "a.jsonl", "a.pc2"):
        added = len(after[name]) - len(before[name]) if name != "a.state1" else len(after[name])
        for share in (0.0, 0.01, 0.5, 1.0):
            done = len(after[name]) - added + int(share * added)
            written[name] = after[name][:done] + before[name][done:]
            for file, content in written.items():
                (folder / file).write_bytes(content)
            yield path


def test_whatever_a_killed_writer_left_the_frames_before_load_and_go_on(tmp_path):
    for path in states_of_a_killed_writer(tmp_path):
        frames = DiskFrames.open(path)
        assert len(frames) == 3
        assert all(frames[i].tobytes() == positions(i).tobytes() for i in range(3))
        assert_same(frames.snapshot(), snapshot(2))
        append(frames, 30)
        frames.close()
        again = DiskFrames.open(path)
        assert again[3].tobytes() == positions(30).tobytes() and again.notes[3] == [30]
        assert_same(again.snapshot(), snapshot(30))
        again.close()


WRITER = """
    import sys
    import numpy as np
    from hooke.core.cache import DiskFrames
    frames = DiskFrames.create(sys.argv[1], 2000, 1, {})
    print("ready", flush=True)
    number = 0
    while True:
        frames.append(np.full((2000, 3), number), [number], {"x": np.full((2000, 3), float(number))})
        number += 1
"""


@pytest.mark.nightly
def test_processes_killed_at_random_leave_whole_frames(tmp_path):
    random = np.random.default_rng(3)
    for trial in range(6):
        path = tmp_path / f"{trial}.pc2"
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(WRITER), str(path)], stdout=subprocess.PIPE, env=os.environ
        )
        process.stdout.readline()
        time.sleep(random.uniform(0.0, 0.03))
        process.kill()
        process.communicate()
        frames = DiskFrames.open(path)
        assert all((frames[i] == i).all() and frames.notes[i] == [i] for i in range(len(frames)))
        if len(frames):
            assert (frames.snapshot()["x"] == len(frames) - 1).all()
        frames.close()


@pytest.mark.sampled(6)
@pytest.mark.newest
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_simulation_goes_on_from_disk_to_the_last_bit(integrator, tmp_path):
    side = 4
    line = np.linspace(0.0, 1.0, side)
    points = np.array([(x, y, 0.0) for y in line for x in line])
    faces = [(i, i + 1, i + side + 1, i + side) for i in range(side * (side - 1)) if i % side < side - 1]
    edges = np.unique([sorted(pair) for f in faces for pair in zip(f, f[1:] + f[:1], strict=True)], axis=0)
    pins = np.zeros(len(points))
    pins[:2] = 1.0, 0.5
    network = SpringNetwork.from_mesh(
        points, edges, faces, structural=10.0, shear=10.0, pins=pins, damping=0.05
    )

    def simulation():
        return Simulation(network, integrator, dt=1 / 24, substeps=8)

    whole = list(simulation().frames(5))
    first = simulation()
    frames = DiskFrames.create(tmp_path / "a.pc2", len(points), 1, {})
    for x in first.frames(3):
        frames.append(x, None, first.snapshot())
    frames.close()
    frames = DiskFrames.open(tmp_path / "a.pc2")
    second = simulation()
    second.restore(frames.snapshot())
    assert all(a.tobytes() == b.tobytes() for a, b in zip(second.frames(2), whole[3:], strict=True))
    frames.close()


def test_one_writes_and_others_read(tmp_path):
    path = tmp_path / "a.pc2"
    frames = DiskFrames.create(path, VERTICES, 1, {})
    frames.append(positions(0), [0], {"t": np.array(0)})
    reader = DiskFrames.open(path)
    assert reader[0].tobytes() == positions(0).tobytes() and reader.snapshot()["t"] == 0
    assert frames.writable and not reader.writable
    with pytest.raises(CacheError, match="in use by another Blender"):
        reader.append(positions(1))
    with pytest.raises(CacheError, match="in use by another Blender"):
        DiskFrames.create(path, VERTICES, 1, {})
    remove(path)
    frames.append(positions(1), [1])
    reader.close()
    again = DiskFrames.open(path)
    assert len(again) == 2 and again[1].tobytes() == positions(1).tobytes()
    again.close()
    frames.close()


BROKEN = {
    "missing": lambda path: path.unlink(),
    "no sidecar": lambda path: path.with_suffix(".jsonl").unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "not PC2": lambda path: path.write_bytes(b"x" * 400),
    "sidecar of something else": lambda path: path.with_suffix(".jsonl").write_bytes(b"{}\n"),
    "sidecar without an end of line": lambda path: path.with_suffix(".jsonl").write_bytes(b"{"),
    "no vertices": lambda path: path.write_bytes(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, 0, 1, 1, 9)),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_no_cache_is_refused_and_left_alone(case, tmp_path):
    path = filled(tmp_path / "a.pc2", 2)
    BROKEN[case](path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(CacheError, match=r"a\.pc2"):
        DiskFrames.open(path)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_memory_is_bounded():
    frames = MemoryFrames(limit=3 * positions(0).nbytes)
    for frame in range(3):
        frames.append(positions(frame))
    with pytest.raises(CacheError, match="3 frames fill the memory limit"):
        frames.append(positions(3))
    assert len(frames) == 3 and frames[1].tobytes() == positions(1).tobytes()


def test_frames_of_another_mesh_are_refused(tmp_path):
    frames = DiskFrames.create(tmp_path / "a.pc2", VERTICES, 1, {})
    with pytest.raises(CacheError, match="holds 7 vertices"):
        frames.append(np.zeros((8, 3)))
    frames.close()
