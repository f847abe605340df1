# SPDX-License-Identifier: GPL-3.0-or-later
"""Force fields whose numbers or places are animated act as they are then."""

import bpy
import numpy as np
import pytest

from .blowing import field, keyed, sheet
from .scenes import link, play, same_bits, status

FRAMES = range(1, 7)


def played():
    """Frames of a sheet that is made for them, and deleted."""
    bpy.context.scene.frame_set(1)
    cloth = sheet()
    frames = play(cloth, FRAMES)
    bpy.ops.hooke.reset()
    bpy.data.objects.remove(cloth)
    return frames


@pytest.mark.parametrize(("kind", "number"), [("HARMONIC", "rest_length"), ("TURBULENCE", "size")])
def test_a_number_that_has_keys_acts_as_it_is_then(kind, number, scene):
    obj = field(kind, 20.0, flow=0.0)
    setattr(obj.field, number, 0.5)
    steady = played()
    keyed(obj, {1: 0.5, 2: 0.5, 4: 3.0}, number)
    moving = played()
    assert same_bits(moving[2], steady[2])
    assert np.abs(moving[6] - steady[6]).max() > 1e-3


def test_a_field_goes_with_its_parent(scene):
    parent = link(bpy.data.objects.new("Parent", None))
    obj = field("FORCE", 50.0)
    obj.parent = parent
    for frame, x in ((1, 0.0), (6, 4.0)):
        parent.location.x = x
        parent.keyframe_insert("location", frame=frame)
    carried = played()
    # A little elsewhere from the start: frames that are kept of the same start would be gone on from.
    obj.parent, obj.location.y = None, obj.location.y + 1e-4
    for frame, x in ((1, 0.3), (6, 4.3)):
        obj.location.x = x
        obj.keyframe_insert("location", frame=frame)
    alone = played()
    assert np.abs(carried[6] - alone[6]).max() < 1e-2 < np.abs(alone[6] - alone[1]).max()


def test_keys_that_change_in_a_file_that_was_opened_again_are_told(scene, tmp_path):
    obj = field("FORCE", 50.0)
    keyed(obj, {1: 0.0, 4: 0.0, 12: 2.0}, "falloff_power")
    cloth, path = sheet(), str(tmp_path / "cloth.blend")
    play(cloth, range(1, 10))
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    obj, cloth = bpy.data.objects["Field"], bpy.data.objects["Cloth"]
    play(cloth, range(1, 6))
    keyed(obj, {12: 8.0}, "falloff_power")
    # The frame after the one that is seen was made of other keys: it goes on from there, tuned live.
    shown = play(cloth, [6])[6]
    assert np.isfinite(shown).all() and "tuned" in status(cloth).lower()
