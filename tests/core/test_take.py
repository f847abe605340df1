# SPDX-License-Identifier: GPL-3.0-or-later
"""A take on its own, in plain Python: its frames are those of `Simulation`, and it knows what they were made from."""

import numpy as np
import pytest

from hooke.addon.play.frame_errors import Unresumable
from hooke.addon.play.lazy_values import ENTERING, MESH, SCENE, STEP, Inputs, Reader
from hooke.addon.play.take import Take
from hooke.core import Simulation, SpringNetwork
from hooke.core.cache import MemoryFrames

POINTS = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0]], dtype=np.float32)
EDGES = np.array([[0, 1], [1, 2]])
COUNT = 8


def simulation(stiffness):
    """A chain of three vertices, held at its first."""
    network = SpringNetwork(POINTS, EDGES, stiffness=stiffness, pins=[1.0, 0.0, 0.0])
    return Simulation(network, dt=1 / 24)


def inputs(frame, take, stiffness=1e3, sway=0.1, weights=(1, 0, 0)):
    """Inputs of a frame in which the pin has moved along y."""
    pose = POINTS + np.float32([0, sway * frame, 0])
    readers = {
        "stiffness": Reader(lambda _: stiffness, (SCENE,)),
        "weights": Reader(lambda _: np.array(weights), (MESH,)),
        "pose": Reader(lambda _: pose, (ENTERING,)),
        "matrix": Reader(lambda _: np.eye(4), (ENTERING, STEP)),
        "pin_targets": Reader(lambda these: these["pose"][:1].astype(float), (STEP,), "the pins' motion"),
    }
    return Inputs(readers, start=take.start)


@pytest.fixture
def take():
    """A take that has its first frame."""

    def build(these, snapshot, _surroundings):
        built = simulation(these["stiffness"])
        if snapshot is not None:
            built.restore(snapshot)
        return built

    return begun(Take(build, lambda *_: MemoryFrames()))


def begun(take, **changes):
    take.start = inputs(0, take, **changes).only(ENTERING)
    take.begin(inputs(0, take, **changes), moved=False)
    return take


def expected():
    """The frames by `Simulation` itself."""
    running = simulation(1e3)
    frames = [POINTS]
    for frame in range(1, COUNT):
        running.step(np.array([[0, np.float32(0.1 * frame), 0]], dtype=float))
        frames.append(running.state.x.astype(np.float32))
    return frames


def test_its_frames_are_those_of_the_simulation(take):
    made = [take.frame(index, inputs(index, take)) for index in range(COUNT)]
    assert all(a.tobytes() == b.tobytes() for a, b in zip(made, expected(), strict=True))
    assert take.simulated == COUNT - 1


def test_kept_frames_are_not_simulated_again(take):
    made = [take.frame(index, inputs(index, take)) for index in range(COUNT)]
    again = [take.frame(index, inputs(index, take)) for index in reversed(range(COUNT))]
    assert all(a.tobytes() == b.tobytes() for a, b in zip(made, reversed(again), strict=True))
    assert take.simulated == COUNT - 1


def test_it_knows_what_a_step_was_given(take):
    for index in range(3):
        take.frame(index, inputs(index, take))
    assert take.stepped(2, inputs(2, take)) == []
    assert take.stepped(2, inputs(2, take, sway=0.2)) == ["the pins' motion"]


@pytest.mark.parametrize("change", [{"stiffness": 2e3}, {"weights": (1, 0, 1)}])
def test_it_knows_what_it_was_made_from(take, change):
    assert take.fits(inputs(2, take), thorough=True)
    assert not take.fits(inputs(2, take, **change), thorough=True)
    # What takes long to read is not asked for at every frame.
    assert take.fits(inputs(2, take, **change)) == ("weights" in change)


def test_another_start_does_not_fit(take):
    take.start = inputs(5, take).only(ENTERING)
    assert not take.fits(inputs(6, take))


def test_everything_is_read_and_hashed_once():
    asked = []

    def read(these):
        asked.append(these)
        return np.arange(3.0)

    kept = {}
    for _ in range(2):
        these = Inputs({"scene": Reader(read, (SCENE,)), "mesh": Reader(read, (MESH,))}, kept=kept)
        for group in (SCENE, MESH, SCENE, MESH):
            these.checksums(group)
        assert these["scene"].tolist() == these["mesh"].tolist()
    # The scene in each of the two frames, the mesh once for both.
    assert len(asked) == 3


@pytest.mark.parametrize("name", ["stiffness", "weights", "pose", "matrix", "pin_targets"])
def test_every_input_is_part_of_what_is_compared(take, name):
    before, after = inputs(1, take), inputs(1, take)
    entry = after.entry(name)
    entry[0] = np.asarray(entry[0]) + 1
    assert any(before.checksums(group) != after.checksums(group) for group in (SCENE, MESH, ENTERING, STEP))


def test_a_simulation_that_failed_is_not_tried_again_before_it_begins_anew(take):
    take.frame(1, inputs(1, take))
    with pytest.raises(ValueError, match="not finite"):
        take.frame(2, inputs(2, take, sway=np.inf))
    with pytest.raises(ValueError, match="not finite"):
        take.frame(2, inputs(2, take))
    begun(take)
    assert take.frame(1, inputs(1, take)).tobytes() == expected()[1].tobytes()


def test_adopted_frames_go_on_bit_for_bit(take):
    record = {}
    stored = MemoryFrames()
    take.store = lambda inputs, count, made_from: record.update(made_from) or stored
    begun(take)
    for index in range(4):
        take.frame(index, inputs(index, take))
    other = Take(take.build, take.store)
    stored.inputs = record
    assert other.adopt(stored, inputs(2, other), 2, moved=False)
    made = [other.frame(index, inputs(index, other)) for index in range(COUNT)]
    assert all(a.tobytes() == b.tobytes() for a, b in zip(made, expected(), strict=True))
    assert other.simulated == COUNT - 4


@pytest.mark.parametrize("change", [{"stiffness": 2e3}, {"weights": (1, 0, 1)}, {"sway": 0.2}])
def test_frames_of_other_inputs_are_not_adopted(take, change):
    record, stored = {}, MemoryFrames()
    take.store = lambda inputs, count, made_from: record.update(made_from) or stored
    begun(take)
    take.frame(1, inputs(1, take))
    stored.inputs = record
    other = Take(take.build, take.store)
    assert not other.adopt(stored, inputs(1, other, **change), 1, moved=False)


def test_frames_without_a_state_to_go_on_from_say_so(take):
    stored = MemoryFrames()
    record = {}
    take.store = lambda inputs, count, made_from: record.update(made_from) or stored
    begun(take)
    stored.inputs, stored.newest = record, None
    other = Take(take.build, take.store)
    assert other.adopt(stored, inputs(0, other), 0, moved=False)
    with pytest.raises(Unresumable, match="lack the state"):
        other.frame(1, inputs(1, other))
