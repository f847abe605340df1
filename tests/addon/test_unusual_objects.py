# SPDX-License-Identifier: GPL-3.0-or-later
"""Every unusable object and setting: one clear sentence, and nothing lost; odd ones that work."""

import bpy
import numpy as np
import pytest

from hooke.addon import readout

from .scenes import activate, add_hooke, bake, baked_keys, grid, key_positions, link, play, status
from .snapshots import differences, snapshot
from .unusual_meshes import UNUSABLE, USABLE


def data_of(obj):
    """The parts of a snapshot that Hooke may not change when it refuses; of a mesh, else nothing."""
    if obj.type != "MESH":
        return {}
    state = snapshot(obj)
    # Through text, since a coordinate that is no number is not equal to itself.
    return {name: repr(state[name]) for name in ("mesh", "weights", "keys", "animation", "actions")}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("build", UNUSABLE, ids=lambda build: build.__name__)
def test_the_operators_refuse_an_unusable_object(build, scene):
    obj = build()
    before = data_of(obj)
    with pytest.raises(RuntimeError) as caught:
        bpy.ops.hooke.add()
        bpy.ops.hooke.bake(mode="SHAPE_KEYS")
    message = str(caught.value).strip()
    assert UNUSABLE[build] in message
    assert message.startswith("Error: ") and "\n" not in message
    assert scene.frame_current == 1
    assert differences(before, data_of(obj)) == []


@pytest.mark.sampled(4)
@pytest.mark.parametrize("build", UNUSABLE, ids=lambda build: build.__name__)
def test_playing_an_unusable_object_says_why(build, scene):
    obj = build()
    try:
        bpy.ops.hooke.add()
    except RuntimeError:
        return
    before = data_of(obj)
    for frame in range(1, 6):
        scene.frame_set(frame)
    assert UNUSABLE[build] in status(obj)
    assert readout.status(obj)[1] == "ERROR"
    assert differences(before, data_of(obj)) == []


@pytest.mark.sampled(4)
@pytest.mark.parametrize("build", UNUSABLE, ids=lambda build: build.__name__)
def test_the_command_line_refuses_an_unusable_object(build, command_line):
    obj = build()
    before = data_of(obj)
    exit_status, errors, unchanged = command_line("--object", "Cloth")
    assert exit_status == 2
    assert len(errors) == 1 and errors[0].startswith("hooke: ")
    assert UNUSABLE[build] in errors[0]
    assert unchanged
    assert differences(before, data_of(obj)) == []


@pytest.mark.sampled(6)
@pytest.mark.parametrize("build", USABLE, ids=lambda build: build.__name__)
def test_odd_but_usable_objects_are_simulated_and_baked(build, scene, capfd):
    obj = build()
    capfd.readouterr()
    assert bpy.ops.hooke.add() == {"FINISHED"}
    out = capfd.readouterr().out
    assert USABLE[build] in out
    assert ("Warning" in out) == bool(USABLE[build])
    start = np.array([vertex.co for vertex in obj.data.vertices])
    shown = play(obj, range(1, 13))
    assert np.isfinite(shown[12]).all()
    assert "frame 12" in status(obj)
    bake(obj)
    assert all(np.isfinite(key_positions(key)).all() for key in baked_keys(obj))
    assert (start == np.array([vertex.co for vertex in obj.data.vertices])).all()


@pytest.mark.sampled(6)
@pytest.mark.parametrize("build", USABLE, ids=lambda build: build.__name__)
def test_the_command_line_warns_and_bakes_odd_objects(build, command_line, tmp_path):
    build()
    exit_status, errors, unchanged = command_line("--object", "Cloth", "--frames", "1-3")
    assert exit_status == 0
    assert not unchanged
    assert any(USABLE[build] in line for line in errors) or not USABLE[build]
    assert not errors or USABLE[build]


def test_nothing_selected(scene):
    bpy.context.view_layer.objects.active = None
    with pytest.raises(RuntimeError, match="no object is selected: select a mesh object"):
        bpy.ops.hooke.add()


@pytest.mark.parametrize("operator", ["remove", "reset", "bake", "clear_bake"])
def test_operators_that_need_a_simulation_are_not_offered_without(operator, scene):
    grid()
    assert not getattr(bpy.ops.hooke, operator).poll()
    bpy.context.view_layer.objects.active = None
    assert not getattr(bpy.ops.hooke, operator).poll()


def test_a_baked_object_is_not_baked_again_before_clearing(scene):
    obj = add_hooke(grid())
    bake(obj)
    assert not bpy.ops.hooke.bake.poll()
    assert bpy.ops.hooke.clear_bake.poll()
    assert not bpy.ops.hooke.add.poll() or bpy.ops.hooke.add() == {"FINISHED"}
    assert len(baked_keys(obj)) == 12


def test_in_edit_mode(scene):
    obj = add_hooke(grid())
    bpy.ops.object.mode_set(mode="EDIT")
    assert not bpy.ops.hooke.add.poll()
    assert not bpy.ops.hooke.clear_bake.poll()
    with pytest.raises(RuntimeError, match=r"leave it first|context is incorrect"):
        bpy.ops.hooke.bake()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert obj.data.shape_keys is None
    bake(obj)


