# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes of files that somebody else wrote: what a record names is neither deleted nor written over on its word."""

from pathlib import Path

import bpy
import pytest

from hooke.addon import bakes, cli

from .full_disk import files_up_to, make_large
from .hostile_records import PC2, contents, make_project, save_as_hostile
from .keyed_meshes import KEYED_MESHES
from .scenes import activate, add_hooke, bake, clear_bake, fcurves, grid, link, play
from .snapshots import differences, snapshot

FRAMES = range(1, 13)


def as_before(before):
    """Whether every file is as it was; before: what `contents` gave."""
    return {path: path.read_bytes() for path in before if path.is_file()} == before


@pytest.fixture
def others(tmp_path):
    """A folder with files of other people's."""
    folder = tmp_path / "others"
    folder.mkdir()
    for name in ("Cloth.pc2", "Cloth.jsonl", "Cloth.state0", "Cloth.001.pc2", "notes.txt"):
        (folder / name).write_bytes(PC2 if name.endswith("pc2") else b"mine")
    return folder


def absolute(project, others):
    """A path into the others' folder."""
    return str(others / "Cloth.pc2")


def relative(project, others):
    """A path that climbs out of the project."""
    return "//../others/Cloth.pc2"


def climbing(project, others):
    """The same, through Hooke's folder."""
    return "//shot_hooke/../../others/Cloth.pc2"


def linked_folder(project, others):
    """Hooke's folder is a link to the others'."""
    (project / "shot_hooke").symlink_to(others)
    return "//shot_hooke/Cloth.pc2"


def linked_file(project, others):
    """The bake's file is a link to one of the others'."""
    (project / "shot_hooke").mkdir()
    (project / "shot_hooke" / "Cloth.pc2").symlink_to(others / "Cloth.pc2")
    return "//shot_hooke/Cloth.pc2"


def linked_names(project, others):
    """The names that a bake would take are links, one of them to nothing."""
    (project / "shot_hooke").mkdir()
    for name in ("Cloth.001.pc2", "Cloth.002.pc2.partial", "Cloth.pc2.partial"):
        (project / "shot_hooke" / name).symlink_to(others / "Cloth.pc2")
    (project / "shot_hooke" / "Cloth.pc2").symlink_to(others / "missing.pc2")
    return "//shot_hooke/Cloth.pc2"


def through_a_linked_folder(project, others):
    """A folder within Hooke's is a link to the others'."""
    (project / "shot_hooke").mkdir()
    (project / "shot_hooke" / "deeper").symlink_to(others)
    return "//shot_hooke/deeper/Cloth.pc2"


PATHS = (
    absolute,
    relative,
    climbing,
    linked_folder,
    linked_file,
    linked_names,
    through_a_linked_folder,
)


@pytest.fixture
def project(scene, tmp_path):
    """The folder of a file with a sheet baked to a Mesh Cache, saved without the cache's own folder."""
    return make_project(tmp_path / "project")


@pytest.mark.sampled(7)
@pytest.mark.parametrize("path_of", PATHS, ids=lambda path_of: path_of.__name__)
def test_files_of_others_stay_as_they_are(path_of, project, others, tmp_path):
    save_as_hostile(project, path_of(project, others))
    before = contents(others)
    bpy.ops.wm.open_mainfile(filepath=str(project / "shot.blend"))
    obj = bpy.data.objects["Cloth"]
    activate(obj)
    play(obj, FRAMES)
    assert bpy.ops.hooke.export(format="USD", filepath=str(tmp_path / "out.usdc")) == {"FINISHED"}
    clear_bake(obj)
    for mode in ("MESH_CACHE", "SHAPE_KEYS", "MESH_CACHE"):
        try:
            bake(obj, mode)
        except RuntimeError as error:
            # Behind a linked folder nothing is written, and it says so.
            assert path_of is linked_folder and "is a link, which Hooke does not follow" in str(error)
            continue
        assert as_before(before)
        bpy.ops.wm.save_mainfile()
        clear_bake(obj)
    bpy.ops.wm.save_as_mainfile(filepath=str(project / "again.blend"), copy=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(project / "shot.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert as_before(before)


def test_a_file_in_hooke_s_folder_that_no_bake_wrote_stays(project, others):
    mine = project / "shot_hooke" / "Cloth.pc2"
    save_as_hostile(project, "//shot_hooke/Cloth.pc2", content=b"something else")
    mine.parent.mkdir()
    mine.write_bytes(PC2)
    bpy.ops.wm.open_mainfile(filepath=str(project / "shot.blend"))
    obj = bpy.data.objects["Cloth"]
    clear_bake(obj)
    bake(obj, "MESH_CACHE")
    clear_bake(obj)
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert mine.read_bytes() == PC2


def test_a_file_the_artist_names_is_only_replaced_where_the_bake_wrote_it(scene, others, tmp_path):
    obj = add_hooke(grid())
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    obj.hooke.bake.cache_file = str(others / "Cloth.pc2")
    with pytest.raises(RuntimeError, match=r"Cloth.pc2 exists and is not from a bake of 'Cloth'"):
        bpy.ops.hooke.bake(mode="MESH_CACHE", filepath=str(others / "Cloth.pc2"))
    assert (others / "Cloth.pc2").read_bytes() == PC2
    bake(obj, "MESH_CACHE", filepath=str(tmp_path / "named.pc2"))
    clear_bake(obj)
    (tmp_path / "named.pc2").write_bytes(PC2)
    with pytest.raises(RuntimeError, match=r"named.pc2 exists and is not from a bake of 'Cloth'"):
        bpy.ops.hooke.bake(mode="MESH_CACHE", filepath=str(tmp_path / "named.pc2"))


def test_an_empty_folder_the_artist_made_stays(scene, tmp_path):
    add_hooke(grid())
    make_large()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "in.blend"))
    mine = tmp_path / "mine_hooke"
    mine.mkdir()
    arguments = [
        "--mode",
        "MESH_CACHE",
        "--cache-file",
        mine / "named.pc2",
        "--output",
        tmp_path / "out.blend",
    ]
    with files_up_to(20_000):
        assert cli.main(["bake", "--object", "Cloth", "--frames", "1-3", *map(str, arguments)]) == 1
    assert mine.is_dir() and not any(mine.iterdir())


