# SPDX-License-Identifier: GPL-3.0-or-later
"""A dressed figure in every export, read back by Blender: the bake and all beside it are where the scene shows them."""

import struct

import bpy
import numpy as np
import pytest

from hooke.addon import exports
from hooke.addon.exports import FORMATS

from .gltf_reader import Gltf
from .rigged import NAMES, figure, shown
from .scenes import activate, add_hooke, bake, clear_bake, grid, play, same_bits
from .test_bake_exports import ROUNDING, largest_distance_from_nearest

# Productions begin there.
FRAMES = range(1001, 1009)
HELD = {"GLTF": ("Body", "Garment"), "ALEMBIC": NAMES, "USD": NAMES}
# At what frame Blender's importers put the first one.
FIRST = {"GLTF": 0, "ALEMBIC": 1001, "USD": 1001, "FBX": 1}
IMPORTERS = {
    "GLTF": lambda path: bpy.ops.import_scene.gltf(filepath=path),
    "ALEMBIC": lambda path: bpy.ops.wm.alembic_import(filepath=path, as_background_job=False),
    "USD": lambda path: bpy.ops.wm.usd_import(filepath=path),
    "FBX": lambda path: bpy.ops.import_scene.fbx(filepath=path),
}


def select(*objects):
    activate(objects[0])
    for obj in objects:
        obj.select_set(True)


def read_again(form, path, names):
    """What a file shows, read into an empty scene: dict (name, frame of the scene it was made of) -> positions."""
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    IMPORTERS[form](str(path))
    late = FRAMES[0] - FIRST[form]
    found = shown([frame - late for frame in FRAMES], names)
    return {(name, frame + late): positions for (name, frame), positions in found.items()}


def assert_same_surfaces(found, expected):
    for key, positions in found.items():
        assert largest_distance_from_nearest(positions, expected[key]) <= ROUNDING, key
        assert largest_distance_from_nearest(expected[key], positions) <= ROUNDING, key


def baked_figure(parented=True):
    """The figure with its garment baked, and what it shows: all of it is selected."""
    objects = figure(FRAMES, parented)
    live = shown(FRAMES)
    bake(objects["Garment"], "SHAPE_KEYS")
    expected = shown(FRAMES)
    for key in expected:
        assert np.abs(live[key] - expected[key]).max() <= ROUNDING
    select(*objects.values())
    return objects, expected


def sentences(form, objects):
    return exports.warnings(form, bpy.context.scene, list(objects))


@pytest.mark.combined
@pytest.mark.parametrize("selected", [True, False])
@pytest.mark.parametrize("parented", [True, False])
@pytest.mark.parametrize("form", FORMATS)
def test_every_format_holds_the_figure(form, parented, selected, scene, tmp_path):
    objects, expected = baked_figure(parented)
    told = sentences(form, objects.values())
    assert len(told) == (form == "GLTF")
    assert all("'Button' without 'Surface Deform'" in sentence for sentence in told)
    path = tmp_path / f"figure{FORMATS[form].extension}"
    assert bpy.ops.hooke.export(format=form, filepath=str(path), selected=selected) == {"FINISHED"}
    assert_same_surfaces(read_again(form, path, HELD[form]), expected)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("form", FORMATS)
def test_the_garment_alone(form, scene, tmp_path):
    objects, expected = baked_figure()
    activate(objects["Garment"])
    assert sentences(form, [objects["Garment"]]) == []
    path = tmp_path / f"garment{FORMATS[form].extension}"
    assert bpy.ops.hooke.export(format=form, filepath=str(path)) == {"FINISHED"}
    assert_same_surfaces(read_again(form, path, ["Garment"]), expected)


