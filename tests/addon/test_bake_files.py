# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of Mesh Cache bakes: where they lie, whose they are, and that none is lost."""

import struct
from pathlib import Path

import bpy
import numpy as np
import pytest

import hooke
from hooke.addon import bakes
from hooke.addon.bakes import files

from .keyed_meshes import with_modifiers
from .scenes import activate, add_hooke, bake, clear_bake, grid, play, same_bits

FRAMES = range(1, 13)


def save(path):
    """Save the open file under a name."""
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def cache(obj):
    """The bake's modifier."""
    (name,) = (item.name for item in obj.hooke.bake.items if item.kind == "CACHE")
    return obj.modifiers[name]


def cache_path(obj):
    """The file it plays."""
    return Path(bpy.path.abspath(cache(obj).filepath))


@pytest.fixture
def saved(scene, tmp_path):
    """A simulated object in a saved file."""
    obj = add_hooke(grid())
    save(tmp_path / "shot.blend")
    return obj


def test_the_file_lies_beside_the_blend_and_holds_the_frames(saved, tmp_path):
    live = play(saved, FRAMES)
    bake(saved, "MESH_CACHE")
    assert cache(saved).filepath == "//shot_hooke/Cloth.pc2"
    content = (tmp_path / "shot_hooke" / "Cloth.pc2").read_bytes()
    header = struct.unpack_from("<12siiffi", content)
    assert header == (b"POINTCACHE2\0", 1, 25, 1.0, 1.0, 12)
    frames = np.frombuffer(content, "<f4", offset=32).reshape(12, 25, 3)
    assert all(same_bits(frames[frame - 1], live[frame]) for frame in FRAMES)
    assert [path.name for path in (tmp_path / "shot_hooke").glob("*.pc2")] == ["Cloth.pc2"]


def test_playback_is_exact_at_frames_between_them_and_outside(saved, scene):
    saved.hooke.frame_start = 3
    live = play(saved, range(3, 13))
    bake(saved, "MESH_CACHE")
    for frame, shown in play(saved, FRAMES).items():
        assert same_bits(shown, live[max(frame, 3)])
    assert same_bits(play(saved, [30])[30], live[12])
    scene.frame_set(5, subframe=0.25)
    (between,) = play_here(saved)
    assert np.abs(between - (0.75 * live[5] + 0.25 * live[6])).max() <= 1e-7


