# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes saved by the command line: whole or not at all, under names of any length, and nothing is left over."""

import json
from pathlib import Path

import bpy
import pytest

from hooke.addon import cli

from .full_disk import files_up_to, make_large
from .scenes import add_hooke, bake, baked_keys, clear_bake, grid, play, same_bits
from .script import opened

FRAMES = range(1, 13)


def files_of(folder):
    """Paths of all files in a folder, relative to it."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_full_disk_is_named_and_the_frames_are_kept(file, folder, capfd):
    opened(file)
    make_large()
    bpy.ops.wm.save_mainfile()
    before, output, report = file.read_bytes(), folder / "out.blend", folder / "report.json"
    arguments = ["bake", "--object", "Cloth", "--frames", "1-12", "--output", str(output)]
    capfd.readouterr()
    with files_up_to(20_000):
        assert cli.main(arguments) == 1
    (error,) = capfd.readouterr().err.splitlines()
    assert error.startswith(
        f"hooke: {output} cannot be written (File too large): free space or choose another folder"
    )
    assert "12 simulated frames are kept" in error
    assert file.read_bytes() == before
    assert [name for name in files_of(folder) if "hooke" not in name] == ["cloth.blend", "cloth.blend1"]
    opened(file)
    assert cli.main([*arguments, "--report", str(report)]) == 0
    assert json.loads(report.read_text(encoding="utf-8"))["frames_from_cache"] == 11
    assert len(baked_keys(opened(output))) == 12


@pytest.mark.sampled(2)
@pytest.mark.parametrize("placed", [False, True], ids=["beside", "named"])
def test_baking_again_into_the_same_output_leaves_one_cache(placed, file, folder):
    output = folder / "out.blend"
    named = folder / "named.pc2"
    arguments = ["bake", "--object", "Cloth", "--frames", "1-12", "--output", str(output)]
    arguments += ["--cache-file", str(named)] if placed else []
    for stiffness in ("100", "5000", "700"):
        live = play(add_hooke(opened(file), stiffness=float(stiffness), frame_end=12), FRAMES)
        opened(file)
        assert cli.main([*arguments, "--mode", "MESH_CACHE", "--stiffness", stiffness]) == 0
        obj = opened(output)
        assert same_bits(play(obj, FRAMES), live)
        left = [name for name in files_of(folder) if name.endswith(".pc2")]
        if placed:
            assert left == ["named.pc2"]
            # Files the artist placed are the artist's to remove.
            named.unlink()
        else:
            plays = Path(bpy.path.abspath(obj.modifiers[-1].filepath))
            assert left == [plays.relative_to(folder).as_posix()]
    opened(file)
    assert cli.main([*arguments[:7], "--mode", "SHAPE_KEYS"]) == 0
    assert [name for name in files_of(folder) if name.endswith(".pc2")] == []
    assert not (folder / "out_hooke").exists()


def test_what_another_object_of_the_output_plays_stays(scene, folder):
    for name in ("One", "Two"):
        add_hooke(grid(name=name), frame_end=12)
    output = folder / "out.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "in.blend"))
    for name in ("One", "Two"):
        assert cli.main(["bake", "--object", name, "--mode", "MESH_CACHE", "--output", str(output)]) == 0
        opened(output if name == "One" else folder / "in.blend", name)
    assert cli.main(["bake", "--object", "One", "--mode", "MESH_CACHE", "--output", str(output)]) == 0
    obj = opened(output, "One")
    live = play(obj, FRAMES)
    clear_bake(obj)
    assert same_bits(play(obj, FRAMES), live)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("letter", ["n", "ä"])
def test_a_file_name_as_long_as_file_systems_take(letter, scene, folder):
    stem = letter * (240 // len(letter.encode()))
    path = folder / f"{stem}.blend"
    obj = add_hooke(grid(), frame_end=12)
    live = play(obj, FRAMES)
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    for mode in ("MESH_CACHE", "SHAPE_KEYS"):
        opened(path)
        assert cli.main(["bake", "--object", "Cloth", "--mode", mode]) == 0
        shown = play(opened(path), FRAMES)
        assert all(abs(shown[frame] - live[frame]).max() < 1e-6 for frame in FRAMES)
    assert [name for name in files_of(folder) if "/cache/" not in name] == [path.name]


# As long as Blender lets a name be, in letters of one, two and three bytes.
LONGEST = 255 if bpy.app.version >= (5, 0) else 63


@pytest.mark.sampled(3)
@pytest.mark.parametrize("letter", ["n", "ä", "布"])
def test_object_names_as_long_as_blender_takes(letter, scene, folder):
    name = letter * ((LONGEST - 1) // len(letter.encode()))
    twins = [add_hooke(grid(name=name), frame_end=12), add_hooke(grid(name=name[:-1] + "/"), frame_end=12)]
    assert len(name.encode()) > LONGEST - 4
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "shot.blend"))
    live = [play(obj, FRAMES) for obj in twins]
    for mode in ("MESH_CACHE", "SHAPE_KEYS"):
        for obj in twins:
            bake(obj, mode)
        shown = [play(obj, FRAMES) for obj in twins]
        assert all(abs(shown[i][frame] - live[i][frame]).max() < 1e-6 for i in (0, 1) for frame in FRAMES)
        for obj in twins:
            clear_bake(obj)
    bpy.ops.wm.save_mainfile()
    assert cli.main(["bake", "--object", name, "--mode", "MESH_CACHE"]) == 0
    assert same_bits(play(opened(folder / "shot.blend", name), FRAMES), live[0])


@pytest.mark.nightly
def test_a_named_cache_that_could_not_be_replaced_is_as_before(file, folder):
    named, arguments = (
        folder / "named.pc2",
        ["bake", "--object", "Cloth", "--frames", "1-12", "--mode", "MESH_CACHE"],
    )
    arguments += ["--cache-file", str(folder / "named.pc2")]
    opened(file)
    assert cli.main(arguments) == 0
    opened(file)
    make_large()
    bpy.ops.wm.save_mainfile()
    before = named.read_bytes(), file.read_bytes()
    opened(file)
    with files_up_to(20_000):
        assert cli.main([*arguments, "--stiffness", "50"]) == 1
    assert (named.read_bytes(), file.read_bytes()) == before
    opened(file)
    assert cli.main([*arguments, "--stiffness", "50"]) == 0
    assert named.read_bytes() != before[0]
    assert [name for name in files_of(folder) if "named" in name] == ["named.pc2"]