# Blender's own, each with the option that exports the selected alone. Of several animations in a glTF file its importer
# plays one; VRM, which is an add-on of others, looks for Armature modifiers as FBX and glTF do.
OWN = {
    "FBX": lambda path, selected: bpy.ops.export_scene.fbx(
        filepath=path, use_selection=selected, bake_anim_simplify_factor=0.0, add_leaf_bones=False
    ),
    "GLTF": lambda path, selected: bpy.ops.export_scene.gltf(
        filepath=path,
        use_selection=selected,
        export_animation_mode="ACTIVE_ACTIONS",
        export_optimize_animation_size=False,
    ),
    "ALEMBIC": lambda path, selected: bpy.ops.wm.alembic_export(
        filepath=path, selected=selected, as_background_job=False
    ),
    "USD": lambda path, selected: bpy.ops.wm.usd_export(
        filepath=path, selected_objects_only=selected, export_animation=True
    ),
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("selected", [True, False])
@pytest.mark.parametrize("form", OWN)
def test_blender_s_own_exporters_hold_the_figure(form, selected, scene, monkeypatch, tmp_path):
    _, expected = baked_figure()
    # Hooke's glTF begins at zero.
    monkeypatch.setitem(FIRST, "GLTF", FRAMES[0])
    names = NAMES if form in ("ALEMBIC", "USD") else ("Body", "Garment")
    path = tmp_path / f"figure{({'FBX': '.fbx', 'GLTF': '.glb', 'ALEMBIC': '.abc', 'USD': '.usdc'})[form]}"
    assert OWN[form](str(path), selected) == {"FINISHED"}
    assert_same_surfaces(read_again(form, path, names), expected)


def test_the_file_of_a_mesh_cache_holds_the_garment(scene, tmp_path):
    garment = figure(FRAMES)["Garment"]
    live = play(garment, FRAMES)
    bake(garment, "MESH_CACHE", filepath=str(tmp_path / "garment.pc2"))
    content = (tmp_path / "garment.pc2").read_bytes()
    signature, version, count, start, rate, samples = struct.unpack("<12siiffi", content[:32])
    assert (signature, version, start, rate) == (b"POINTCACHE2\0", 1, FRAMES[0], 1.0)
    positions = np.frombuffer(content[32:], "<f4").reshape(samples, count, 3)
    assert len(positions) == len(FRAMES)
    assert all(same_bits(each, live[frame]) for each, frame in zip(positions, FRAMES, strict=True))
    assert same_bits(play(garment, FRAMES), live)


def test_the_times_of_a_gltf_begin_at_zero(scene, tmp_path):
    baked_figure()
    path = tmp_path / "figure.glb"
    bpy.ops.hooke.export(format="GLTF", filepath=str(path))
    gltf = Gltf(path)
    (animation,) = gltf.document["animations"]
    for sampler in animation["samplers"]:
        times = gltf.accessor(sampler["input"])[:, 0]
        assert times == pytest.approx(np.arange(len(FRAMES)) / scene.render.fps, abs=1e-6)


def test_clearing_gives_the_rig_back(scene):
    objects, _ = baked_figure()
    armature = objects["Garment"].modifiers["Armature"]
    assert armature.object is None and not armature.show_viewport
    clear_bake(objects["Garment"])
    armature = objects["Garment"].modifiers["Armature"]
    assert armature.object == objects["Rig"] and armature.show_viewport


def test_removing_hooke_from_a_bake_names_the_rig(scene, capfd):
    objects, expected = baked_figure()
    activate(objects["Garment"])
    capfd.readouterr()
    bpy.ops.hooke.remove()
    assert "'Armature' of 'Garment' stays turned off, without its rig 'Rig'" in capfd.readouterr().out
    assert_same_surfaces(shown(FRAMES, ["Garment"]), expected)


def test_a_rig_on_a_bake_is_refused(scene, tmp_path):
    # Bakes of earlier versions have it.
    objects, _ = baked_figure()
    objects["Garment"].modifiers["Armature"].object = objects["Rig"]
    with pytest.raises(RuntimeError, match=r"'Armature' of 'Garment' .* clear the bake and bake anew"):
        bpy.ops.hooke.export(format="GLTF", filepath=str(tmp_path / "figure.glb"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", ["ALEMBIC", "USD"])
def test_a_bake_that_renders_do_not_show_is_refused(form, scene, tmp_path):
    obj = add_hooke(grid())
    bake(obj)
    obj.hide_render = True
    with pytest.raises(RuntimeError, match="'Cloth' is hidden in renders"):
        bpy.ops.hooke.export(format=form, filepath=str(tmp_path / "sheet"))


def rig_is_left_out(objects):
    objects.pop("Rig")
    return "'Body' unmoved by its rig 'Rig': export that too"


def rig_is_turned_off(objects):
    modifier = objects["Body"].modifiers["Armature"]
    modifier.show_viewport = modifier.show_render = False
    return "'Body' moved by 'Armature', which is turned off"


def second_skin(objects):
    objects["Body"].modifiers.new("Again", "ARMATURE").object = objects["Rig"]
    return "'Body' without 'Armature': a mesh in it has one skin"


def volume_is_preserved(objects):
    objects["Body"].modifiers["Armature"].use_deform_preserve_volume = True
    return "'Body' without Preserve Volume of 'Armature'"


def modifier_below(objects):
    objects["Garment"].modifiers.new("Solidify", "SOLIDIFY")
    return "the mesh of 'Garment' without 'Solidify'"


def not_baked(objects):
    objects["Sheet"] = add_hooke(grid(name="Sheet"))
    return "'Sheet' as if it were not simulated"


def keys_are_absolute(objects):
    objects["Body"].shape_key_add(name="Basis")
    objects["Body"].data.shape_keys.use_relative = False
    return "'Body' without its absolute shape keys"


def key_has_a_group(objects):
    objects["Body"].shape_key_add(name="Basis")
    objects["Body"].shape_key_add(name="Up").vertex_group = "upper"
    return "'Up' of 'Body' for all vertices"


def parent_deforms(objects):
    objects["Body"].modifiers.remove(objects["Body"].modifiers["Armature"])
    objects["Body"].parent_type = "ARMATURE"
    return "'Body' undeformed by its parent 'Rig'"


def sheared(objects):
    objects["Rig"].scale.x = 3.0
    objects["Body"].rotation_euler.z = 0.5
    bpy.context.view_layer.update()
    objects.pop("Rig")
    objects["Body"].modifiers.remove(objects["Body"].modifiers["Armature"])
    return "'Body' without the shear"


def curve(objects):
    objects["Path"] = bpy.data.objects.new("Path", bpy.data.curves.new("Path", "CURVE"))
    return "'Path' as a mesh that does not change"


NAMED = (
    rig_is_left_out,
    rig_is_turned_off,
    second_skin,
    volume_is_preserved,
    modifier_below,
    not_baked,
    keys_are_absolute,
    key_has_a_group,
    parent_deforms,
    sheared,
    curve,
)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("change", NAMED, ids=lambda change: change.__name__)
def test_what_gltf_holds_otherwise_is_named(change, scene):
    objects, _ = baked_figure()
    del objects["Button"]
    # What garments lie on is nothing to tell.
    objects["Body"].modifiers.new("Collision", "COLLISION")
    assert sentences("GLTF", objects.values()) == []
    words = change(objects)
    told = sentences("GLTF", objects.values())
    assert len(told) == 1 and words in told[0]
