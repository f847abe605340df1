# SPDX-License-Identifier: GPL-3.0-or-later
"""What is around an object arrives at the simulation as functions of time, and frames know what of it they had."""

import numpy as np
import pytest

from hooke.addon.play.frame_errors import OtherSurroundings, Unresumable
from hooke.addon.play.lazy_values import AROUND, ENTERING, MESH, SCENE, STEP, Inputs, Reader, Unnamed
from hooke.addon.play.surroundings import Surroundings, Track
from hooke.addon.play.take import Take
from hooke.core import Simulation, SpringNetwork
from hooke.core.cache import MemoryFrames

POINTS = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0]], dtype=np.float32)
FACES = np.array([[0, 1, 2]], dtype=np.int32)
COUNT = 8
SPAN = 1 / 24


def wind(frame):
    """A force that turns and grows, different at every frame."""
    return np.array([0.1 * frame, np.sin(frame), 0.0])


def inputs(frame, take, name="'Fan'", faces=FACES, force=wind, more=()):
    """Inputs of a frame of a chain held at its first vertex, with a fan in front of it."""
    around = {f"force of {name}": force(frame), f"shape of {name}": faces, **dict(more)}
    readers = {
        "dt": Reader(lambda _: SPAN, (SCENE,)),
        "mesh": Reader(lambda _: POINTS, (MESH,)),
        "pose": Reader(lambda _: POINTS, (ENTERING,), "the pose that enters"),
        "matrix": Reader(lambda _: np.eye(4), (ENTERING, STEP)),
        "pin_targets": Reader(lambda _: POINTS[:1].astype(float), (STEP,), "the pins' motion"),
        "fans": Reader(lambda _: Unnamed(around), (ENTERING, STEP, AROUND), "the fans"),
    }
    return Inputs(readers, start=take.start)


def build(_inputs, snapshot, surroundings):
    """The chain, pushed by what the fan's Track says at the time of each force evaluation."""
    (track, faces) = surroundings.values["fans"].values()
    assert faces is not None
    network = SpringNetwork(POINTS, [[0, 1], [1, 2]], stiffness=100.0, pins=[1.0, 0.0, 0.0])
    built = Simulation(network, "RK4", dt=SPAN, substeps=4, forces=lambda x, v, t: np.tile(track(t), (3, 1)))
    if snapshot is not None:
        built.restore(snapshot)
    return built


@pytest.fixture
def stored():
    """Frames in memory, and what they were made from, as a cache on disk has them."""
    frames = MemoryFrames()
    frames.inputs = {}
    return frames


@pytest.fixture
def take(stored):
    """A take that has its first frame."""
    return begun(Take(build, lambda _inputs, _count, made_from: stored.inputs.update(made_from) or stored))


def begun(take):
    take.start = inputs(0, take).only(ENTERING)
    take.begin(inputs(0, take), moved=False)
    return take


def adopted(stored, index, **changes):
    """Another take that goes on from stored frames, without having seen the start frame."""
    other = Take(build, lambda *_: MemoryFrames())
    assert other.adopt(stored, inputs(index, other, **changes), index, moved=False)
    return other


def test_a_track_is_linear_within_the_frame_and_constant_around_it():
    track = Track(np.array([1.0, 2.0]))
    assert track(-3.0).tolist() == track(5.0).tolist() == [1.0, 2.0]
    coming = np.array([2.0, 6.0])
    track.head_for(coming, 10.0, 0.5)
    assert track(9.0).tolist() == track(10.0).tolist() == [1.0, 2.0]
    assert track(10.125).tolist() == [1.25, 3.0]
    # The end of the last substep is a rounded sum: there it is the value itself.
    assert track(10.5 * (1 - 1e-15)) is coming
    assert track(11.0) is coming
    track.arrive()
    assert track.last is track.next is coming
    assert track.first.tolist() == [1.0, 2.0]


def test_a_value_that_does_not_change_stays_the_same_object():
    first = np.ones(3)
    track = Track(first)
    track.head_for(np.ones(3), 0.0, 1.0)
    assert track(0.5) is track.next is first


def test_the_simulation_sees_the_values_between_both_ends_of_each_frame(take):
    """The chain by hand, pushed by the straight line between the winds of frames."""
    made = [take.frame(index, inputs(index, take)) for index in range(COUNT)]

    def force(x, v, t):
        frame = min(int(np.floor(t / SPAN + 1e-6)), COUNT - 2)
        share = t / SPAN - frame
        return np.tile((1 - share) * wind(frame) + share * wind(frame + 1), (3, 1))

    network = SpringNetwork(POINTS, [[0, 1], [1, 2]], stiffness=100.0, pins=[1.0, 0.0, 0.0])
    running = Simulation(network, "RK4", dt=SPAN, substeps=4, forces=force)
    for frame, x in zip(made[1:], running.frames(COUNT - 1), strict=True):
        np.testing.assert_allclose(frame, x, atol=1e-6)


