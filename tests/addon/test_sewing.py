# SPDX-License-Identifier: GPL-3.0-or-later
"""Seams of flat panels: they close, are told where they do not, and are the same on every way to a frame."""

import bmesh
import bpy
import numpy as np
import pytest

from hooke.addon import readout
from hooke.addon.readout import before_flight
from hooke.addon.readout.remedies import REMEDIES

from .scenes import activate, add_hooke, bake, clear_bake, mesh_object, play, same_bits, status
from .script import run

FRAMES = range(1, 15)
SIDE = 6
RIM = [k for k in range(SIDE * SIDE) if k // SIDE in (0, SIDE - 1) or k % SIDE in (0, SIDE - 1)]


def panels(**settings):
    """Two squares of 0.5 m, 0.1 m apart, and loose edges from rim to rim."""
    along = np.linspace(0.0, 0.5, SIDE)
    lower = [(x, y, 0.0) for x in along for y in along]
    upper = [(x, y, 0.1) for x, y, _ in lower]
    corners = [i * SIDE + j for i in range(SIDE - 1) for j in range(SIDE - 1)]
    up = [
        (k + SIDE * SIDE, k + SIDE + SIDE * SIDE, k + SIDE + 1 + SIDE * SIDE, k + 1 + SIDE * SIDE)
        for k in corners
    ]
    down = [(k, k + 1, k + SIDE + 1, k + SIDE) for k in corners]
    seams = [(k, k + SIDE * SIDE) for k in RIM]
    return add_hooke(mesh_object(lower + upper, edges=seams, faces=down + up, name="Pillow"), **settings)


def gaps(positions):
    rim = np.array(RIM)
    return np.linalg.norm(positions[rim] - positions[rim + SIDE * SIDE], axis=1)


@pytest.fixture
def pillow(scene):
    return panels(sewing=True, sewing_time=0.4, pressure=50.0, gravity_weight=0.0, frame_end=FRAMES[-1])


def test_it_closes_and_holds_what_is_inside(pillow):
    shown = play(pillow, FRAMES)
    assert gaps(shown[1]).min() > 0.09
    assert gaps(shown[14]).max() < 1e-3
    assert dict(readout.diagnostics(pillow))["Seams"] == f"{len(RIM)} of {len(RIM)} closed"
    assert " L" in status(pillow) and "stopped" not in status(pillow)
    assert np.ptp(shown[14][:, 2]) > 0.05


@pytest.mark.newest
def test_it_is_the_same_scrubbed_simulated_again_baked_and_resumed(pillow, tmp_path):
    live = play(pillow, FRAMES)
    assert same_bits(play(pillow, reversed(FRAMES)), live)
    bpy.ops.hooke.reset()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "pillow.blend"))
    play(pillow, FRAMES[:6])
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "pillow.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "pillow.blend"))
    pillow = bpy.data.objects["Pillow"]
    assert same_bits(play(pillow, FRAMES), live)
    bake(pillow, "MESH_CACHE")
    assert same_bits(play(pillow, FRAMES), live)
    clear_bake(pillow)


def test_loose_edges_are_told_and_sewn_with_a_click(scene):
    obj = panels(gravity_weight=0.0)
    play(obj, range(1, 4))
    told = next(each for each in readout.report(obj).complaints if "loose edges" in each.text)
    assert told.remedies == ("SEWING",) and "turn on Sewing" in told.text
    assert REMEDIES["SEWING"].label(obj, scene) == "Turn Sewing On"
    assert bpy.ops.hooke.mend(remedy="SEWING") == {"FINISHED"}
    obj.hooke.sewing_time = 0.2
    assert gaps(play(obj, range(1, 12))[11]).max() < 1e-3
    assert not any("loose edges" in each.text for each in readout.report(obj).complaints)


def test_seams_that_do_not_close_are_told(scene):
    # Both panels are held.
    obj = panels(sewing=True, sewing_time=0.1, sewing_force=0.1)
    group = obj.vertex_groups.new(name="Pin")
    group.add(list(range(2 * SIDE * SIDE)), 1.0, "REPLACE")
    obj.hooke.pin_group = "Pin"
    play(obj, range(1, 14))
    told = [each.text for each in readout.report(obj).complaints]
    assert (
        f"{len(RIM)} seams are open after the Closing Time: raise Max Force, or set it to 0 for any" in told
    )


def test_sewing_without_seams_is_told(scene):
    bpy.ops.mesh.primitive_grid_add()
    obj = add_hooke(bpy.context.object, sewing=True)
    play(obj, range(1, 4))
    assert any("Sewing finds no seams" in each.text for each in readout.report(obj).complaints)


