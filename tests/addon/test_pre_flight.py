# SPDX-License-Identifier: GPL-3.0-or-later
"""The pre-flight: what will go wrong is told before anything is simulated, where, and mended by one click."""

import json

import bpy
import pytest

from hooke.addon import cli
from hooke.addon.play import sessions
from hooke.addon.readout import before_flight, remedies

from .colliding import block, collider
from .scenes import activate, add_hooke, grid, mesh_object, pin, play, simulated_positions

SQUARE = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)]
CUBE = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
CORNERS = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]


def squares(distance):
    """Two squares of 1 m, so far apart, the first of them pinned by its corner."""
    points = SQUARE + [(x + 1 + distance, y, z) for x, y, z in SQUARE]
    obj = mesh_object(points, faces=[(0, 1, 2, 3), (4, 5, 6, 7)])
    pin(obj, {0: 1.0})
    return add_hooke(obj)


def edges_of_no_length():
    obj = grid()
    obj.data.vertices[6].co = obj.data.vertices[7].co
    return add_hooke(obj)


def cube(faces, **settings):
    obj = mesh_object(CORNERS, faces=faces)
    pin(obj, {0: 1.0})
    return add_hooke(obj, **settings)


def open_cube():
    return cube(CUBE[:5], pressure=100.0)


def cube_with_a_wall():
    return cube([*CUBE, (0, 3, 7, 4)], keep_volume=True)


def inside_out():
    return cube([face[::-1] for face in CUBE], pressure=100.0)


def in_another_unit():
    obj = grid()
    obj.scale = (100.0,) * 3
    return add_hooke(obj)


def crossed():
    points = SQUARE + [(0.3, y, z) for _, y, z in ((0, -1, 0.5), (0, 1, 0.5), (0, 1, 0.6), (0, -1, 0.6))]
    obj = mesh_object(points, faces=[(0, 1, 2, 3), (4, 5, 6, 7)])
    pin(obj, {0: 1.0, 4: 1.0})
    return add_hooke(obj, self_collision=True)


def pinned_in_a_block():
    """Rows are 0.25 m apart: the block reaches to 0.31 m from the pins, and a row beyond them."""
    pole = collider(block(size=0.6))
    pole.scale, pole.location = (8.0, 1.0, 1.0), (0.0, -1.0, 0.0)
    return add_hooke(grid(side=9, pins=dict.fromkeys(range(9), 1.0)))


def begun_in_a_block():
    collider(block(size=0.6, height=0.0))
    return add_hooke(grid())


def unit_of_a_centimetre():
    bpy.context.scene.unit_settings.scale_length = 0.01
    return add_hooke(grid())


def split_at_normals():
    """A cube as exporters leave it: each face has vertices of its own."""
    points = [CORNERS[corner] for face in CUBE for corner in face]
    obj = mesh_object(points, faces=[tuple(range(4 * k, 4 * k + 4)) for k in range(6)])
    # All that are merged there: Blender 4.2 keeps the weights of one of them.
    first = CUBE[0][0]
    pin(obj, {k: 1.0 for k, corner in enumerate(c for face in CUBE for c in face) if corner == first})
    return add_hooke(obj, pressure=100.0)


def thin_plate():
    obj = cube(CUBE, fill_stiffness=2000.0, effort="DRAFT")
    obj.scale = (0.3, 0.3, 0.0032)
    return obj


def three_faces_at_an_edge():
    points = [(0, 0, 0), (0, 0, 1), (1, 0, 0), (-1, 0.5, 0), (-1, -0.5, 0)]
    obj = mesh_object(points, faces=[(0, 1, k) for k in (2, 3, 4)])
    pin(obj, {2: 1.0})
    return add_hooke(obj)


def assigned_with_no_weight():
    return add_hooke(grid(pins={0: 1.0, 4: 1.0, 7: 0.0}))


def pinned_beyond_weights():
    obj = grid(pins={})
    obj.data.attributes.new("hold", "FLOAT", "POINT").data.foreach_set(
        "value", [1.0, 0.0, 0.0, 2.0, 1.0] + 20 * [0.0]
    )
    return add_hooke(obj, pin_group="hold")


