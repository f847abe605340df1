# SPDX-License-Identifier: GPL-3.0-or-later
"""Files whose settings no interface could have given, whose names break lines, or whose libraries are gone."""

import math
import os

import bpy
import pytest

from hooke.addon.play import sessions

from .colliding import ball, collider
from .scenes import add_hooke, grid, link, play, status
from .script import run

WRONG = [
    ("friction", -3.0, "the Friction -3 (Collisions): set it to a finite number, at least 0"),
    ("collision_thickness", math.nan, "the Thickness nan (Collisions): set it to a finite number"),
    ("collision_thickness", 1e30, "the Thickness 1e+30 (Collisions): set it to a finite number"),
    ("restitution", 5.0, "the Bounce 5 (Collisions): set it to a finite number, at least 0 and at most 1"),
    ("self_distance", 0.0, "the Distance 0 (Collisions): set it to a finite number, at least 1e-05"),
    (
        "substeps",
        2**31 - 1,
        "the Substeps 2,147,483,647 (Solver): set it to a whole number, at least 1 and at most 10,000",
    ),
    ("iterations", 2**31 - 1, "the Iterations 2,147,483,647 (Solver): set it to"),
    ("newton_iterations", 2**31 - 1, "the Newton Iterations 2,147,483,647 (Solver): set it to"),
    ("pre_roll", 2**31 - 1, "the Pre-Roll 2,147,483,647 (Time and Start): set it to"),
    ("loop_blend", 2**31 - 1, "the Loop Blend 2,147,483,647 (Time and Start): set it to"),
    ("air_drag", math.nan, "the Air Drag nan (Forces): set it to a finite number, at least 0"),
    ("gravity_weight", math.nan, "the Gravity nan (Forces): set it to a finite number"),
    ("weight_wind", math.inf, "the Wind inf (Forces): set it to a finite number, at least 0"),
    ("air_law", 9, "no valid Air (Forces): choose one of Real, Settling, Flow"),
    ("integrator", 999, "no valid Integrator (Solver): choose one of "),
]


def force(obj, name, value):
    """Write a setting past its limits, as scripts and damaged files do."""
    stored = obj.bl_system_properties_get() if bpy.app.version >= (5, 0) else obj
    stored["hooke"][name] = value


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "value", "told"), WRONG, ids=[f"{name}={value}" for name, value, _ in WRONG]
)
def test_a_setting_past_its_limits_is_told(name, value, told, scene, folder):
    cloth = add_hooke(grid(), self_collision=True)
    force(cloth, name, value)
    file = folder / "wrong.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    result = run(file, "--object", "Cloth", "--frames", "1-4", "--output", folder / "out.blend")
    assert result.returncode == 2
    assert f"hooke: 'Cloth' has {told}" in result.stderr and result.stderr.count("\n") == 1
    assert not (folder / "out.blend").exists()


def test_a_setting_past_its_limits_is_told_while_it_plays(scene):
    cloth = add_hooke(grid())
    force(cloth, "friction", -3.0)
    play(cloth, range(1, 4))
    assert "'Cloth' has the Friction -3" in status(cloth)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (
            {"substeps": 10_000, "iterations": 10_000},
            "a frame of 'Cloth' would take 10,000 substeps of up to 10,000 iterations, together more than 100,000",
        ),
        (
            {"substeps": 10_000, "iterations": 1, "pre_roll": 1000},
            "the Pre-Roll of 'Cloth' would take 1,000 frames of 10,000 substeps, together more than 100,000",
        ),
    ],
    ids=["a frame", "before the first frame"],
)
def test_what_would_seem_never_to_end_is_told(settings, told, scene):
    cloth = add_hooke(grid(), **settings)
    play(cloth, range(1, 4))
    assert told in status(cloth)


@pytest.mark.parametrize("option", ["--substeps", "--iterations", "--pre-roll"])
def test_the_command_line_takes_nothing_past_the_limits(option, scene, command_line):
    grid()
    exit_status, lines, unchanged = command_line("--object", "Cloth", option, 2**31 - 1)
    assert exit_status == 2 and unchanged
    assert len(lines) == 1 and "'2147483647' is out of range: give a whole number from" in lines[0]


def test_a_setting_past_its_limits_of_one_of_two_is_told(scene):
    for name in ("Cloth", "Other"):
        collider(add_hooke(grid(name=name)))
    force(bpy.data.objects["Other"], "friction", -3.0)
    play(bpy.data.objects["Cloth"], range(1, 4))
    assert "'Other' has the Friction -3" in status(bpy.data.objects["Cloth"])


def test_names_with_line_breaks_stay_on_their_line(scene, folder):
    cloth = add_hooke(grid(name="Two\nlines"))
    stone = collider(ball(height=-3.0))
    stone.name = "Red\x1b[31m"
    cloth.hooke.friction_group = "No\nsuch"
    file = folder / "names.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    result = run(file, "--object", "Two\nlines", "--frames", "1-4", "--output", folder / "out.blend")
    assert result.returncode == 0
    said = "so that Friction is the same everywhere: choose another"
    assert result.stderr == f"hooke: 'Two\\nlines' has no vertex group or attribute 'No\\nsuch', {said}\n"
    assert "hooke: 'Two\\nlines' has 1 collider: 'Red\\x1b[31m'\n" in result.stdout


@pytest.mark.parametrize("how", ["object", "collection", "chosen"])
def test_what_is_missing_in_its_library_is_told(how, scene, folder):
    library = folder / "library.blend"
    stone = collider(ball(height=-3.0))
    stone.name = "Stone"
    stones = bpy.data.collections.new("Stones")
    stones.objects.link(stone)
    bpy.data.libraries.write(str(library), {stones})
    bpy.ops.wm.read_homefile(use_empty=True)
    cloth = add_hooke(grid())
    with bpy.data.libraries.load(str(library), link=True) as (_, wanted):
        wanted.objects, wanted.collections = (["Stone"], []) if how == "object" else ([], ["Stones"])
    if how == "object":
        link(wanted.objects[0])
    else:
        bpy.context.scene.collection.children.link(wanted.collections[0])
    if how == "chosen":
        cloth.hooke.collision_collection = wanted.collections[0]
    found = sessions.findings(cloth, bpy.context.scene, bpy.context.evaluated_depsgraph_get())
    assert found == (["1 collider: 'Stone'"], [])
    file = folder / "shot.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    library.unlink()
    result = run(file, "--object", "Cloth", "--frames", "1-4", "--output", folder / "out.blend")
    name = "'Stone'" if how == "object" else "the collection 'Stones'"
    assert f"hooke: {name} is missing in {library}" in result.stderr.replace("//", f"{folder}{os.sep}")
    assert result.stderr.count("nothing collides with it") == result.stderr.count("\n") == 1


def test_a_scale_keyed_through_nothing_names_object_and_frame(scene):
    cloth = add_hooke(grid())
    for frame, scale in ((1, 1.0), (6, 0.0), (12, 1.0)):
        cloth.scale[2] = scale
        cloth.keyframe_insert("scale", frame=frame)
    play(cloth, range(1, 10))
    told = "'Cloth' has the scale 1, 1, 0 in frame 6: give every axis a scale other than 0, in every frame"
    assert told in status(cloth)
