# SPDX-License-Identifier: GPL-3.0-or-later
"""Principal shapes: exact ranks, the largest error recomputed independently, few shapes, bounded memory."""

import tracemalloc

import numpy as np
import pytest

from hooke.core import Simulation, SpringNetwork
from hooke.core import principal_shapes as module
from hooke.core.principal_shapes import principal_shapes


def evaluated(found, basis):
    """Every frame as relative shape keys give it, float32, one shape after the other."""
    shown = np.repeat(np.asarray(basis, dtype=np.float32)[None], len(found.weights), axis=0)
    for k in range(len(found.shapes)):
        for i in range(len(shown)):
            shown[i] += found.weights[i, k] * (found.shapes[k] - np.asarray(basis, dtype=np.float32))
    return shown


def largest_distance(found, basis, frames):
    """Largest Euclidean distance of a vertex, in float64."""
    difference = evaluated(found, basis).astype(np.float64) - np.asarray(frames, dtype=np.float64)
    return np.sqrt((difference**2).sum(axis=2)).max()


@pytest.fixture(scope="module")
def sheet():
    """Start pose, and 60 frames of a sheet of 2 m hung at two corners, falling and swinging."""
    side = 13
    along = np.linspace(-1.0, 1.0, side)
    points = np.array([(x, y, 0.0) for y in along for x in along])
    index = np.arange(side * side).reshape(side, side)
    edges = np.vstack([np.stack([index[:, :-1], index[:, 1:]], -1).reshape(-1, 2),
                       np.stack([index[:-1], index[1:]], -1).reshape(-1, 2)])  # fmt: skip
    pins = np.zeros(len(points))
    pins[[0, side - 1]] = 1.0
    network = SpringNetwork.from_mesh(points, edges, mass=1.0, structural=1e4, pins=pins)
    simulation = Simulation(network, "PROJECTIVE_DYNAMICS", dt=1 / 24, substeps=10, iterations=1)
    frames = np.array([points, *simulation.frames(59)], dtype=np.float32)
    return points, frames


def of_rank(rank, frame_count=40, vertex_count=30, seed=0):
    """Frames that are a basis plus so many random shapes with random weights, in metres."""
    rng = np.random.default_rng(seed)
    basis = rng.uniform(-1.0, 1.0, (vertex_count, 3))
    shapes = rng.normal(size=(rank, vertex_count, 3))
    return basis, basis + np.einsum("ik,kjd->ijd", rng.normal(size=(frame_count, rank)), shapes)


@pytest.mark.parametrize("rank", [1, 2, 7])
def test_a_motion_of_few_shapes_takes_that_many(rank):
    basis, frames = of_rank(rank)
    found = principal_shapes(frames, basis, 1e-4)
    assert len(found.shapes) == rank
    assert largest_distance(found, basis, frames) <= 1e-4


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.parametrize("tolerance", [1e-1, 1e-2, 1e-3, 1e-4])
def test_the_error_is_true_and_within_the_tolerance(tolerance, sheet):
    basis, frames = sheet
    found = principal_shapes(frames, basis, tolerance)
    # The reported figure is summed in float32: its own rounding is one part in 1e6 of coordinates of 2 m.
    assert largest_distance(found, basis, frames) == pytest.approx(found.largest_error, abs=1e-6)
    assert found.largest_error <= tolerance
    assert found.shapes.dtype == found.weights.dtype == np.float32
    assert found.shapes.shape == (found.weights.shape[1], len(basis), 3)
    assert found.weights.shape[0] == len(frames)


@pytest.mark.newest
def test_weights_reach_one_and_never_more(sheet):
    found = principal_shapes(sheet[1], sheet[0], 1e-3)
    assert np.abs(found.weights).max(axis=0) == pytest.approx(1.0, abs=1e-6)
    assert np.abs(found.weights).max() <= 1.0


@pytest.mark.parametrize("tolerance", [1e-2, 1e-3])
def test_weights_without_signs_take_one_shape_more(tolerance, sheet):
    basis, frames = sheet
    signed = principal_shapes(frames, basis, tolerance)
    found = principal_shapes(frames, basis, tolerance, signed=False)
    assert signed.weights.min() < 0.0
    assert len(found.shapes) == len(signed.shapes) + 1
    assert found.weights.min() == 0.0 and (found.weights.max(axis=0) == 1.0).all()
    assert (found.weights[:, 0] == 1.0).all()
    assert largest_distance(found, basis, frames) == pytest.approx(found.largest_error, abs=1e-6)
    assert found.largest_error <= tolerance


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_weights_that_need_no_sign_take_no_shape_more(sign):
    basis = np.random.default_rng(2).normal(size=(9, 3))
    frames = basis + sign * np.linspace(0.0, 1.0, 5)[:, None, None] * np.ones((9, 3))
    found = principal_shapes(frames, basis, 1e-4, signed=False)
    assert len(found.shapes) == 1
    assert found.weights[:, 0] == pytest.approx(np.linspace(0.0, 1.0, 5), abs=1e-6)


