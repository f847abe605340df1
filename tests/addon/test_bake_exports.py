# SPDX-License-Identifier: GPL-3.0-or-later
"""Exported bakes hold the simulated motion: glTF read by a reader of our own, Alembic and USD by Blender."""

import os

import bpy
import numpy as np
import pytest

from hooke.addon.exports import FORMATS

from .gltf_reader import Gltf
from .scenes import activate, add_hooke, bake, clear_bake, evaluated_positions, grid, play

FRAMES = range(1, 13)
TOLERANCE = 2e-3
# Of coordinates up to 2 m, summed over some tens of morph targets in float32.
ROUNDING = 1e-6


def export(form, path, **options):
    """Export through the operator."""
    assert bpy.ops.hooke.export(format=form, filepath=str(path), **options) == {"FINISHED"}
    return path


@pytest.fixture
def sheet(scene):
    """A simulated sheet and what it shows live, dict frame -> positions in object space."""
    scene.render.fps = 24
    obj = add_hooke(grid(9))
    return obj, play(obj, FRAMES)


def largest_distance_from_nearest(points, others):
    """Largest distance from a point to the nearest of the others: glTF splits vertices and orders them anew."""
    return np.linalg.norm(points[:, None] - others[None], axis=2).min(axis=1).max()


def to_blender(positions):
    """From y up, as in glTF, to z up."""
    return positions[:, [0, 2, 1]] * (1.0, -1.0, 1.0)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("mode", "options", "limit"),
    [
        ("SHAPE_KEYS", {}, ROUNDING),
        ("PRINCIPAL_SHAPES", {"tolerance": TOLERANCE}, TOLERANCE + ROUNDING),
    ],
)
def test_gltf_holds_the_motion(mode, options, limit, sheet, tmp_path):
    obj, live = sheet
    bake(obj, mode, **options)
    gltf = Gltf(export("GLTF", tmp_path / "sheet.glb"))
    for frame in FRAMES:
        positions = to_blender(gltf.morphed("Cloth", (frame - 1) / 24))
        assert largest_distance_from_nearest(positions, live[frame]) <= limit
        assert largest_distance_from_nearest(live[frame], positions) <= limit
    if mode == "SHAPE_KEYS":
        halfway = to_blender(gltf.morphed("Cloth", 5.5 / 24))
        assert largest_distance_from_nearest(halfway, (live[6] + live[7]) / 2) <= limit


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mode", ["SHAPE_KEYS", "PRINCIPAL_SHAPES"])
def test_gltf_that_blender_reads_again_shows_the_motion(mode, sheet, scene, tmp_path):
    # Blender's importer, like other readers, lets weights be from 0 to 1 alone.
    obj, live = sheet
    bake(obj, mode, tolerance=TOLERANCE)
    path = export("GLTF", tmp_path / "sheet.glb")
    gltf = Gltf(path)
    weights = np.array([gltf.weights(0, frame / 24) for frame in FRAMES])
    assert weights.min() >= 0.0 and weights.max() <= 1.0
    for other in list(bpy.data.objects):
        bpy.data.objects.remove(other)
    bpy.ops.import_scene.gltf(filepath=str(path))
    (read,) = (other for other in bpy.data.objects if other.type == "MESH")
    for frame in FRAMES:
        # Its animations begin at frame 0, as those of the file do at 0 s.
        scene.frame_set(frame - 1)
        positions = evaluated_positions(read)
        assert largest_distance_from_nearest(positions, live[frame]) <= TOLERANCE + ROUNDING
        assert abs(positions[:, 2].min() - live[frame][:, 2].min()) <= TOLERANCE + ROUNDING