@pytest.mark.parametrize("kind", ["SUBSURF", "MIRROR", "ARRAY", "SOLIDIFY"])
def test_a_modifier_above_that_adds_vertices_is_named(kind, scene, command_line):
    obj = grid()
    above = obj.modifiers.new("Above", kind)
    add_hooke(obj)
    obj.modifiers.move(obj.modifiers.find("Above"), 0)
    if kind == "MIRROR":
        above.use_mirror_merge = False
    before = data_of(obj)
    sentence = "a modifier above Hooke on 'Cloth' adds vertices: move Hooke above it or turn it off"
    with pytest.raises(RuntimeError, match=sentence):
        bpy.ops.hooke.bake()
    exit_status, errors, unchanged = command_line("--object", "Cloth")
    assert (exit_status, len(errors), unchanged) == (2, 1, True)
    assert sentence in errors[0]
    assert differences(before, data_of(obj)) == []
    above.show_viewport = False
    play(obj, range(1, 13))
    assert "frame 12" in status(obj)


def test_a_modifier_that_lets_none_above_it_is_named(scene):
    obj = grid()
    obj.modifiers.new("Detail", "MULTIRES")
    before = snapshot(obj)
    with pytest.raises(RuntimeError, match="'Detail' of 'Cloth' changes the mesh and must stay first"):
        bpy.ops.hooke.add()
    assert differences(before, snapshot(obj)) == []


# What Blender offers for meshes, but not what needs a cache on disk or a fluid solver's set-up.
MODIFIERS = sorted(
    item.identifier
    for item in bpy.types.Modifier.bl_rna.properties["type"].enum_items
    if not item.identifier.startswith(("GREASE", "LINEART")) and item.identifier not in {"FLUID", "OCEAN"}
)


@pytest.mark.sampled(21)
@pytest.mark.parametrize("kind", MODIFIERS)
def test_with_every_modifier_it_runs_or_says_why_not(kind, scene):
    obj = grid()
    try:
        modifier = obj.modifiers.new("Other", kind)
    except (TypeError, RuntimeError):
        modifier = None
    if modifier is None:
        # Blender has modifiers for curves and volumes only.
        return
    for below in (True, False):
        try:
            bpy.ops.hooke.add()
        except RuntimeError as error:
            assert "must stay first" in str(error)
            return
        if not below:
            obj.modifiers.move(obj.modifiers.find("Hooke"), len(obj.modifiers) - 1)
        shown = play(obj, range(1, 5))
        assert all(np.isfinite(positions).all() for positions in shown.values())
        text, icon = readout.status(obj)
        said = [text, *(each.text for each in readout.report(obj).complaints)]
        assert (
            "frame 4" in text
            if icon != "ERROR"
            else any("modifier" in each or "'Other'" in each for each in said)
        )
        bpy.ops.hooke.remove()


def test_a_linked_mesh_is_refused(scene, command_line, tmp_path):
    library = str(tmp_path / "library.blend")
    obj = grid(name="There")
    bpy.data.libraries.write(library, {obj})
    bpy.data.objects.remove(obj)
    with bpy.data.libraries.load(library, link=True) as (_, data):
        data.objects = ["There"]
    there = link(data.objects[0])
    here = link(bpy.data.objects.new("Here", there.data))
    # The linked object itself is out of the way: this is about the mesh.
    bpy.context.scene.collection.objects.unlink(there)
    activate(here)
    with pytest.raises(RuntimeError, match=r"'There' is linked from .* make it local first"):
        bpy.ops.hooke.add()
    assert not here.modifiers
    exit_status, errors, unchanged = command_line("--object", "Here")
    assert (exit_status, len(errors), unchanged) == (2, 1, True)
    assert "is linked from" in errors[0]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("stiffness", 0.0),
        ("stiffness", -5.0),
        ("mass", 0.0),
        ("mass", -1.0),
        ("pin_stiffness", 0.0),
        ("substeps", 0),
        ("iterations", -3),
        ("damping", -1.0),
        ("shear", -1.0),
    ],
)
def test_settings_stay_in_their_range(name, value, scene):
    obj = add_hooke(grid(pins={0: 1.0, 2: 0.5}))
    setattr(obj.hooke, name, value)
    assert getattr(obj.hooke, name) >= (0.0 if name in {"damping", "shear"} else np.float32(1e-6))
    shown = play(obj, range(1, 13))
    assert np.isfinite(shown[12]).all()
    assert "frame 12" in status(obj)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
@pytest.mark.parametrize("name", ["stiffness", "mass", "damping"])
def test_settings_that_are_no_number_stop_it_with_a_sentence(name, value, scene):
    obj = add_hooke(grid())
    setattr(obj.hooke, name, value)
    shown = play(obj, range(1, 13))
    assert np.isfinite(shown[12]).all()
    assert readout.status(obj)[1] == "ERROR" or "frame 12" in status(obj)


def test_a_pin_group_that_is_gone_is_said_when_baking(scene, capfd):
    obj = add_hooke(grid())
    obj.hooke.pin_group = "Gone"
    capfd.readouterr()
    bake(obj)
    assert (
        "'Cloth' falls freely without the vertex group 'Gone': choose another Pin Group"
        in capfd.readouterr().out
    )