def test_fewer_shapes_than_the_mean_square_optimum_needs(sheet):
    basis, frames = sheet
    motion = (frames - basis).reshape(len(frames), -1).astype(np.float64)
    modes, values, rows = np.linalg.svd(motion, full_matrices=False)

    def truncated(count):
        left = motion - (modes[:, :count] * values[:count]) @ rows[:count]
        return np.linalg.norm(left.reshape(len(frames), -1, 3), axis=2).max()

    found = principal_shapes(frames, basis, 2e-3)
    needed = next(count for count in range(len(frames)) if truncated(count) <= 2e-3)
    assert len(found.shapes) < needed
    # And no choice of shapes at all does better than the tail of singular values allows: a frame's error is at
    # most √n times that of its worst vertex.
    bound = 2e-3 * np.sqrt(len(basis) * len(frames))
    assert len(found.shapes) >= np.sum(np.sqrt(np.cumsum(values[::-1] ** 2))[::-1] > bound)


@pytest.mark.parametrize("block", [1, 7, 1000])
def test_the_size_of_blocks_changes_nothing_that_matters(block, sheet, monkeypatch):
    basis, frames = sheet
    whole = principal_shapes(frames, basis, 1e-3)
    monkeypatch.setattr(module, "MOST_FRAMES_IN_BLOCK", block)
    monkeypatch.setattr(module, "BLOCK_BYTES", block * basis.size * 8)
    found = principal_shapes(frames, basis, 1e-3)
    assert found.largest_error <= 1e-3
    assert abs(len(found.shapes) - len(whole.shapes)) <= 1


class FramesOnDisk:
    """A sequence that makes every frame when it is read, as one on disk does, and counts those alive at once."""

    def __init__(self, count, vertex_count):
        rng = np.random.default_rng(3)
        self._shapes = rng.normal(size=(6, vertex_count, 3)).astype(np.float32)
        self._rates = rng.uniform(0.01, 0.3, 6)
        self._count = count

    def __len__(self):
        return self._count

    def __getitem__(self, index):
        assert 0 <= index < self._count and not isinstance(index, slice)
        return np.tensordot(np.sin(self._rates * index).astype(np.float32), self._shapes, axes=1)


@pytest.mark.nightly
def test_memory_does_not_grow_with_the_length_of_the_motion(monkeypatch):
    vertex_count = 1000
    monkeypatch.setattr(module, "BLOCK_BYTES", 16 * vertex_count * 24)
    peaks = {}
    for count in (100, 400):
        tracemalloc.start()
        found = principal_shapes(FramesOnDisk(count, vertex_count), np.zeros((vertex_count, 3)), 1e-3)
        peaks[count] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert len(found.shapes) == 6
    # Frames of the longer motion are 4.8 MB in float32; what grows are six weights a frame and the like.
    assert peaks[400] < peaks[100] + 2e6


def test_a_motion_that_rests_is_one_shape():
    basis = np.random.default_rng(1).normal(size=(9, 3)).astype(np.float32)
    found = principal_shapes([basis] * 5, basis, 1e-4)
    assert len(found.shapes) == 1 and found.largest_error <= 1e-6


@pytest.mark.parametrize("frame_count", [1, 2])
def test_short_motions(frame_count):
    basis, frames = of_rank(3, frame_count=frame_count)
    found = principal_shapes(frames, basis, 1e-4)
    assert len(found.shapes) == frame_count
    assert largest_distance(found, basis, frames) <= 1e-4


def test_a_motion_of_more_frames_than_coordinates():
    basis, frames = of_rank(6, frame_count=90, vertex_count=2)
    found = principal_shapes(frames, basis, 1e-4)
    assert len(found.shapes) <= 6
    assert largest_distance(found, basis, frames) <= 1e-4


def test_small_motions_far_from_the_origin():
    rng = np.random.default_rng(5)
    basis = rng.normal(size=(20, 3)) + 100.0
    frames = basis + 1e-2 * rng.normal(size=(30, 1, 1)) * rng.normal(size=(1, 20, 3))
    found = principal_shapes(frames, basis, 1e-3)
    assert len(found.shapes) == 1
    # Coordinates of 100 m are known to 8e-6 m in float32.
    assert largest_distance(found, basis, frames) <= 1e-3 + 2e-5


@pytest.mark.parametrize("tolerance", [0.0, -1.0, np.nan, np.inf])
def test_a_tolerance_that_is_none_is_refused(tolerance):
    with pytest.raises(ValueError, match="is not positive"):
        principal_shapes(*reversed(of_rank(1)), tolerance)


def test_a_tolerance_beyond_float32_is_refused_with_what_was_reached(sheet):
    with pytest.raises(ValueError, match=r"within 1e-08 m, only .* m: choose a larger tolerance"):
        principal_shapes(sheet[1], sheet[0], 1e-8)


def test_no_frames_are_refused():
    with pytest.raises(ValueError, match="no frames"):
        principal_shapes([], np.zeros((3, 3)), 1e-3)


def test_stopping_passes_through(sheet):
    def stop():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        principal_shapes(sheet[1], sheet[0], 1e-3, stop)
