# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials by name: Blender's presets set them, users save their own, and resolution does not matter."""

import ast
from pathlib import Path

import bpy
import numpy as np
import pytest

from hooke.addon import material_presets, sections
from hooke.addon.play import sessions
from hooke.addon.sections.material import Material

from .scenes import add_hooke, grid, play, status

PRESETS = {
    path.stem.replace("_", " "): path
    for folder in [Path(material_presets.__file__).parent / "presets" / "hooke" / "material"]
    for path in folder.glob("*.py")
}
VALUES = [name for name in Material().properties if name not in Material.initial]


def execute(name):
    """Choose a preset, as the menu does."""
    assert bpy.ops.script.execute_preset(
        filepath=str(PRESETS[name]), menu_idname="HOOKE_PT_material_presets"
    ) == {"FINISHED"}


def values(settings):
    """The material's values by name."""
    return {name: getattr(settings, name) for name in VALUES}


def test_the_presets_are_found_where_blender_looks():
    folders = [Path(folder) for folder in bpy.utils.preset_paths("hooke/material")]
    assert PRESETS.keys() <= {
        path.stem.replace("_", " ") for folder in folders for path in folder.glob("*.py")
    }
    assert PRESETS.keys() >= {"Cotton", "Silk", "Denim", "Leather", "Rubber Sheet", "Jelly", "Rope", "Net"}


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_sets_every_value_and_its_name(name, scene):
    settings = add_hooke(grid()).hooke
    for value in VALUES:
        setattr(settings, value, type(getattr(settings, value))(0.5))
    execute(name)
    assert (settings.measure, settings.material_name) == ("AREA", name)
    lines = PRESETS[name].read_text(encoding="utf-8").splitlines()
    for value, number in values(settings).items():
        line = next(line for line in lines if line.startswith(f"settings.{value} = "))
        assert number == pytest.approx(ast.literal_eval(line.split(" = ")[1]), rel=1e-6)
    # Where the numbers are from is told above them.
    assert lines[1].startswith("# ")


def cube():
    """A cube, that what has a filling fills."""
    bpy.ops.mesh.primitive_cube_add(size=1.0)
    return bpy.context.object


@pytest.mark.sampled(15)
@pytest.mark.parametrize("mesh", [grid, cube])
@pytest.mark.parametrize("name", PRESETS)
def test_every_material_plays_as_a_sheet_and_closed(name, mesh, scene):
    obj = add_hooke(mesh())
    execute(name)
    shown = play(obj, range(1, 13))
    assert "stopped" not in status(obj)
    assert np.isfinite(shown[12]).all()
    # What jiggles without sagging stays where nothing moves it.
    stays = obj.hooke.jiggle and not obj.hooke.jiggle_sags
    assert np.allclose(shown[12], shown[1], atol=5e-4) if stays else not np.array_equal(shown[12], shown[1])
    assert obj.hooke.material_name == name


def test_cotton_is_what_an_object_gets(scene):
    settings = add_hooke(grid()).hooke
    before = settings.material_name, values(settings)
    execute("Cotton")
    assert (settings.material_name, values(settings)) == before


def test_a_value_by_hand_makes_it_nobody_s_preset(scene):
    settings = add_hooke(grid()).hooke
    settings.area_density = 0.3
    assert (settings.measure, settings.material_name) == ("AREA", "")


@pytest.mark.parametrize("name", ["stiffness", "mass", "damping", "shear", "bending", "length_normalised"])
def test_a_value_of_the_springs_by_hand_counts(name, scene):
    obj = add_hooke(grid())
    setattr(obj.hooke, name, True if name == "length_normalised" else 3)
    assert obj.hooke.measure == "SPRING"
    maps = sections.read_maps(obj)
    points = np.array([tuple(vertex.co) for vertex in obj.data.vertices])
    edges = np.array([tuple(edge.vertices) for edge in obj.data.edges])
    network = sections.body(
        obj, points, edges, [tuple(face.vertices) for face in obj.data.polygons], maps
    ).network
    assert network.masses.sum() == pytest.approx(obj.hooke.mass)


def test_an_object_has_the_mass_of_its_area(scene):
    obj = add_hooke(grid())
    obj.hooke.area_density = 0.25
    play(obj, range(1, 3))
    assert sections.body(
        obj,
        np.array([tuple(vertex.co) for vertex in obj.data.vertices]),
        np.array([tuple(edge.vertices) for edge in obj.data.edges]),
        [tuple(face.vertices) for face in obj.data.polygons],
        sections.read_maps(obj),
    ).network.masses.sum() == pytest.approx(4.0 * 0.25)


def test_what_came_with_hooke_cannot_be_removed(scene):
    add_hooke(grid())
    with pytest.raises(RuntimeError, match="it came with Hooke, and stays"):
        bpy.ops.hooke.material_preset_add(name="Cotton", remove_name=True)
    assert PRESETS["Cotton"].exists()


def test_a_user_saves_and_removes_a_preset(scene, tmp_path, monkeypatch):
    monkeypatch.setattr(bpy.utils, "user_resource", lambda *_arguments, **_options: str(tmp_path))
    settings = add_hooke(grid()).hooke
    settings.area_density, settings.bending_rigidity = 0.25, 33.0
    assert bpy.ops.hooke.material_preset_add(name="My Felt") == {"FINISHED"}
    assert settings.material_name == "My Felt"
    saved = values(settings)
    settings.area_density = 9.0
    assert settings.material_name == ""
    PRESETS["My Felt"] = next(tmp_path.glob("*.py"))
    try:
        execute("My Felt")
    finally:
        path = PRESETS.pop("My Felt")
    assert (settings.material_name, settings.measure, values(settings)) == ("My Felt", "AREA", saved)
    monkeypatch.setattr(bpy.utils, "preset_find", lambda *_arguments, **_options: str(path))
    assert bpy.ops.hooke.material_preset_add(name="My Felt", remove_name=True) == {"FINISHED"}
    assert not path.exists()


@pytest.mark.parametrize("keep", [True, False])
def test_shape_and_damping_of_what_bends_reach_the_simulation(keep, scene):
    obj = grid()
    for vertex in obj.data.vertices:
        vertex.co.z = 0.2 * np.cos(3.0 * vertex.co.x)
    add_hooke(obj, measure="AREA", keep_shape=keep, bending_damping=0.25)
    play(obj, [1, 2])
    stencils = sessions.find(obj).simulation.network.stencils
    assert (stencils.rest_lengths.max() > 0.1) == keep
    assert (stencils.damping > 0.0).all()