@pytest.mark.parametrize("kept", range(1, COUNT))
def test_frames_that_are_taken_up_go_on_bit_for_bit(take, stored, kept):
    made = [take.frame(index, inputs(index, take)) for index in range(kept)]
    other = adopted(stored, kept)
    made += [other.frame(index, inputs(index, other)) for index in range(kept, COUNT)]
    whole = begun(Take(build, lambda *_: MemoryFrames()))
    for index in range(COUNT):
        assert made[index].tobytes() == whole.frame(index, inputs(index, whole)).tobytes()


def test_a_kept_frame_is_stale_where_what_was_around_is_other(take):
    for index in range(4):
        take.frame(index, inputs(index, take))
    assert take.stepped(2, inputs(2, take)) == []
    assert take.stepped(2, inputs(2, take, force=lambda frame: wind(frame + 1))) == ["the fans"]


def test_another_start_does_not_fit(take):
    take.start = inputs(0, take, force=lambda frame: wind(1)).only(ENTERING)
    assert not take.fits(inputs(1, take))


def test_frames_with_other_surroundings_are_not_taken_up(take, stored):
    take.frame(1, inputs(1, take))
    other = Take(build, lambda *_: MemoryFrames())
    assert not other.adopt(stored, inputs(1, other, force=lambda frame: wind(2)), 1, moved=False)


def test_another_name_is_no_change(take, stored):
    for index in range(4):
        take.frame(index, inputs(index, take))
    take.frame(2, inputs(2, take, name="'Blower'"))
    take.frame(4, inputs(4, take, name="'Blower'"))
    adopted(stored, 3, name="'Blower'").frame(5, inputs(5, take, name="'Blower'"))


CHANGES = {
    "another shape": ({"faces": FACES + 1}, "The shape of 'Fan' changed"),
    "one more": (
        {"more": {"force of 'More'": np.zeros(3)}},
        "'More' was not one of the fans at the start",
    ),
    "another size": ({"force": lambda frame: np.zeros(4)}, "The force of 'Fan' changed"),
}


@pytest.mark.parametrize(("change", "said"), CHANGES.values(), ids=CHANGES)
def test_the_next_frame_is_stale_where_what_must_stay_did_not(take, change, said):
    take.frame(1, inputs(1, take))
    with pytest.raises(OtherSurroundings, match=rf"^{said}$"):
        take.frame(2, inputs(2, take, **change))
    # Should it come back, the simulation goes on.
    take.frame(2, inputs(2, take))


def test_frames_are_not_gone_on_from_with_another_shape(take, stored):
    take.frame(1, inputs(1, take))
    other = adopted(stored, 2, faces=FACES + 1)
    with pytest.raises(OtherSurroundings, match="The shape of 'Fan' changed"):
        other.frame(2, inputs(2, other, faces=FACES + 1))


def damaged(name, change):
    """A change of one array of a snapshot."""
    return pytest.param(
        lambda snapshot: {**snapshot, name: change(snapshot[name])}, id=f"{name}-{change.__name__}"
    )


def longer(array):
    return np.append(array, array[:1])


def missing(array):
    return array[:0]


def table(array):
    return array.reshape(1, -1)


def flipped(array):
    return ~array


NAMES = ("around_first", "around_last", "around_moved", "around_constants")


@pytest.mark.parametrize(
    "damage",
    [
        *(damaged(name, change) for name in NAMES for change in (longer, missing, table)),
        damaged("around_moved", flipped),
        pytest.param(lambda snapshot: {k: v for k, v in snapshot.items() if k != "around_last"}, id="none"),
    ],
)
def test_a_snapshot_of_other_surroundings_is_refused(take, stored, damage):
    take.frame(1, inputs(1, take))
    stored.newest = damage(stored.newest)
    other = adopted(stored, 2)
    with pytest.raises(Unresumable, match="surroundings"):
        other.frame(2, inputs(2, other))


def test_snapshots_hold_each_value_once_until_it_moves():
    around = Surroundings(
        {"a": {"still": np.ones(1000), "moves": np.zeros(4), "shape": np.ones(5, np.float32)}}
    )
    assert sum(array.size for array in around.snapshot().values()) == 1004 + 2 + 1
    around.head_for(
        {"a": {"still": np.ones(1000), "moves": np.ones(4), "shape": np.ones(5, np.float32)}}, 0.0, 1.0
    )
    around.arrive()
    assert around.snapshot()["around_first"].tolist() == [0.0] * 4


def test_without_surroundings_snapshots_hold_nothing_of_them():
    assert Surroundings({"a": {}}).snapshot() == {}
    assert Surroundings.restored({"a": {}}, {}).values == {"a": {}}
