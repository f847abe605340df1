# SPDX-License-Identifier: GPL-3.0-or-later
"""Tearing: torn faces are gone in what is shown, and the same on every way to a frame."""

import bpy
import numpy as np
import pytest

from hooke.addon import output_nodes, readout
from hooke.addon.mesh_io import TORN
from hooke.addon.play import sessions
from hooke.addon.play.frame_notes import packed, read_torn

from .ripping import LAST, SIDE, torn_apart
from .scenes import activate, add_hooke, bake, clear_bake, grid, play, same_bits, status
from .test_all_routes_agree import rendered

FRAMES = range(1, LAST + 1)


@pytest.fixture
def sheet(scene):
    """See `torn_apart`."""
    return torn_apart()


def shown_faces(obj):
    """Vertices of the faces that are shown, a set of tuples."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    return {tuple(sorted(face.vertices)) for face in evaluated.polygons}


def faces_shown(obj, frames):
    found = {}
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        found[frame] = shown_faces(obj)
    return found


def test_it_tears_and_torn_faces_are_gone(sheet):
    seen = faces_shown(sheet, FRAMES)
    assert "stopped" not in status(sheet) and "more than it bears" not in status(sheet)
    network = sessions.find(sheet).simulation.network
    torn = network.tearing.torn_faces(network.broken)
    assert torn.any()
    assert len(seen[1]) == (SIDE - 1) ** 2
    assert len(seen[LAST]) == (~torn).sum()
    # No face that is left is drawn out.
    depsgraph = bpy.context.evaluated_depsgraph_get()
    mesh = sheet.evaluated_get(depsgraph).data
    lengths = [
        (mesh.vertices[a].co - mesh.vertices[b].co).length
        for face in mesh.polygons
        for a, b in face.edge_keys
    ]
    assert max(lengths) < 1.5 * 0.25
    assert len(mesh.vertices) == SIDE**2
    assert dict(readout.diagnostics(sheet))["Torn"] == f"{network.broken.sum()} springs, {torn.sum()} faces"


def test_what_is_torn_is_the_same_scrubbed_simulated_again_and_resumed(sheet, tmp_path):
    live, faces, called = play(sheet, FRAMES), faces_shown(sheet, FRAMES), sheet.name
    assert same_bits(play(sheet, reversed(FRAMES)), live)
    assert faces_shown(sheet, reversed(FRAMES)) == faces
    bpy.ops.hooke.reset()
    assert shown_faces(sheet) == faces[1]
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "torn.blend"))
    play(sheet, FRAMES[:9])
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "torn.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "torn.blend"))
    obj = bpy.data.objects[called]
    assert faces_shown(obj, FRAMES) == faces
    assert same_bits(play(obj, FRAMES), live)


@pytest.mark.parametrize("mode", ["SHAPE_KEYS", "MESH_CACHE"])
def test_it_is_baked_with_the_topology_of_the_mesh(sheet, mode):
    live = play(sheet, FRAMES)
    bpy.ops.hooke.reset()
    bake(sheet, mode)
    baked = play(sheet, FRAMES)
    assert all(np.abs(baked[frame] - live[frame]).max() < 1e-6 for frame in FRAMES)
    assert len(shown_faces(sheet)) == (SIDE - 1) ** 2
    clear_bake(sheet)


@pytest.mark.nightly
def test_it_is_rendered_as_it_is_live(sheet, scene, tmp_path):
    scene.frame_end = LAST
    seen = rendered(sheet, tmp_path)
    assert same_bits(seen, play(sheet, FRAMES))
    assert sessions.find(sheet).take.simulated == LAST - 1


def test_torn_faces_leave_no_edges_behind_and_strands_stay(scene):
    obj = grid(SIDE)
    # An edge of the mesh that never had a face is one afterwards, too.
    mesh = obj.data
    mesh.vertices.add(1)
    mesh.vertices[-1].co = (0.0, -2.0, 0.0)
    mesh.edges.add(1)
    mesh.edges[-1].vertices = (0, len(mesh.vertices) - 1)
    mesh.update()
    count, strand = len(mesh.vertices), set(mesh.edges[-1].vertices)
    torn = mesh.attributes.new(TORN, "BOOLEAN", "FACE")
    # A row, which has edges of its own alone, and one face among whole ones, which has none.
    alone = (SIDE - 1) * 2 + 3
    for index in (*range((SIDE - 1) * 5, (SIDE - 1) * 6), alone):
        torn.data[index].value = True
    obj.hooke.tearing = True
    output_nodes.add(obj)
    shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    of_faces = {frozenset(key) for face in shown.polygons for key in face.edge_keys}
    assert len(shown.vertices) == count and len(shown.polygons) == (SIDE - 1) ** 2 - SIDE
    assert {frozenset(edge.vertices) for edge in shown.edges} == of_faces | {frozenset(strand)}


def test_turned_off_it_is_whole_and_has_the_usual_nodes(sheet):
    play(sheet, FRAMES)
    assert TORN in sheet.data.attributes
    sheet.hooke.tearing = False
    bpy.ops.hooke.reset()
    assert not any(node.type == "DELETE_GEOMETRY" for node in output_nodes.find(sheet).node_group.nodes)
    play(sheet, FRAMES)
    assert not sessions.find(sheet).simulation.network.broken.any()
    assert len(shown_faces(sheet)) == (SIDE - 1) ** 2
    activate(sheet)
    bpy.ops.hooke.remove()
    assert TORN not in sheet.data.attributes and not bpy.data.node_groups


@pytest.mark.newest
def test_the_strain_counts_only_where_it_tears(sheet):
    play(sheet, FRAMES)
    sheet.hooke.breaking_strain = 10.0
    bpy.ops.hooke.reset()
    play(sheet, FRAMES)
    assert not sessions.find(sheet).simulation.network.broken.any()
    sheet.hooke.tearing = False
    bpy.ops.hooke.reset()
    play(sheet, FRAMES)
    sheet.hooke.breaking_strain = 0.1
    bpy.context.scene.frame_set(LAST)
    assert sessions.find(sheet).cached == LAST


def test_with_others_it_is_refused(sheet):
    other = add_hooke(grid(5, name="Other"))
    other.location.z = 3.0
    for obj in (sheet, other):
        obj.modifiers.new("Collision", "COLLISION")
        obj.hooke.frame_end = LAST
    for frame in range(1, 4):
        bpy.context.scene.frame_set(frame)
    assert "so it cannot tear: turn Tearing off" in status(sheet)


def test_of_what_is_filled_it_is_told(scene):
    bpy.ops.mesh.primitive_cube_add(size=0.5)
    obj = add_hooke(bpy.context.object, fill_stiffness=100.0, tearing=True)
    play(obj, FRAMES[:2])
    assert any(
        "Tearing does not act on what is filled" in told.text for told in readout.report(obj).complaints
    )
    obj.hooke.tearing = False
    play(obj, FRAMES[:2])
    assert not any("Tearing" in told.text for told in readout.report(obj).complaints)


class Frames:
    """Frames of one note."""

    def __init__(self, torn):
        self.notes = [{"torn": torn}]


@pytest.mark.parametrize("count", [1, 8, 9, 1000])
def test_a_mask_is_read_as_it_was_noted_and_nothing_else_is(count):
    mask = np.arange(count) % 3 == 0
    text = packed(mask)
    assert np.array_equal(read_torn(Frames(text), 0, count), mask)
    for other in (None, 3, [], "", "??", text[:-4], packed(np.ones(count + 8, dtype=bool))):
        assert read_torn(Frames(other), 0, count) is None


@pytest.mark.newest
def test_it_tears_where_its_map_says_and_edits_make_it_stale(sheet):
    # Without a map it parts elsewhere, or later.
    plain = play(sheet, FRAMES)
    seams = sheet.vertex_groups.new(name="Perforated")
    seams.add(list(range(5 * SIDE, 7 * SIDE)), 1.0, "REPLACE")
    sheet.hooke.tear_strength_group = "Perforated"
    live = play(sheet, FRAMES)
    assert not same_bits(live, plain)
    network = sessions.find(sheet).simulation.network
    between = (network.edges // SIDE == [5, 6]).all(axis=1)
    np.testing.assert_allclose(network.tearing.strain[between], 0.25 * 0.3, rtol=1e-6)
    along = between & (network.edges[:, 1] - network.edges[:, 0] == SIDE)
    assert network.broken[along].all() and (np.sort(network.edges[network.broken] // SIDE) >= 5).all()
    assert same_bits(play(sheet, reversed(FRAMES)), live)
    sheet.hooke.tear_strength_maximum = 1.0
    assert same_bits(play(sheet, FRAMES), plain)