@pytest.mark.combined
@pytest.mark.parametrize("mode", ["SHAPE_KEYS", "PRINCIPAL_SHAPES", "MESH_CACHE"])
@pytest.mark.parametrize("build", KEYED_MESHES, ids=lambda build: build.__name__)
def test_clearing_a_record_that_names_what_is_the_user_s_removes_nothing(build, mode, scene, tmp_path):
    obj = add_hooke(build())
    obj.modifiers.new("Walk", "MESH_CACHE").filepath = str(tmp_path / "walk.pc2")
    keys = obj.data.shape_keys
    scene.frame_set(1)
    before = snapshot(obj)
    record = obj.hooke.bake
    named = [("KEY", key.name) for key in (keys.key_blocks if keys is not None else ())]
    named += [("CACHE", modifier.name) for modifier in obj.modifiers] + [("KEY", "None"), ("CACHE", "None")]
    for kind, name in named:
        item = record.items.add()
        item.kind, item.name = kind, name
    record.mode = mode
    record.active_shape_key_index, record.show_only_shape_key = obj.active_shape_key_index, False
    record.had_shape_keys = record.had_animation_data = record.had_action = False
    clear_bake(obj)
    after = snapshot(obj)
    # Animation data that holds nothing is nothing of the user's; which action it had last is Blender's to remember.
    lost = [
        line
        for line in differences(before, after)
        if "last_slot_identifier" not in line and build.__name__ != "with_empty_animation_data"
    ]
    assert lost == []
    assert not record.exists


def test_a_bake_that_is_linked_is_not_cleared(scene, tmp_path):
    obj = add_hooke(grid(name="There"))
    bake(obj, "SHAPE_KEYS")
    library = str(tmp_path / "library.blend")
    bpy.data.libraries.write(library, {obj})
    bpy.data.objects.remove(obj)
    with bpy.data.libraries.load(library, link=True) as (_, data):
        data.objects = ["There"]
    activate(link(data.objects[0]))
    with pytest.raises(RuntimeError, match=r"'There' is linked from .*: make it local first"):
        bpy.ops.hooke.clear_bake()
    local = bpy.data.objects.new("Here", data.objects[0].data)
    activate(link(local))
    local.hooke.enabled = True
    local.hooke.bake.items.add()
    with pytest.raises(RuntimeError, match=r"'There' is linked from .*: make it local first"):
        bpy.ops.hooke.clear_bake()
    assert len(local.data.shape_keys.key_blocks) == 13


def test_an_action_of_another_object_stays(scene):
    other = grid(name="Other").data
    for name in ("Basis", "Hooke 0003"):
        bpy.data.objects["Other"].shape_key_add(name=name, from_mix=False)
    other.shape_keys.key_blocks["Hooke 0003"].keyframe_insert("value", frame=1)
    obj = add_hooke(grid())
    bake(obj, "SHAPE_KEYS")
    animation, others = obj.data.shape_keys.animation_data, other.shape_keys.animation_data
    animation.action = others.action
    if hasattr(animation, "action_slot"):
        animation.action_slot = others.action_slot
    clear_bake(obj)
    assert [curve.data_path for curve in fcurves(other.shape_keys)] == ['key_blocks["Hooke 0003"].value']


@pytest.mark.parametrize("number", [77, -1])
def test_a_mode_that_is_none_is_said(number, scene):
    obj = add_hooke(grid())
    bake(obj, "SHAPE_KEYS")
    obj.hooke.bake["mode"] = number
    sentence = "the bake of 'Cloth' is of a mode that this version of Hooke does not have: update Hooke, or remove it"
    assert sentence in bakes.summary(obj)
    with pytest.raises(RuntimeError, match=sentence):
        bpy.ops.hooke.clear_bake()
    with pytest.raises(RuntimeError, match=sentence):
        bpy.ops.hooke.export(format="GLTF", filepath=str(Path(bpy.app.tempdir) / "out.glb"))
    assert len(obj.data.shape_keys.key_blocks) == 13
    assert bpy.ops.hooke.remove() == {"FINISHED"}
    assert len(obj.data.shape_keys.key_blocks) == 13
