# SPDX-License-Identifier: GPL-3.0-or-later
"""A low mesh is simulated in place of a high one, which follows it."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from hooke.addon.play import sessions

from .scenes import activate, add_hooke, evaluated_world_positions, grid, link, play

LENGTH = 0.2


def bound(**settings):
    """A sheet of 2 m with sides of 0.05 m, pinned along an edge, and its low mesh."""
    high = grid(side=41, pins=dict.fromkeys(range(41), 1.0))
    high.modifiers.new("Subdivision", "SUBSURF").levels = 1
    add_hooke(high, effort="DRAFT", area_density=0.3, **settings)
    activate(high)
    assert bpy.ops.hooke.bind(length=LENGTH) == {"FINISHED"}
    return high, bpy.data.objects["Cloth Low"]


def test_a_low_mesh_of_the_length_is_simulated_with_the_settings(scene):
    high, low = bound()
    ends = np.array([[low.data.vertices[k].co for k in edge.vertices] for edge in low.data.edges])
    assert np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1).mean() == pytest.approx(LENGTH, rel=0.25)
    assert bpy.context.object == low and low.hooke.enabled and not high.hooke.enabled
    assert low.hooke.area_density == pytest.approx(0.3) and low.hooke.effort == "DRAFT"
    assert [modifier.type for modifier in low.modifiers] == ["NODES"]
    assert [modifier.type for modifier in high.modifiers] == ["SURFACE_DEFORM", "SUBSURF"]
    # Pins hold as hard as they did, where they were.
    group = low.vertex_groups["Pin"].index
    pins = {v.index: of.weight for v in low.data.vertices for of in v.groups if of.group == group}
    assert set(pins.values()) == {1.0}
    assert all(low.data.vertices[k].co.y < -1.0 + LENGTH for k in pins) and len(pins) > 4


def test_the_high_mesh_begins_as_it_is_and_follows(scene):
    high, low = bound()
    high.modifiers["Subdivision"].show_viewport = False
    modelled = np.array([vertex.co for vertex in high.data.vertices])
    play(low, [1])
    assert evaluated_world_positions(high) == pytest.approx(modelled, abs=1e-5)
    play(low, range(2, 9))
    assert sessions.find(low).newest == 7
    fallen, of_low = (evaluated_world_positions(obj)[:, 2].min() for obj in (high, low))
    assert of_low < -0.1 and fallen == pytest.approx(of_low, abs=0.02)


@pytest.mark.nightly
def test_it_follows_in_renders_and_the_low_mesh_is_not_in_them(scene):
    high, low = bound()
    heights = []

    def seen(_scene, depsgraph):
        heights.append(min(vertex.co.z for vertex in high.evaluated_get(depsgraph).data.vertices))

    camera = link(bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera")))
    scene.camera, scene.frame_end, scene.render.engine = camera, 6, "CYCLES"
    scene.cycles.samples, scene.render.resolution_x, scene.render.resolution_y = 1, 8, 8
    scene.render.filepath = str(Path(bpy.app.tempdir, "bound"))
    bpy.app.handlers.frame_change_post.append(seen)
    try:
        bpy.ops.render.render(animation=True)
    finally:
        bpy.app.handlers.frame_change_post.remove(seen)
    assert sessions.find(low).newest == 5 and min(heights) < -0.05
    assert not low.visible_camera and not low.visible_shadow and not low.hide_render


def test_what_needs_no_low_mesh_stays_as_it_is(scene):
    high = add_hooke(grid(side=5))
    activate(high)
    with pytest.raises(RuntimeError, match="choose another Edge Length"):
        bpy.ops.hooke.bind(length=LENGTH)
    assert high.hooke.enabled and [obj.name for obj in bpy.data.objects] == ["Cloth"]
    assert len(bpy.data.meshes) == 1