def play_here(obj):
    """What is shown at the current time."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    depsgraph.update()
    points = np.empty(75, dtype=np.float32)
    obj.evaluated_get(depsgraph).data.attributes["position"].data.foreach_get("vector", points)
    return [points.reshape(-1, 3)]


def test_modifiers_stay_on_and_the_cache_stands_in_hooke_s_place(scene, tmp_path):
    obj = add_hooke(with_modifiers())
    names = [modifier.name for modifier in obj.modifiers]
    visible = {m.name: (m.show_viewport, m.show_render) for m in obj.modifiers if m.name != "Hooke"}
    bake(obj, "MESH_CACHE")
    at = names.index("Hooke") + 1
    assert [m.name for m in obj.modifiers] == [*names[:at], cache(obj).name, *names[at:]]
    assert {
        name: (obj.modifiers[name].show_viewport, obj.modifiers[name].show_render) for name in visible
    } == visible
    assert not obj.modifiers["Hooke"].show_viewport and not obj.modifiers["Hooke"].show_render


def test_a_file_opened_again_plays_without_hooke(saved, tmp_path):
    live = play(saved, FRAMES)
    bake(saved, "MESH_CACHE")
    bpy.ops.wm.save_mainfile()
    hooke.unregister()
    try:
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
        assert same_bits(play(bpy.data.objects["Cloth"], FRAMES), live)
    finally:
        hooke.register()


def test_other_files_are_never_written_over(saved, tmp_path):
    folder = tmp_path / "shot_hooke"
    folder.mkdir()
    (folder / "Cloth.pc2").write_bytes(b"mine")
    bake(saved, "MESH_CACHE")
    assert cache(saved).filepath == "//shot_hooke/Cloth.001.pc2"
    assert (folder / "Cloth.pc2").read_bytes() == b"mine"


def test_a_file_that_is_named_by_the_artist(saved, tmp_path):
    activate(saved)
    bake(saved, "MESH_CACHE", filepath=str(tmp_path / "named.pc2"))
    assert cache(saved).filepath == "//named.pc2"
    clear_bake(saved)
    # The object's own last file may be written again, other files may not.
    bake(saved, "MESH_CACHE", filepath=str(tmp_path / "named.pc2"))
    clear_bake(saved)
    (tmp_path / "other.pc2").write_bytes(b"mine")
    with pytest.raises(RuntimeError, match=r"other.pc2 exists and is not from a bake of 'Cloth'"):
        bpy.ops.hooke.bake(mode="MESH_CACHE", filepath=str(tmp_path / "other.pc2"))
    with pytest.raises(RuntimeError, match="is a folder"):
        bpy.ops.hooke.bake(mode="MESH_CACHE", filepath="//")
    with pytest.raises(RuntimeError, match=r"the folder of .*no.other.pc2 does not exist"):
        bpy.ops.hooke.bake(mode="MESH_CACHE", filepath="//no/other.pc2")
    assert (tmp_path / "other.pc2").read_bytes() == b"mine"
    assert not saved.hooke.bake.exists


def test_a_file_another_object_plays_is_refused(saved, tmp_path):
    bake(saved, "MESH_CACHE", filepath=str(tmp_path / "named.pc2"))
    other = add_hooke(grid(name="Other"))
    other.hooke.bake.cache_file = str(tmp_path / "named.pc2")
    with pytest.raises(RuntimeError, match=r"named.pc2 is played by another object"):
        bpy.ops.hooke.bake(mode="MESH_CACHE", filepath=str(tmp_path / "named.pc2"))


def test_objects_of_one_name_in_clean_letters_get_two_files(saved, tmp_path):
    for name in ("A/B", "A:B"):
        bake(add_hooke(grid(name=name)), "MESH_CACHE")
    assert sorted(path.name for path in (tmp_path / "shot_hooke").glob("*.pc2")) == ["A_B.001.pc2", "A_B.pc2"]


def test_a_file_that_cannot_be_written_leaves_all_as_it_was(saved, tmp_path):
    (tmp_path / "shot_hooke").write_bytes(b"a file where the folder should be")
    with pytest.raises(RuntimeError, match="the cache of 'Cloth' cannot be written"):
        bpy.ops.hooke.bake(mode="MESH_CACHE")
    assert not saved.hooke.bake.exists and len(saved.modifiers) == 1
    assert saved.modifiers["Hooke"].show_viewport


def test_unsaved_it_lies_elsewhere_until_the_file_is_saved(scene, tmp_path):
    obj = add_hooke(grid())
    frames = list(play(obj, FRAMES).values())
    (warning,) = bakes.make(obj, "MESH_CACHE", frames, 1).warnings
    assert "temporary folder until the file is saved" in warning
    temporary = cache_path(obj)
    assert temporary.is_file()
    blend = save(tmp_path / "shot.blend")
    # With the system's separators: Blender made it relative.
    assert cache(obj).filepath.startswith("//") and cache_path(obj) == tmp_path / "shot_hooke" / "Cloth.pc2"
    assert all(same_bits(shown, frames[i]) for i, shown in enumerate(play(obj, FRAMES).values()))
    # Undoing to before the save still finds its file; a newly opened file needs only its own.
    assert temporary.is_file()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert not temporary.exists()
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    shown = play(bpy.data.objects["Cloth"], FRAMES)
    assert all(same_bits(positions, frames[i]) for i, positions in enumerate(shown.values()))


def test_a_cleared_file_goes_when_nothing_can_bring_it_back(saved, tmp_path):
    bake(saved, "MESH_CACHE")
    path = cache_path(saved)
    clear_bake(saved)
    assert path.is_file()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    assert not path.exists()


def test_a_cleared_file_stays_while_the_blend_on_disk_plays_it(saved, tmp_path):
    bake(saved, "MESH_CACHE")
    path = cache_path(saved)
    bpy.ops.wm.save_mainfile()
    clear_bake(saved)
    save_copy = str(tmp_path / "copy.blend")
    bpy.ops.wm.save_as_mainfile(filepath=save_copy, copy=True)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    assert path.is_file()
    obj = bpy.data.objects["Cloth"]
    clear_bake(obj)
    bpy.ops.wm.save_mainfile()
    assert path.is_file()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert not path.exists()


def test_a_version_saved_under_another_name_leaves_the_first_one_its_file(saved, tmp_path):
    live = play(saved, FRAMES)
    bake(saved, "MESH_CACHE")
    bpy.ops.wm.save_mainfile()
    clear_bake(saved)
    save(tmp_path / "shot_v2.blend")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    assert same_bits(play(bpy.data.objects["Cloth"], FRAMES), live)


def test_files_that_the_artist_placed_are_never_deleted(saved, tmp_path):
    bake(saved, "MESH_CACHE", filepath=str(tmp_path / "named.pc2"))
    clear_bake(saved)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert (tmp_path / "named.pc2").is_file()


def test_a_copy_that_cannot_be_made_leaves_the_cache_where_it_is(scene, tmp_path, capfd):
    obj = add_hooke(grid())
    bake(obj, "MESH_CACHE")
    temporary = cache_path(obj)
    (tmp_path / "shot_hooke").write_bytes(b"")
    files.before_save(str(tmp_path / "shot.blend"))
    assert "cannot be copied beside" in capfd.readouterr().err
    assert cache_path(obj) == temporary and temporary.is_file()