def pins_without_strength():
    obj = add_hooke(grid())
    pin(obj, {0: 1.0, 7: 1.0}, "Strong")
    obj.hooke.pin_strength_group = "Strong"
    return obj


def thick_in_the_first_row():
    obj = add_hooke(grid())
    pin(obj, dict.fromkeys(range(5), 1.0), "Thick")
    obj.hooke.thickness_group = "Thick"
    return obj


# Words of what is told, the vertices it is about, or None for nothing of the mesh, and the remedy.
WRONG = {
    edges_of_no_length: ("has 1 edge of zero length", {6, 7}, "MERGE"),
    lambda: squares(0.0): ("lie on others", {1, 2, 4, 7}, "MERGE"),
    lambda: squares(1.0): ("1 part has no pin and falls", {4, 5, 6, 7}, None),
    open_cube: ("4 edges border holes, and Pressure needs", {1, 3, 5, 7}, "FILL_HOLES"),
    cube_with_a_wall: ("edges have more than two faces, and Keep Volume", {0, 3, 4, 7}, None),
    inside_out: ("Faces point inwards", None, "OUTSIDE"),
    split_at_normals: ("24 vertices lie on others", {*range(24)}, "MERGE"),
    thin_plate: ("less than the cells", {*range(8)}, "CELLS"),
    three_faces_at_an_edge: ("1 edge has more than two faces (non-manifold)", {0, 1}, None),
    in_another_unit: ("It weighs 5.44 t and is 200 m wide", None, None),
    crossed: ("triangles go through others", {0, 2, 3, 4, 5, 6, 7}, None),
    pinned_in_a_block: (
        "The 9 pinned vertices hold 9 beside them nearer than",
        {*range(9, 18)},
        None,
    ),
    begun_in_a_block: ("1 vertex begins inside 'Block'", {12}, None),
    assigned_with_no_weight: ("1 of 3 vertices has a weight of 0 in 'Pin'", {7}, None),
    pinned_beyond_weights: (
        "a value in 'hold' that is no weight from 0 to 1 (first: 2 at vertex 3)",
        {3},
        None,
    ),
    pins_without_strength: ("1 of 2 pins has no strength in 'Strong'", {4}, None),
    thick_in_the_first_row: ("20 of 25 vertices are not in 'Thick', where Thickness", {*range(5, 25)}, None),
    unit_of_a_centimetre: ("Unit Scale", None, "UNIT_SCALE"),
}
NAMES = [getattr(build, "__name__", "") for build in WRONG]


@pytest.fixture(params=WRONG.items(), ids=NAMES)
def found(request, scene):
    """An object, what is wrong with it, and the Finding that says so."""
    build, (words, vertices, remedy) = request.param
    obj = build()
    activate(obj)
    assert bpy.ops.hooke.pre_flight() == {"FINISHED"}
    told = [finding for finding in before_flight.told(obj) if words in finding.complaint.text]
    assert len(told) == 1, [finding.complaint.text for finding in before_flight.told(obj)]
    return obj, words, vertices, remedy, told[0]


@pytest.mark.sampled(7)
def test_it_is_told_where_selected_and_mended_by_one_click(found):
    obj, words, vertices, remedy, told = found
    assert {*map(int, told.vertices)} == (vertices or set())
    assert told.remedy == remedy and bool(told.label) == (remedy is not None)
    # Nothing was simulated.
    assert sessions.find(obj) is None or not sessions.find(obj).cached
    number = before_flight.told(obj).index(told)
    if vertices is None:
        with pytest.raises(RuntimeError, match="check it again"):
            bpy.ops.hooke.select_found(number=number)
    else:
        assert bpy.ops.hooke.select_found(number=number) == {"FINISHED"}
        bpy.ops.object.mode_set(mode="OBJECT")
        assert {vertex.index for vertex in obj.data.vertices if vertex.select} == vertices
    if remedy is not None:
        assert bpy.ops.hooke.mend(remedy=remedy) == {"FINISHED"}
        assert not [finding for finding in before_flight.told(obj) if words in finding.complaint.text]
        assert bpy.ops.hooke.mend(remedy=remedy) == {"CANCELLED"}


