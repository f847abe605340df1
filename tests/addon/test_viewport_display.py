# SPDX-License-Identifier: GPL-3.0-or-later
"""What is to be seen beside the shape: attributes of the edges, and the overlay's lines."""

import bpy
import numpy as np
import pytest

from hooke.addon import mesh_io
from hooke.addon.drawing import overlay
from hooke.addon.play import attributes, sessions
from hooke.core.topology import shear_edges

from .colliding import ball
from .scenes import activate, add_hooke, bake, evaluated_positions, grid, mesh_object, pin, play, same_bits

OWN = {mesh_io.STRAIN, mesh_io.BEND, mesh_io.KIND}
FRAMES = range(1, 9)
KINDS = attributes.kinds_of


def values(mesh, name):
    return np.array([each.value for each in mesh.attributes[name].data])


def test_strain_is_that_of_what_is_shown_live_scrubbed_and_on_the_evaluated_mesh(scene):
    obj = add_hooke(grid(), store_attributes=True)
    seen = {}
    for frame in FRAMES:
        shown = play(obj, [frame])[frame]
        seen[frame] = values(obj.data, mesh_io.STRAIN)
        edges, rest = mesh_io.read_edges(obj.data), mesh_io.read_positions(obj.data)
        lengths = [np.linalg.norm(x[edges[:, 1]] - x[edges[:, 0]], axis=1) for x in (shown, rest)]
        np.testing.assert_allclose(seen[frame], lengths[0] / lengths[1] - 1.0, atol=1e-6)
    assert seen[8].max() > 1e-4 and (seen[1] == 0.0).all()
    for frame in reversed(FRAMES):
        play(obj, [frame])
        assert (values(obj.data, mesh_io.STRAIN) == seen[frame]).all()
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    assert set(evaluated.attributes.keys()) >= OWN
    assert values(obj.data, mesh_io.BEND).max() == 0.0
    play(obj, [8])
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    assert (values(evaluated, mesh_io.STRAIN) == seen[8]).all()
    # It hangs on two corners and folds.
    assert 0.1 < values(obj.data, mesh_io.BEND).max() < np.pi


def test_frames_are_the_same_with_and_without_and_nothing_stays(scene):
    obj = add_hooke(grid())
    without = play(obj, FRAMES)
    assert not OWN & set(obj.data.attributes.keys())
    obj.hooke.store_attributes = True
    assert sessions.find(obj).cached == len(FRAMES)
    assert same_bits(play(obj, FRAMES), without)
    bpy.ops.hooke.reset()
    assert same_bits(play(obj, FRAMES), without)
    assert set(obj.data.attributes.keys()) >= OWN
    bpy.ops.hooke.remove()
    assert not OWN & set(obj.data.attributes.keys())


def test_an_attribute_of_the_same_name_and_another_kind_is_replaced(scene):
    obj = add_hooke(grid(), store_attributes=True)
    obj.data.attributes.new(mesh_io.STRAIN, "FLOAT_VECTOR", "POINT")
    play(obj, FRAMES)
    made = obj.data.attributes[mesh_io.STRAIN]
    assert (made.domain, made.data_type) == ("EDGE", "FLOAT")


def sewn():
    """Two squares with seams between their borders, and a strand."""
    points = [(x, y, 0) for x in (0, 1, 1.2, 2.2) for y in (0, 1)] + [(0, 2, 0)]
    obj = mesh_object(points, edges=[(2, 4), (3, 5), (1, 8)], faces=[(0, 2, 3, 1), (4, 6, 7, 5)])
    pin(obj, {0: 1.0, 1: 1.0})
    return obj


@pytest.mark.parametrize(("sewing", "kinds"), [(True, {2, 1}), (False, {1})], ids=["sewing", "not"])
def test_kinds(sewing, kinds, scene):
    obj = add_hooke(sewn(), store_attributes=True, sewing=sewing)
    play(obj, [1, 2])
    edges, kind = mesh_io.read_edges(obj.data), values(obj.data, mesh_io.KIND)
    of = {tuple(sorted(ends)): int(number) for ends, number in zip(edges.tolist(), kind, strict=True)}
    assert of[(0, 1)] == of[(2, 3)] == 0 and of[(1, 8)] == 1
    assert {of[(2, 4)], of[(3, 5)], of[(1, 8)]} == kinds


def test_kinds_follow_an_edited_mesh_and_are_found_once_between(scene, monkeypatch):
    obj = add_hooke(sewn(), store_attributes=True)
    found = []
    monkeypatch.setattr(attributes, "kinds_of", lambda *of: found.append(of) or KINDS(*of))
    play(obj, FRAMES)
    assert len(found) == 1
    obj.hooke.sewing = True
    play(obj, FRAMES)
    assert values(obj.data, mesh_io.KIND).max() == attributes.SEAM
    activate(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.delete(type="ONLY_FACE")
    bpy.ops.object.mode_set(mode="OBJECT")
    play(obj, FRAMES)
    assert (values(obj.data, mesh_io.KIND) == attributes.STRAND).all()


def test_the_overlay_has_every_spring_once_where_it_is_shown(scene):
    obj = add_hooke(grid())
    assert overlay.parts(obj) == {}
    play(obj, FRAMES)
    found, network = overlay.parts(obj), sessions.find(obj).network
    assert set(found) == {"SPRINGS", "DIAGONALS", "PINS"}
    assert len(found["SPRINGS"]) + len(found["DIAGONALS"]) == 2 * len(network.edges)
    assert len(found["SPRINGS"]) == 2 * len(obj.data.edges)
    assert len(found["DIAGONALS"]) >= 2 * len(shear_edges(mesh_io.read_polygons(obj.data)))
    shown = evaluated_positions(obj)
    assert {tuple(point) for point in found["PINS"]} == {tuple(shown[0]), tuple(shown[4])}
    # Of another frame than the newest nothing is known but the vertices.
    scene.frame_set(3)
    assert overlay.parts(obj) == {}


def test_the_overlay_has_seams_and_the_lattice(scene):
    obj = add_hooke(sewn(), sewing=True)
    play(obj, [1, 2])
    found = overlay.parts(obj)
    x = evaluated_positions(obj)
    assert np.allclose(sorted(map(tuple, found["SEAMS"])), sorted(map(tuple, x[[2, 4, 3, 5]])), atol=1e-5)
    filled = add_hooke(ball(), fill_stiffness=100.0)
    play(filled, [1, 2])
    assert len(overlay.parts(filled)["LATTICE"]) > 100


def test_it_draws_what_is_baked_by_nothing(scene):
    obj = add_hooke(grid())
    play(obj, FRAMES)
    bake(obj)
    assert overlay.parts(obj) == {}


def test_its_switch_is_in_no_file(scene, tmp_path):
    manager = bpy.context.window_manager
    assert manager.hooke_overlay is False
    manager.hooke_overlay = True
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    bpy.context.window_manager.hooke_overlay = False
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "scene.blend"))
    assert bpy.context.window_manager.hooke_overlay is False