def test_the_command_line_sews(scene, tmp_path):
    panels()
    file = tmp_path / "pillow.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    options = ("--sewing", "--sewing-time", "0.5", "--sewing-force", "2")
    done = run(file, "--object", "Pillow", "--frames", "1-4", "--output", tmp_path / "out.blend", *options)
    assert done.returncode == 0, done.stderr
    settings = bpy.data.objects["Pillow"].hooke
    assert (settings.sewing, settings.sewing_time, settings.sewing_force) == (True, 0.5, 2.0)


def one_with_a_vertex_in_its_midst(count=3, **settings):
    """The panels, of whose seams so many have a vertex in their midst."""
    obj = panels(sewing=True, sewing_time=0.2, gravity_weight=0.0, **settings)
    made = bmesh.new()
    made.from_mesh(obj.data)
    seams = [edge for edge in made.edges if not edge.link_faces][:count]
    bmesh.ops.subdivide_edges(made, edges=seams, cuts=1)
    made.to_mesh(obj.data)
    made.free()
    obj.data.update()
    activate(obj)
    return obj


@pytest.mark.parametrize("settings", [{}, {"pressure": 50.0}])
def test_seams_with_a_vertex_in_their_midst_are_told_selected_and_joined(settings, scene):
    obj = one_with_a_vertex_in_its_midst(**settings)
    before = len(obj.data.vertices)
    bpy.ops.hooke.pre_flight()
    told = before_flight.told(obj)
    (found,) = [each for each in told if "6 loose edges are no seams beside 17" in each.complaint.text]
    # Faces over the borders would destroy the pattern.
    assert not any(each.remedy == "FILL_HOLES" for each in told)
    assert {2 * SIDE * SIDE + k for k in range(3)} <= set(found.vertices.tolist()) and len(
        found.vertices
    ) == 9
    play(obj, FRAMES)
    # What is open and pressed does not begin.
    assert bool(settings) or any("are no seams" in each.text for each in readout.report(obj).complaints)
    assert bpy.ops.hooke.mend(remedy="JOIN_SEAMS") == {"FINISHED"}
    assert len(obj.data.vertices) == before - 3 and len(obj.data.polygons) == 2 * (SIDE - 1) ** 2
    assert not any("no seams" in each.complaint.text for each in before_flight.told(obj))
    shown = play(obj, FRAMES)
    assert gaps(shown[FRAMES[-1]]).max() < 0.002


def test_a_strand_that_hangs_from_a_sewn_panel_is_no_fault(scene):
    obj = panels(sewing=True, sewing_time=0.2)
    made = bmesh.new()
    made.from_mesh(obj.data)
    made.verts.ensure_lookup_table()
    inner = made.verts[7]
    made.edges.new((inner, made.verts.new((0.0, 0.0, 0.5))))
    made.to_mesh(obj.data)
    made.free()
    activate(obj)
    play(obj, range(1, 3))
    assert not any("no seams" in each.text for each in readout.report(obj).complaints)


def test_a_strand_at_a_border_is_told_before_for_it_may_be_a_seam_left_undone(scene):
    obj = panels(sewing=True, sewing_time=0.2)
    made = bmesh.new()
    made.from_mesh(obj.data)
    made.verts.ensure_lookup_table()
    made.edges.new((made.verts[0], made.verts.new((0.0, 0.0, 0.5))))
    made.to_mesh(obj.data)
    made.free()
    activate(obj)
    bpy.ops.hooke.pre_flight()
    (found,) = [each for each in before_flight.told(obj) if "hangs free at one end" in each.complaint.text]
    assert found.vertices.tolist() == [0, 2 * SIDE * SIDE]
    play(obj, range(1, 3))
    assert not any("hangs free" in each.text for each in readout.report(obj).complaints)


def test_a_chain_that_branches_into_the_air_is_told(scene):
    obj = one_with_a_vertex_in_its_midst(count=1)
    made = bmesh.new()
    made.from_mesh(obj.data)
    made.verts.ensure_lookup_table()
    made.edges.new((made.verts[2 * SIDE * SIDE], made.verts.new((0.0, 0.0, 0.5))))
    made.to_mesh(obj.data)
    made.free()
    activate(obj)
    play(obj, range(1, 3))
    assert any("3 loose edges are no seams" in each.text for each in readout.report(obj).complaints)


def test_an_edge_that_ends_inside_a_panel_is_told(scene):
    obj = panels(sewing=True, sewing_time=0.2)
    made = bmesh.new()
    made.from_mesh(obj.data)
    made.verts.ensure_lookup_table()
    made.edges.new((made.verts[7], made.verts[SIDE * SIDE]))
    made.to_mesh(obj.data)
    made.free()
    activate(obj)
    play(obj, range(1, 3))
    told = [each for each in readout.report(obj).complaints if "1 loose edge is no seam" in each.text]
    assert len(told) == 1 and not REMEDIES["JOIN_SEAMS"].label(obj, scene)
