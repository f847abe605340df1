# SPDX-License-Identifier: GPL-3.0-or-later
"""A bake's file is deleted only where the sidecar beside it says that it is this object's, whatever a record knows."""

from pathlib import Path

import bpy
import pytest

from hooke.addon import cli

from .hostile_records import PC2, contents, make_project, save_as_hostile
from .scenes import add_hooke, bake, clear_bake, grid


@pytest.fixture
def project(scene, tmp_path):
    """The folder of a file with a sheet baked to a Mesh Cache, saved without the cache's own folder."""
    return make_project(tmp_path / "project")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("content", [PC2, b"years of work"], ids=["PC2", "text"])
@pytest.mark.parametrize("ends", ["saved", "closed", "saved over"])
def test_a_file_stays_though_the_record_knows_its_content(ends, content, project):
    mine = project / "shot_hooke" / "Cloth.pc2"
    save_as_hostile(project, "//shot_hooke/Cloth.pc2", content)
    mine.parent.mkdir()
    mine.write_bytes(content)
    before = contents(project)
    blend = str(project / "shot.blend")
    if ends == "saved over":
        add_hooke(grid())
        bpy.ops.wm.save_as_mainfile(filepath=str(project / "other.blend"))
        assert cli.main(["bake", "--object", "Cloth", "--frames", "1-2", "--output", blend]) == 0
    else:
        bpy.ops.wm.open_mainfile(filepath=blend)
        clear_bake(bpy.data.objects["Cloth"])
        if ends == "saved":
            bpy.ops.wm.save_mainfile()
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert mine.read_bytes() == before[mine]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("named", ["Two", "One"], ids=["another's", "its own"])
def test_a_record_that_names_another_object_s_bake_deletes_nothing(named, scene, tmp_path):
    for name in ("One", "Two"):
        bake(add_hooke(grid(name=name)), "MESH_CACHE")
    blend = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=blend)
    one, records = (
        bpy.data.objects["One"],
        {name: bpy.data.objects[name].hooke.bake for name in ("One", "Two")},
    )
    (player,) = (modifier for modifier in one.modifiers if modifier.type == "MESH_CACHE")
    paths = {name: Path(bpy.path.abspath(f"//shot_hooke/{name}.pc2")) for name in records}
    player.filepath = f"//shot_hooke/{named}.pc2"
    one.hooke.bake.cache_digest = records[named].cache_digest
    # Nobody plays the other one's any more, as where it is another .blend's.
    bpy.data.objects.remove(bpy.data.objects["Two"])
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=blend)
    before = contents(tmp_path)
    clear_bake(bpy.data.objects["One"])
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert paths["Two"].read_bytes() == before[paths["Two"]]
    assert paths["One"].exists() == (named == "Two")


def test_a_sidecar_of_somebody_else_s_stays(scene, tmp_path):
    obj = add_hooke(grid())
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    (tmp_path / "shot_hooke").mkdir()
    mine = tmp_path / "shot_hooke" / "named.jsonl"
    mine.write_text("years of work", encoding="utf-8")
    bake(obj, "MESH_CACHE", filepath=str(mine.with_suffix(".pc2")))
    clear_bake(obj)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert mine.read_text(encoding="utf-8") == "years of work"
    assert mine.with_suffix(".pc2").is_file()


def test_a_sidecar_goes_with_its_bake(scene, tmp_path):
    obj = add_hooke(grid())
    bake(obj, "MESH_CACHE")
    blend = tmp_path / "shot.blend"
    # It comes along from the temporary folder.
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    left = {path.name for path in (tmp_path / "shot_hooke").iterdir()}
    assert {"Cloth.pc2", "Cloth.jsonl"} <= left
    clear_bake(obj)
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert {path.name for path in tmp_path.rglob("Cloth.*") if path.parent.name != "cache"} == set()
