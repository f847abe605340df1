# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/bake.py as its users run it, with the bpy module: exit status, files."""

import json
import re
import sys
import tomllib
from pathlib import Path

import bpy
import numpy as np
import pytest

from hooke.addon.play import sessions

from .keyed_meshes import with_modifiers
from .scenes import add_hooke, bake, baked_keys, clear_bake, grid, key_positions, play, same_bits
from .script import ROOT, in_a_process, opened, run
from .snapshots import differences, snapshot

FRAMES = range(1, 13)


def live_positions(path, **settings):
    """What the object of the file shows live with these settings."""
    return play(add_hooke(opened(path), **settings), FRAMES)


@pytest.mark.nightly
def test_a_bake_into_another_file(file, folder):
    before = file.read_bytes()
    output, report = folder / "out.blend", folder / "report.json"
    arguments = ["--frames", "1-12", "--substeps", 4, "--iterations", 3, "--stiffness", 500, "--mass", 0.5]
    result = in_a_process(
        file, "--object", "Cloth", *arguments, "--pin-group", "Pin", "--output", output, "--report", report
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert file.read_bytes() == before
    assert sorted(path.name for path in folder.iterdir()) == ["cloth.blend", "out.blend", "report.json"]

    lines = [line for line in result.stdout.splitlines() if line.startswith("hooke: ")]
    assert lines[-1] == f"hooke: baked 12 frames of 'Cloth' into {output}"
    assert re.fullmatch(r"hooke: 'Cloth' to 12 shape keys, (exact to|largest error) [0-9.]+ mm", lines[-2])
    assert [line.split(",")[0] for line in lines[:-2]] == [f"hooke: frame {frame}" for frame in TENTHS]
    assert "100 %" in lines[-3]

    settings = {"substeps": 4, "iterations": 3, "stiffness": 500.0, "mass": 0.5}
    live = live_positions(file, **settings)
    running = sessions.find(bpy.context.object)
    figures = json.loads(report.read_text(encoding="utf-8"))
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    assert figures["object"] == "Cloth"
    assert (figures["frames"], figures["frame_start"], figures["frame_end"]) == (12, 1, 12)
    assert (figures["vertices"], figures["springs"]) == (25, running.network.spring_count)
    assert (figures["integrator"], figures["mode"]) == ("PROJECTIVE_DYNAMICS", "SHAPE_KEYS")
    assert (figures["substeps"], figures["iterations"]) == (4, 3)
    assert figures["ms_per_frame"] > 0.0
    assert figures["output"] == str(output)
    # Basis plus difference: one rounding of coordinates below 2 m.
    assert figures["shapes"] == 12 and 0.0 <= figures["largest_error"] < 4e-7
    assert figures["cache_file"] is None
    assert figures["versions"]["hooke"] == manifest["version"]
    assert figures["versions"]["blender"] == bpy.app.version_string
    assert figures["versions"]["numpy"] == np.__version__
    assert figures["versions"]["python"] == sys.version.split()[0]
    assert {"scipy", "linear_solver"} <= figures["versions"].keys()
    strains = [0.0]
    bpy.ops.hooke.reset()
    for frame in FRAMES[1:]:
        play(bpy.context.object, [frame])
        strains.append(running_strain(bpy.context.object))
    assert figures["largest_strain"] == max(strains) > 0.0

    obj = opened(output)
    assert {name: getattr(obj.hooke, name) for name in settings} == settings
    keys = baked_keys(obj)
    assert len(keys) == 12
    assert all(same_bits(key_positions(key), live[frame]) for frame, key in zip(FRAMES, keys, strict=True))
    for frame, shown in play(obj, FRAMES).items():
        assert np.abs(shown - live[frame]).max() <= 2e-6
    clear_bake(obj)
    assert obj.data.shape_keys is None
    assert same_bits(play(obj, FRAMES), live)


# Progress is told when another tenth of twelve frames is done.
TENTHS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)


def running_strain(obj):
    """Largest strain of the object's simulation now."""
    return sessions.find(obj).take.strain(-1)


def test_without_an_output_the_file_itself_is_saved(file, folder):
    result = run(file, "--object", "Cloth", "--frames", "3-7")
    assert (result.returncode, result.stderr) == (0, "")
    assert [path.name for path in folder.iterdir()] == ["cloth.blend"]
    obj = opened(file)
    assert [key.name for key in baked_keys(obj)] == [f"Hooke {frame:04d}" for frame in range(3, 8)]
    assert (obj.hooke.frame_start, obj.hooke.frame_end) == (3, 7)
    assert bpy.context.scene.frame_current == 1


def test_options_may_come_in_any_form(file):
    result = run(file, "--object=Cloth", "--frames=-2-4", "--integrator=SYMPLECTIC_EULER", "--stiffness=5e1")
    assert (result.returncode, result.stderr) == (0, "")
    obj = opened(file)
    assert obj.hooke.integrator == "SYMPLECTIC_EULER"
    assert (obj.hooke.frame_start, len(baked_keys(obj))) == (-2, 7)


def test_settings_in_the_file_stay_where_no_option_says_otherwise(scene, folder):
    add_hooke(grid(), stiffness=77.0, damping=0.25, frame_start=4, frame_end=9)
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "cloth.blend"))
    assert run(folder / "cloth.blend", "--object", "Cloth", "--mass", 3).returncode == 0
    settings = opened(folder / "cloth.blend").hooke
    assert (settings.stiffness, settings.damping, settings.mass) == (77.0, 0.25, 3.0)
    assert len(settings.bake.items) == 6 + 1
    assert (settings.bake.frame_start, settings.bake.frame_end) == (4, 9)


