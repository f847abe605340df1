# SPDX-License-Identifier: GPL-3.0-or-later
"""Several sources of pins on one object: a vertex group, an attribute and a surface act together, each its own part."""

import bpy
import numpy as np
import pytest

from hooke.addon import mesh_io, sections
from hooke.addon.play import sessions

from .directing import FRAMES, LAST, attached, keyed, mixed, spinning
from .scenes import evaluated_world_positions, play, same_bits, status

ROW, COUNT = 5, 25
# Positions of up to 3 m are shown in single precision, and matrices are of it.
ROUNDING = 8 * np.finfo(np.float32).eps
# Of the group's first row: held hard, held hard, pulled, let go, let go.
STRENGTHS = (1.0, 1.0, 0.5, 0.0, 0.0)
HARD, PULLED, LOOSE = [0, 1], [2], [3, 4]


@pytest.fixture
def held(scene):
    """A sheet whose group is its first row, with a strength by an attribute, stuck to what spins."""
    obj = attached(spinning(), pin_stiffness=50.0)
    strengths = obj.data.attributes.new("Strength", "FLOAT", "POINT")
    strengths.data.foreach_set("value", np.concatenate([STRENGTHS, np.zeros(COUNT - ROW)]))
    obj.hooke.pin_strength_group = "Strength"
    obj.hooke.frame_end = scene.frame_end = LAST
    return obj


def followed(obj, first):
    """Where the surface takes the first row that was at places in the first frame."""
    other = obj.hooke.attach_object
    scene, matrices = bpy.context.scene, []
    for frame in (1, LAST):
        scene.frame_set(frame)
        shown = other.evaluated_get(bpy.context.evaluated_depsgraph_get())
        matrices.append(np.array(shown.matrix_world))
    return mesh_io.to_world(matrices[1] @ np.linalg.inv(matrices[0]), first[:ROW])


def test_group_attribute_and_surface_act_each_on_its_part(held, scene):
    scene.frame_set(1)
    first = evaluated_world_positions(held)
    play(held, FRAMES)
    assert "stopped" not in status(held)
    assert sessions.find(held).network.pins.tolist() == [*STRENGTHS, *[0.0] * (COUNT - ROW)]
    last, goes = evaluated_world_positions(held), followed(held, first)
    np.testing.assert_allclose(last[HARD], goes[HARD], atol=ROUNDING)
    away = np.linalg.norm(last[:ROW] - goes, axis=1)
    # The surface takes what it holds by 0.8 m; what is pulled comes after (Converged: 0.49 times as far off as what
    # nothing pulls), what nothing pulls is left behind.
    assert ROUNDING < away[PULLED].max() < 0.7 * away[LOOSE].min()


def test_keys_and_modifiers_let_go_of_all_sources(held, scene):
    keyed(held.hooke, "pin_strength", (1.0, 0.5))
    mixed(held, (0.0, 1.0))
    shown = play(held, FRAMES)
    masses = sessions.find(held).network.masses
    heights = np.array([np.average(shown[frame][:, 2], weights=masses) for frame in FRAMES])
    # From the frame in which the mix takes every weight, the centre of mass falls at g.
    np.testing.assert_allclose(np.diff(heights[6:], 2) * 24.0**2, -9.81, rtol=0.02)


def test_without_its_attribute_the_group_holds_whole(held):
    before = play(held, FRAMES)
    held.hooke.pin_strength_group = ""
    after = play(held, FRAMES)
    assert not same_bits(before, after)
    assert sections.painted(held.hooke, sections.read_maps(held)).tolist() == [1.0] * ROW + [0.0] * (
        COUNT - ROW
    )
