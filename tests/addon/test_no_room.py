# SPDX-License-Identifier: GPL-3.0-or-later
"""What two colliders leave no room is said, from the frame on where it begins, also from the cache."""

import bpy
import pytest

from hooke.addon import readout

from .colliding import block, collider, floor, lower, plate
from .scenes import add_hooke, grid, play

FRAMES = range(1, 21)


def thick(name, height):
    """A cuboid whose upper side, or lower if it lies above, is at the height."""
    return block(name, size=4.0, height=height - 2.0 if height < 0.0 else height + 2.0)


def boxes(name, height):
    return thick(name, height), {"shape": "BOX"}


def blocks(name, height):
    return thick(name, height), {}


def plates(name, height):
    return plate(name, height), {}


@pytest.mark.combined
@pytest.mark.parametrize("frames", [(4, 12), (10, 11)], ids=["slow", "fast"])
@pytest.mark.parametrize("made", [blocks, boxes, plates])
def test_plates_that_close_on_each_other_are_named(made, frames, scene):
    obj = add_hooke(grid(side=9, pins={}), effort="STANDARD", frame_end=FRAMES[-1])
    for name, height in (("Low", -0.1), ("Up", 0.3)):
        solid, settings = made(name, height)
        collider(solid, **settings)
        if name == "Up":
            lower(solid, 0.45, frames)
    said = []
    for frame in FRAMES:
        play(obj, [frame])
        said.append([each.text for each in readout.report(obj).complaints])
    first = next(index for index, texts in enumerate(said) if texts)
    # 20 mm of the cloth's thickness and 10 mm of each plate's are left at the latest when it is on the lower one.
    assert frames[0] <= FRAMES[first] <= frames[1]
    for texts in said[first:]:
        (text,) = texts
        assert "'Low'" in text and "'Up'" in text and f"frame {FRAMES[first]}" in text and "60 mm" in text


@pytest.mark.newest
def test_a_table_on_a_floor_leaves_room(scene):
    obj = add_hooke(grid(side=9, pins={}), effort="STANDARD", frame_end=FRAMES[-1])
    floor(obj)
    collider(block(size=0.6, height=-0.4))
    for frame in FRAMES:
        play(obj, [frame])
        assert readout.report(obj).icon in ("CHECKMARK", "INFO"), frame
    assert bpy.context.scene.frame_current == FRAMES[-1]