def test_a_second_bake_replaces_the_first(scene, folder):
    obj = add_hooke(with_modifiers())
    scene.frame_set(1)
    before = snapshot(obj)
    path = folder / "cloth.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    for options, keys in ((("--frames", "1-12"), 12), (("--frames", "2-5", "--stiffness", "50"), 4)):
        result = run(path, "--object", "Cloth", *options)
        assert (result.returncode, result.stderr) == (0, "")
        obj = opened(path)
        assert len(baked_keys(obj)) == keys
        assert ("hooke: replaces the bake of 'Cloth'" in result.stdout) == (keys == 4)
    clear_bake(obj)
    obj.hooke.frame_start, obj.hooke.frame_end, obj.hooke.stiffness = 1, 12, 1e4
    obj.hooke.measure, obj.hooke.material_name = "AREA", "Cotton"
    bpy.context.scene.frame_set(1)
    assert differences(before, snapshot(obj)) == []


def test_it_bakes_what_the_operator_bakes(file, folder):
    assert (
        run(file, "--object", "Cloth", "--frames", "1-12", "--output", folder / "out.blend").returncode == 0
    )
    obj = add_hooke(opened(file))
    bake(obj)
    by_operator = [key_positions(key) for key in baked_keys(obj)]
    by_script = [key_positions(key) for key in baked_keys(opened(folder / "out.blend"))]
    assert all(same_bits(a, b) for a, b in zip(by_operator, by_script, strict=True))


def test_an_object_of_another_scene(scene, folder):
    other = bpy.data.scenes.new("Other")
    obj = grid(name="There")
    scene.collection.objects.unlink(obj)
    other.collection.objects.link(obj)
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "scenes.blend"))
    result = run(folder / "scenes.blend", "--object", "There", "--frames", "1-12")
    assert (result.returncode, result.stderr) == (0, "")
    keys = bpy_keys(folder / "scenes.blend", "There")
    assert len(keys) == 12
    assert np.abs(keys[11] - keys[0]).max() > 0.05


def bpy_keys(path, name):
    """Points of the baked keys in a file."""
    bpy.ops.wm.open_mainfile(filepath=str(path))
    return [key_positions(key) for key in baked_keys(bpy.data.objects[name])]


def test_relative_paths_in_a_file_saved_elsewhere_still_lead_there(file, folder):
    obj = opened(file)
    image = bpy.data.images.new("Picture", 4, 4)
    image.filepath_raw, image.file_format = "//picture.png", "PNG"
    image.save()
    obj.data.materials.append(bpy.data.materials.new("Cloth"))
    image.use_fake_user = True
    bpy.ops.wm.save_mainfile()
    (folder / "elsewhere").mkdir()
    output = folder / "elsewhere" / "out.blend"
    assert run(file, "--object", "Cloth", "--frames", "1-3", "--output", output).returncode == 0
    opened(output)
    assert Path(bpy.path.abspath(bpy.data.images["Picture"].filepath)).resolve() == folder / "picture.png"


MISUSE = {
    "unknown mode": (["FILE", "--object", "Cloth", "--mode", "KEYS"], "invalid choice: 'KEYS'"),
    "no tolerance": (["FILE", "--object", "Cloth", "--tolerance", "0"], "'0' is out of range"),
    "tolerance beyond float32": (
        [
            "FILE",
            "--object",
            "Cloth",
            "--mode",
            "PRINCIPAL_SHAPES",
            "--tolerance",
            "1e-6",
            "--frames",
            "1-60",
            # Lively enough to need many shapes.
            "--air-drag",
            "0",
            "--stiffness",
            "1e4",
        ],
        "'Cloth': float32 shapes cannot keep the motion within 1e-06 m",
    ),
    "cache file of others": (
        ["FILE", "--object", "Cloth", "--mode", "MESH_CACHE", "--cache-file", "FILE"],
        "cloth.blend exists and is not from a bake of 'Cloth'",
    ),
    "no such file": (["nowhere.blend", "--object", "Cloth"], "cannot open nowhere.blend"),
    "no file": (["--object", "Cloth"], "no file is open|there is no object 'Cloth'"),
    "wrong object": (["FILE", "--object", "Flag"], "name one of its mesh objects, 'Cloth'"),
    "wrong frames": (["FILE", "--object", "Cloth", "--frames", "9-1"], "'9-1' is no frame range"),
    "unstable": (
        ["FILE", "--object", "Cloth", "--integrator", "SYMPLECTIC_EULER", "--stiffness", "1e6"],
        "diverged at .* substeps or Projective Dynamics",
    ),
}


@pytest.mark.sampled(9)
@pytest.mark.parametrize("case", MISUSE)
def test_misuse_ends_with_status_2_and_one_line(case, file, folder):
    arguments, sentence = MISUSE[case]
    before = file.read_bytes()
    bake_it = in_a_process if case in ("no file", "wrong object") else run
    result = bake_it(*[file if word == "FILE" else word for word in arguments])
    assert result.returncode == 2
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("hooke: ")
    assert re.search(sentence, lines[0])
    assert file.read_bytes() == before
    assert [path.name for path in folder.iterdir()] == ["cloth.blend"]


@pytest.mark.parametrize("content", [b"", b"this is no blend file", b"BLENDER-v405"])
def test_a_file_that_is_none(content, folder):
    path = folder / "broken.blend"
    path.write_bytes(content)
    result = run(path, "--object", "Cloth")
    assert result.returncode == 2
    assert [line for line in result.stderr.splitlines() if line.startswith("hooke: ")]
    assert path.read_bytes() == content


def test_help(file):
    result = in_a_process("--help")
    assert (result.returncode, result.stderr) == (0, "")
    assert "--object" in result.stdout
