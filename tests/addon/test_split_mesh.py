# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes that open what tears: a mesh with doubled vertices plays it, and the one of before comes back."""

import bpy
import numpy as np
import pytest

from hooke.addon import mesh_io

from .ripping import LAST, SIDE, torn_apart
from .scenes import activate, add_hooke, bake, clear_bake, grid, play, same_bits
from .script import run
from .snapshots import differences, snapshot

FRAMES = range(1, LAST + 1)


@pytest.fixture
def sheet(scene):
    """See `torn_apart`; with what a mesh has besides its shape."""
    obj = torn_apart()
    uv = obj.data.uv_layers.new(name="UVMap")
    for loop in obj.data.loops:
        uv.data[loop.index].uv = np.divide((loop.vertex_index // SIDE, loop.vertex_index % SIDE), SIDE)
    group = obj.vertex_groups.new(name="Rows")
    for index in range(SIDE * SIDE):
        group.add([index], index // SIDE / SIDE, "REPLACE")
    for face in obj.data.polygons:
        face.material_index = face.index % 2
    for edge in obj.data.edges:
        edge.use_seam = True
    return obj


def longest_side(obj):
    mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    edges, x = mesh_io.read_edges(mesh), mesh_io.read_positions(mesh)
    return np.linalg.norm(x[edges[:, 0]] - x[edges[:, 1]], axis=1).max()


def test_a_mesh_cache_opens_what_tears(sheet):
    live, whole = play(sheet, FRAMES), sheet.data
    before = [tuple(face.vertices) for face in whole.polygons]
    bake(sheet, "MESH_CACHE", split=True)
    assert sheet.data != whole and [tuple(face.vertices) for face in whole.polygons] == before
    count, doubles = SIDE * SIDE, len(sheet.data.vertices) - SIDE * SIDE
    assert doubles >= SIDE - 1 and len(sheet.data.polygons) == len(whole.polygons)
    baked = play(sheet, FRAMES)
    assert same_bits({frame: baked[frame][:count] for frame in FRAMES}, live)
    # Together at first, apart in the end, and no face is drawn out.
    assert {tuple(x) for x in baked[1][count:]} <= {tuple(x) for x in live[1]}
    assert longest_side(sheet) < 1.5 * 0.25 < np.ptp(baked[LAST][:, 1]) / SIDE + 0.2
    assert {key for face in sheet.data.polygons for key in face.edge_keys} == set(sheet.data.edge_keys)
    assert same_bits(play(sheet, reversed(FRAMES)), baked)
    clear_bake(sheet)
    assert sheet.data == whole and not [mesh for mesh in bpy.data.meshes if mesh.users == 0]
    assert sheet.data.shape_keys is not None and same_bits(play(sheet, FRAMES), live)


def test_what_a_mesh_has_besides_its_shape_is_on_doubles_too(sheet):
    play(sheet, FRAMES)
    bake(sheet, "MESH_CACHE", split=True)
    mesh = sheet.data
    rows = sheet.vertex_groups["Rows"].index
    weights = [{each.group: each.weight for each in vertex.groups}[rows] for vertex in mesh.vertices]
    uv = mesh.uv_layers["UVMap"].data
    for loop in mesh.loops:
        assert uv[loop.index].uv[0] == pytest.approx(weights[loop.vertex_index], abs=1e-6)
    assert sum(face.material_index for face in mesh.polygons) == len(mesh.polygons) // 2
    assert all(edge.use_seam for edge in mesh.edges)
    assert mesh.shape_keys is None and mesh_io.POSITION not in mesh.attributes


def test_it_is_in_the_file_and_undone(sheet, tmp_path):
    name, live = sheet.name, play(sheet, FRAMES)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "torn.blend"))
    bake(sheet, "MESH_CACHE", split=True)
    baked, whole = play(sheet, FRAMES), sheet.hooke.bake.whole_mesh.name
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "torn.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "torn.blend"))
    sheet = bpy.data.objects[name]
    assert same_bits(play(sheet, FRAMES), baked) and whole in bpy.data.meshes
    clear_bake(sheet)
    assert sheet.data.name == whole and same_bits(play(sheet, FRAMES), live)


def test_undo_gives_the_mesh_back_and_redo_the_split_one(sheet):
    def at_start():
        bpy.context.scene.frame_set(1)
        return snapshot(bpy.data.objects[name])

    name, live = sheet.name, play(sheet, FRAMES)
    whole, before = sheet.data.name, at_start()
    bpy.ops.ed.undo_push(message="before")
    bake(sheet, "MESH_CACHE", split=True)
    bpy.ops.ed.undo_push(message="split")
    baked, after = play(sheet, FRAMES), at_start()
    for _ in range(2):
        bpy.ops.ed.undo()
        sheet = bpy.data.objects[name]
        assert sheet.data.name == whole and len(sheet.data.vertices) == SIDE * SIDE
        assert differences(before, at_start()) == []
        assert same_bits(play(sheet, FRAMES), live)
        bpy.ops.ed.redo()
        sheet = bpy.data.objects[name]
        assert len(sheet.data.vertices) > SIDE * SIDE and differences(after, at_start()) == []
        assert same_bits(play(sheet, FRAMES), baked)
    clear_bake(sheet)
    bpy.ops.ed.undo_push(message="cleared")
    assert differences(before, at_start()) == []
    bpy.ops.ed.undo()
    sheet = bpy.data.objects[name]
    assert same_bits(play(sheet, FRAMES), baked)
    # The record came back as well: clearing still gives the mesh of before.
    clear_bake(sheet)
    assert differences(before, at_start()) == [] and same_bits(play(sheet, FRAMES), live)


def test_removed_it_keeps_both_meshes(sheet, tmp_path):
    play(sheet, FRAMES)
    bake(sheet, "MESH_CACHE", split=True)
    baked, parted, whole = play(sheet, FRAMES), sheet.data, sheet.hooke.bake.whole_mesh
    bpy.ops.hooke.remove()
    assert sheet.data == parted and whole.use_fake_user and same_bits(play(sheet, FRAMES), baked)


@pytest.mark.parametrize("mode", ["SHAPE_KEYS", "PRINCIPAL_SHAPES", "MESH_CACHE"])
def test_what_keeps_the_mesh_says_so(sheet, mode, capsys):
    play(sheet, FRAMES)
    bake(sheet, mode)
    assert "faces of it have torn" in capsys.readouterr().out
    assert sheet.hooke.bake.whole_mesh is None


def test_automatic_is_a_mesh_cache_where_it_is_split(sheet):
    sheet.hooke.bake_split = True
    play(sheet, FRAMES)
    bake(sheet, "AUTOMATIC")
    assert sheet.hooke.bake.mode == "MESH_CACHE" and sheet.hooke.bake.whole_mesh is not None


def test_what_does_not_tear_keeps_its_mesh_and_says_so(scene, capsys):
    obj = add_hooke(grid(5), frame_end=4)
    obj.hooke.tearing = True
    mesh = obj.data
    bake(obj, "MESH_CACHE", split=True)
    assert obj.data == mesh and "nothing of 'Cloth' has torn" in capsys.readouterr().out


def test_a_bake_that_fails_leaves_the_mesh(sheet, tmp_path):
    play(sheet, FRAMES)
    mesh, meshes = sheet.data, len(bpy.data.meshes)
    activate(sheet)
    (tmp_path / "taken.pc2").write_bytes(b"someone's")
    with pytest.raises(RuntimeError, match="exists and is not from a bake"):
        bpy.ops.hooke.bake(mode="MESH_CACHE", split=True, filepath=str(tmp_path / "taken.pc2"))
    assert sheet.data == mesh and len(bpy.data.meshes) == meshes and not sheet.hooke.bake.exists


@pytest.mark.skipif(not bpy.app.build_options.alembic, reason="this Blender has no Alembic")
def test_alembic_has_the_split_mesh(sheet, tmp_path):
    play(sheet, FRAMES)
    bake(sheet, "MESH_CACHE", split=True)
    baked, count = play(sheet, FRAMES), len(sheet.data.vertices)
    activate(sheet)
    assert bpy.ops.hooke.export(format="ALEMBIC", filepath=str(tmp_path / "torn.abc")) == {"FINISHED"}
    bpy.ops.wm.alembic_import(filepath=str(tmp_path / "torn.abc"))
    read = bpy.context.object
    assert read != sheet and len(read.data.vertices) == count
    shown = play(read, FRAMES)
    assert all(np.abs(shown[frame] - baked[frame]).max() < 1e-5 for frame in FRAMES)


def test_the_command_line_has_the_same_word(sheet, tmp_path):
    file, output = tmp_path / "torn.blend", tmp_path / "out.blend"
    name = sheet.name
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    done = run(file, "--object", name, "--mode", "MESH_CACHE", "--split-mesh", "--output", output)
    assert done.returncode == 0, done.stderr
    assert "split where it tears" in done.stdout and "doubled where it tears" in done.stderr
    bpy.ops.wm.open_mainfile(filepath=str(output))
    obj = bpy.data.objects[name]
    assert len(obj.data.vertices) > SIDE * SIDE and obj.hooke.bake.whole_mesh is not None
    play(obj, FRAMES)
    assert longest_side(obj) < 1.5 * 0.25