def test_a_bake_that_begins_before_frame_zero(scene, tmp_path):
    # glTF has no negative times, and Blender's exporter would leave those frames out without a word.
    obj = add_hooke(grid(), frame_start=-3, frame_end=4)
    bake(obj, "PRINCIPAL_SHAPES")
    with pytest.raises(RuntimeError, match=r"begins at frame -3, .* bake from frame 0 or later"):
        bpy.ops.hooke.export(format="GLTF", filepath=str(tmp_path / "sheet.glb"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.combined
@pytest.mark.parametrize("form", ["ALEMBIC", "USD"])
@pytest.mark.parametrize("mode", ["SHAPE_KEYS", "PRINCIPAL_SHAPES", "MESH_CACHE"])
def test_alembic_and_usd_hold_what_is_shown(form, mode, sheet, scene, tmp_path):
    obj, _ = sheet
    obj.modifiers.new("Displace", "DISPLACE").strength = 0.1
    obj.modifiers.new("Solidify", "SOLIDIFY")
    bake(obj, mode, tolerance=TOLERANCE)
    shown = play(obj, FRAMES)
    path = export(form, tmp_path / f"sheet{FORMATS[form].extension}")
    for other in list(bpy.data.objects):
        bpy.data.objects.remove(other)
    if form == "ALEMBIC":
        bpy.ops.wm.alembic_import(filepath=str(path), as_background_job=False)
    else:
        bpy.ops.wm.usd_import(filepath=str(path))
    (read,) = (other for other in bpy.data.objects if other.type == "MESH")
    for frame in FRAMES:
        scene.frame_set(frame)
        assert np.abs(evaluated_positions(read) - shown[frame]).max() <= ROUNDING


def test_exports_leave_the_scene_as_it_was(sheet, scene, tmp_path):
    obj, _ = sheet
    bake(obj, "PRINCIPAL_SHAPES")
    scene.frame_start, scene.frame_end, scene.use_preview_range = 3, 99, True
    scene.frame_set(7, subframe=0.25)
    for form in FORMATS.values():
        export(form.id, tmp_path / f"sheet{form.extension}")
        assert (scene.frame_start, scene.frame_end, scene.frame_current) == (3, 99, 7)
        assert scene.use_preview_range and scene.frame_subframe == 0.25
    assert bpy.context.object == obj and obj.select_get()


def test_only_selected_objects_unless_all_are_asked_for(sheet, tmp_path):
    obj, _ = sheet
    grid(name="Beside")
    bake(obj, "SHAPE_KEYS")
    names = {node["name"] for node in Gltf(export("GLTF", tmp_path / "one.glb")).document["nodes"]}
    assert names == {"Cloth"}
    export("GLTF", tmp_path / "all.glb", selected=False)
    assert {node["name"] for node in Gltf(tmp_path / "all.glb").document["nodes"]} == {"Beside", "Cloth"}


def test_what_cannot_be_exported_is_refused_in_a_sentence(sheet, tmp_path):
    obj, _ = sheet
    path = tmp_path / "sheet.glb"
    assert not bpy.ops.hooke.export.poll()
    bake(obj, "MESH_CACHE")
    with pytest.raises(
        RuntimeError, match="baked to a Mesh Cache, which glTF cannot hold: bake to Shape Keys or Principal"
    ):
        bpy.ops.hooke.export(format="GLTF", filepath=str(path))
    with pytest.raises(RuntimeError, match="give one as filepath"):
        bpy.ops.hooke.export(format="USD")
    activate(grid(name="Beside"))
    with pytest.raises(RuntimeError, match="nothing to export is baked"):
        bpy.ops.hooke.export(format="USD", filepath=str(path))
    clear_bake(obj)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_does_not_exist_is_said_to_be_the_reason(sheet, tmp_path):
    bake(sheet[0], "SHAPE_KEYS")
    for form in FORMATS.values():
        with pytest.raises(RuntimeError, match="no does not exist: create it"):
            bpy.ops.hooke.export(format=form.id, filepath=str(tmp_path / "no" / f"sheet{form.extension}"))


def test_gltf_says_where_an_older_bake_has_weights_below_zero(sheet):
    obj, _ = sheet
    bake(obj, "PRINCIPAL_SHAPES")
    assert FORMATS["GLTF"].warnings(obj, {obj}) == []
    obj.data.shape_keys.key_blocks["Hooke Shape 001"].slider_min = -1.0
    (warning,) = FORMATS["GLTF"].warnings(obj, {obj})
    assert "the bake of 'Cloth' has weights below 0" in warning


def test_an_export_replaces_an_export_and_nothing_else(sheet, tmp_path):
    bake(sheet[0], "SHAPE_KEYS")
    for form in FORMATS.values():
        for extension in form.extensions:
            path = tmp_path / f"sheet{extension}"
            for _ in range(2):
                export(form.id, path)
            (tmp_path / "notes").mkdir(exist_ok=True)
            mine, link = tmp_path / "notes" / f"mine{extension}", tmp_path / "notes" / f"link{extension}"
            mine.write_text("years of work", encoding="utf-8")
            link.symlink_to(path)
            before = path.read_bytes()
            fifo = tmp_path / "notes" / f"fifo{extension}"
            others = [(mine, "is not a"), (link, "is a link to")]
            if hasattr(os, "mkfifo"):
                os.mkfifo(fifo)
                others.append((fifo, "is a FIFO"))
            for other, reason in others:
                with pytest.raises(RuntimeError, match=reason):
                    bpy.ops.hooke.export(format=form.id, filepath=str(other))
            assert link.is_symlink() and fifo.is_fifo() == hasattr(os, "mkfifo")
            assert (mine.read_text(encoding="utf-8"), path.read_bytes()) == ("years of work", before)
    assert not [file.name for file in tmp_path.rglob("*") if "partial" in file.name]


def test_what_lies_beside_a_gltf_file_stays_unless_it_is_its_own(sheet, tmp_path):
    bake(sheet[0], "SHAPE_KEYS")
    (tmp_path / "sheet.bin").write_text("years of work", encoding="utf-8")
    with pytest.raises(RuntimeError, match=r"sheet.bin exists and is not a part of the glTF file of before"):
        bpy.ops.hooke.export(format="GLTF", filepath=str(tmp_path / "sheet.gltf"))
    assert [(file.name, file.read_text(encoding="utf-8")) for file in tmp_path.iterdir()] == [
        ("sheet.bin", "years of work")
    ]