def test_where_all_is_well_nothing_is_told(scene):
    obj = add_hooke(grid())
    scene.frame_set(5)
    assert bpy.ops.hooke.pre_flight() == {"FINISHED"}
    assert before_flight.told(obj) == [] and scene.frame_current == 5


def test_it_leaves_the_frames_as_they_are(scene):
    obj = add_hooke(grid())
    shown = play(obj, range(1, 6))
    cached = sessions.find(obj).cached
    bpy.ops.hooke.pre_flight()
    assert sessions.find(obj).cached == cached == 5
    assert (simulated_positions(obj) == shown[5]).all()
    play(obj, [6])
    assert sessions.find(obj).cached == 6


def test_what_cannot_be_simulated_is_told(scene):
    obj = add_hooke(grid())
    obj.data.vertices[3].co.x = float("nan")
    activate(obj)
    bpy.ops.hooke.pre_flight()
    assert "finite" in before_flight.told(obj)[0].complaint.text


def test_a_mesh_of_others_is_not_cleaned(scene):
    obj = edges_of_no_length()
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Other", obj.data))
    activate(obj)
    assert bpy.ops.hooke.mend(remedy="MERGE") == {"CANCELLED"}


def test_the_command_line_lists_it(scene, tmp_path, capsys):
    squares(1.0)
    file = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    capsys.readouterr()
    assert cli.main(["info", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["objects"][0]["pre_flight"]
    assert len(told) == 1 and "1 part has no pin" in told[0]
    assert cli.main(["info", str(file)]) == 0
    assert "'Cloth': 1 part has no pin and falls" in capsys.readouterr().out
    assert not (tmp_path / "scene_hooke").exists()


def test_the_cause_is_told_first_and_alone(scene):
    obj = split_at_normals()
    activate(obj)
    bpy.ops.hooke.pre_flight()
    told = before_flight.told(obj)
    assert [finding.remedy for finding in told] == ["MERGE"]
    bpy.ops.hooke.mend(remedy="MERGE")
    assert before_flight.told(obj) == [] and len(obj.data.vertices) == 8


def test_a_thin_body_may_be_a_sheet_too(scene):
    obj = thin_plate()
    activate(obj)
    bpy.ops.hooke.pre_flight()
    (found,) = [finding for finding in before_flight.told(obj) if finding.remedy == "CELLS"]
    assert dict(found.others) == {"SHEET": "Make It a Sheet"}
    assert bpy.ops.hooke.mend(remedy="SHEET") == {"FINISHED"} and obj.hooke.fill_stiffness == 0.0


def test_a_remedy_that_changed_nothing_is_not_offered_again(scene, monkeypatch):
    obj = open_cube()
    activate(obj)
    monkeypatch.setattr(remedies.FillHoles, "clean", lambda self, made, obj: None)
    bpy.ops.hooke.pre_flight()
    assert bpy.ops.hooke.mend(remedy="FILL_HOLES") == {"FINISHED"}
    assert not any(finding.remedy == "FILL_HOLES" for finding in before_flight.told(obj))
    assert bpy.ops.hooke.mend(remedy="FILL_HOLES") == {"CANCELLED"}
    # On another mesh it may help.
    obj.data.vertices[0].co.z -= 0.1
    monkeypatch.undo()
    assert bpy.ops.hooke.mend(remedy="FILL_HOLES") == {"FINISHED"} and len(obj.data.polygons) == 6


@pytest.mark.parametrize(("scale", "words"), [(65.0, "130 m wide"), (1e-3, "2 mm wide")])
def test_what_is_of_no_usual_size_is_told(scale, words, scene):
    obj = add_hooke(grid())
    obj.scale = (scale,) * 3
    obj.hooke.area_density = 1e-4 if scale > 1.0 else 20.0
    activate(obj)
    bpy.ops.hooke.pre_flight()
    assert any(words in finding.complaint.text for finding in before_flight.told(obj))
