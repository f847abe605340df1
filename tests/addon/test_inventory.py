# SPDX-License-Identifier: GPL-3.0-or-later
"""`hooke info` lists what is simulated, cached, baked and stale, and changes nothing."""

import json

import bpy
import pytest

from hooke.addon import cli
from hooke.addon.play import inventory, sessions

from .scenes import add_hooke, bake, evaluated_positions, grid, pin, play, same_bits, swing


def entry(name="Cloth"):
    """What is told of an object."""
    return next(told for told in inventory.inventory()["objects"] if told["object"] == name)


@pytest.fixture
def cloth(scene):
    """A swinging sheet, played to frame 8."""
    obj = grid()
    swing(obj)
    add_hooke(obj)
    play(obj, range(1, 9))
    return obj


def test_what_is_simulated_is_listed(cloth):
    grid(name="Not Simulated")
    told = inventory.inventory()
    assert [other["object"] for other in told["objects"]] == ["Cloth"]
    assert entry() == {
        "object": "Cloth",
        "scene": "Scene",
        "vertices": 25,
        "frame_start": 1,
        "frame_end": 12,
        "pin_group": "Pin",
        "integrator": "PROJECTIVE_DYNAMICS",
        "effort": "STANDARD",
        "bake": None,
        "cache": {
            "path": str(sessions.find(cloth).take.frames.path),
            "frames": 8,
            "stale": [],
            "stale_from": None,
            "problem": None,
        },
    }


def other_setting(obj):
    obj.hooke.stretch_stiffness = 50.0


def other_weights(obj):
    pin(obj, {12: 1.0})


def other_mesh(obj):
    obj.data.vertices[12].co.z = 0.25


def later_motion(obj):
    obj.keyframe_insert("location", index=2, frame=5)
    obj.location.z += 1.0
    obj.keyframe_insert("location", index=2, frame=6)


STALE = {
    other_setting: ("the settings", 1),
    other_weights: ("the vertex groups", 1),
    other_mesh: ("the mesh", 1),
    later_motion: ("the pins' motion", 6),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("change", STALE, ids=lambda change: change.__name__)
def test_what_is_stale_is_told_with_the_reason_and_the_frame(change, cloth, scene):
    change(cloth)
    cache = entry()["cache"]
    word, frame = STALE[change]
    assert word in cache["stale"] and cache["stale_from"] == frame
    assert cache["frames"] == 8


def test_it_changes_nothing(cloth, scene):
    scene.frame_set(5)
    shown, running = evaluated_positions(cloth), sessions.find(cloth)
    inventory.inventory()
    assert scene.frame_current == 5 and running.cached == 8
    assert same_bits(evaluated_positions(cloth), shown)


def test_bakes_are_told_of(cloth):
    bake(cloth, mode="SHAPE_KEYS")
    told = {"mode": "SHAPE_KEYS", "frame_start": 1, "frame_end": 12, "cache_file": None, "problem": None}
    assert entry()["bake"] == told


@pytest.mark.sampled(2)
@pytest.mark.parametrize("given", [True, False], ids=["named", "open"])
def test_the_command_reads_a_file(given, cloth, tmp_path, capfd):
    file = tmp_path / "shot.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    before = file.read_bytes()
    capfd.readouterr()
    if given:
        bpy.ops.wm.read_homefile(use_empty=True)
    assert cli.main(["info", *([str(file)] if given else []), "--json"]) == 0
    out = capfd.readouterr().out
    told = json.loads(out[out.index("{\n") :])
    assert told["file"] == str(file) and told["objects"][0]["cache"]["frames"] == 8
    assert cli.main(["info"]) == 0
    line, flight = capfd.readouterr().out.splitlines()[-2:]
    assert flight == "'Cloth': the pre-flight finds nothing wrong"
    assert line.startswith(
        "'Cloth': 25 vertices, frames 1 to 12 of scene 'Scene', Standard; 8 frames cached in "
    )
    assert line.endswith("; not baked")
    assert file.read_bytes() == before


@pytest.mark.parametrize("command", [["info"], ["bake", "--object", "Cloth"]], ids=lambda words: words[0])
def test_a_missing_file_is_said_to_be_missing(command, scene, tmp_path, capfd):
    missing = tmp_path / "gone.blend"
    assert cli.main([*command, str(missing)]) == 2
    errors = capfd.readouterr().err.splitlines()
    assert errors == [f"hooke: there is no file {missing}: give a .blend file that exists"]


def test_a_missing_file_that_blender_was_started_with_is_said_to_be_missing(scene, monkeypatch, capfd):
    monkeypatch.setattr("sys.argv", ["blender", "-b", "gone.blend", "--command", "hooke", "info"])
    assert cli.main(["info"]) == 2
    assert "hooke: there is no file gone.blend" in capfd.readouterr().err


def test_a_file_that_blender_was_started_with_and_could_not_open_is_said_to_be_so(
    scene, tmp_path, monkeypatch, capfd
):
    newer = tmp_path / "newer.blend"
    newer.write_text("of a format that only a newer Blender reads", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["blender", "-b", str(newer), "--command", "hooke", "info"])
    bpy.ops.wm.read_homefile(use_empty=True)
    assert cli.main(["info"]) == 2
    assert f"hooke: {newer} cannot be opened by Blender {bpy.app.version_string}" in capfd.readouterr().err


def test_what_is_no_blend_file_cannot_be_opened(scene, tmp_path, capfd):
    other = tmp_path / "other.blend"
    other.write_text("no Blender file", encoding="utf-8")
    assert cli.main(["info", str(other)]) == 2
    assert "other.blend cannot be opened" in capfd.readouterr().err
