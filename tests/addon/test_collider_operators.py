# SPDX-License-Identifier: GPL-3.0-or-later
"""Make Collider, Add Floor, and what the command line says of colliders."""

import json

import bpy
import numpy as np
import pytest

from hooke.addon import cli
from hooke.addon.play import sessions

from .colliding import block, collider, dropped, still_block
from .panel_rows import drawn
from .scenes import activate, add_hooke, evaluated_world_positions, grid, link, play, status
from .script import said


def collides(obj):
    """Whether an object has Collision physics that is on."""
    return any(modifier.type == "COLLISION" for modifier in obj.modifiers) and obj.collision.use


def test_every_selected_object_that_is_not_simulated_becomes_a_collider(scene):
    cloth, one, other = add_hooke(grid()), block("One"), block("Other")
    collider(other).collision.thickness_outer = 0.3
    other.collision.use = False
    unselected = block("Unselected")
    for obj in (cloth, one, other):
        obj.select_set(True)
    unselected.select_set(False)
    assert bpy.ops.hooke.make_collider() == {"FINISHED"}
    assert [collides(obj) for obj in (cloth, one, other, unselected)] == [False, True, True, False]
    # Close to the cloth, but what the artist has set stays.
    assert one.collision.thickness_outer == pytest.approx(0.001)
    assert other.collision.thickness_outer == pytest.approx(0.3)
    assert [modifier.type for modifier in other.modifiers] == ["COLLISION"]


def test_several_simulated_objects_become_colliders_of_each_other(scene):
    one, other = add_hooke(grid(name="One")), add_hooke(grid(name="Other"))
    one.select_set(True)
    assert bpy.ops.hooke.make_collider() == {"FINISHED"}
    assert collides(one) and collides(other)
    one.location.z = 0.05
    bpy.context.view_layer.update()
    play(one, range(1, 4))
    found = sessions.findings(one, scene, bpy.context.evaluated_depsgraph_get())
    assert found == (["1 collider: 'Other'"], [])
    assert sessions.find(one).simulation.network.vertex_count == 25
    assert sessions.find(one).simulation.system.network.vertex_count == 50


def test_there_must_be_something_to_make_a_collider_of(scene):
    add_hooke(grid())
    assert not bpy.ops.hooke.make_collider.poll()
    activate(block())
    assert bpy.ops.hooke.make_collider.poll()
    bpy.ops.object.mode_set(mode="EDIT")
    assert not bpy.ops.hooke.make_collider.poll()
    assert not bpy.ops.hooke.add_floor.poll()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert not bpy.ops.hooke.add_floor.poll()


def test_what_is_a_collider_already_is_not_made_one(scene):
    box = block()
    activate(box)
    assert ("operator", "hooke.make_collider", True) in drawn()
    assert bpy.ops.hooke.make_collider() == {"FINISHED"}
    assert not bpy.ops.hooke.make_collider.poll()
    assert "hooke.make_collider" not in [what for _, what, _ in drawn()]
    box.modifiers[0].show_viewport = False
    assert bpy.ops.hooke.make_collider() == {"FINISHED"} and box.modifiers[0].show_viewport


def test_what_is_no_mesh_is_told_how_to_become_one(scene, capfd):
    text = link(bpy.data.objects.new("Letters", bpy.data.curves.new("Letters", "FONT")))
    activate(text)
    assert bpy.ops.hooke.make_collider() == {"CANCELLED"}
    assert "'Letters' is not a mesh: convert it" in capfd.readouterr().out
    box = block()
    box.select_set(True)
    assert bpy.ops.hooke.make_collider() == {"FINISHED"}
    assert collides(box)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("height", "floor_height"), [(0.0, -1.0), (3.0, 0.0), (-1.0, -2.0)])
def test_a_floor_is_below_the_object_and_has_no_end(height, floor_height, scene):
    cloth = grid(pins={})
    cloth.location = 5.0, 1.0, height
    bpy.context.view_layer.update()
    add_hooke(cloth)
    assert bpy.ops.hooke.add_floor() == {"FINISHED"}
    floor = bpy.data.objects["Floor"]
    assert np.allclose(floor.location, (5.0, 1.0, floor_height))
    assert cloth.users_collection == floor.users_collection
    assert bpy.context.object == cloth
    # Far beyond its edges it stops things, too.
    floor.location.x = 100.0
    bpy.context.view_layer.update()
    play(cloth, range(1, 13))
    lowest = evaluated_world_positions(cloth)[:, 2].min() - floor_height
    fallen = 9.81 * (11 / 24) ** 2 / 2
    assert lowest > 0.0 or (height - floor_height > fallen)
    assert "strain" in status(cloth)


def test_a_floor_is_among_what_the_object_collides_with(scene):
    cloth = dropped(still_block)
    own = bpy.data.collections.new("Own")
    scene.collection.children.link(own)
    cloth.hooke.collision_collection = own
    assert bpy.ops.hooke.add_floor() == {"FINISHED"}
    assert [obj.name for obj in own.objects] == ["Floor"]


def test_what_stands_on_the_ground_stands_on_the_floor(scene):
    activate(add_hooke(block(height=0.3)))
    assert bpy.ops.hooke.add_floor() == {"FINISHED"}
    assert bpy.data.objects["Floor"].location.z == 0.0


def unlinked(scene, own):
    scene.collection.children.unlink(own)


def excluded(scene, own):
    bpy.context.view_layer.layer_collection.children["Own"].exclude = True


def hidden(scene, own):
    bpy.context.view_layer.layer_collection.children["Own"].hide_viewport = True


@pytest.mark.parametrize("hide", [unlinked, excluded, hidden])
def test_a_floor_stops_things_where_the_collection_is_out_of_sight(hide, scene):
    cloth = dropped(lambda _: None)
    own = cloth.hooke.collision_collection = bpy.data.collections.new("Own")
    scene.collection.children.link(own)
    hide(scene, own)
    bpy.context.view_layer.update()
    assert bpy.ops.hooke.add_floor() == {"FINISHED"}
    assert cloth.users_collection[0] in bpy.data.objects["Floor"].users_collection
    found = sessions.findings(cloth, scene, bpy.context.evaluated_depsgraph_get())
    assert found == (["1 collider: 'Floor'"], [])


def test_no_floor_joins_a_linked_collection(scene, tmp_path):
    collider(block())
    kept = bpy.data.collections.new("Kept")
    kept.objects.link(bpy.data.objects["Block"])
    bpy.data.libraries.write(str(tmp_path / "library.blend"), {kept})
    bpy.data.collections.remove(kept)
    bpy.data.objects.remove(bpy.data.objects["Block"])
    cloth = dropped(lambda _: None)
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (_, linked):
        linked.collections = ["Kept"]
    cloth.hooke.collision_collection = linked.collections[0]
    before = list(bpy.data.objects)
    with pytest.raises(
        RuntimeError, match="'Cloth' collides with the collection 'Kept' alone, which is linked"
    ):
        bpy.ops.hooke.add_floor()
    assert list(bpy.data.objects) == before


@pytest.mark.parametrize("operator", ["make_collider", "add_floor"])
def test_undo_takes_it_back(operator, scene):
    cloth, box = add_hooke(grid()), block()
    activate(cloth)
    box.select_set(True)
    bpy.ops.ed.undo_push(message="before")
    assert getattr(bpy.ops.hooke, operator)() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    assert "Floor" not in bpy.data.objects
    assert not collides(bpy.data.objects["Block"])


def bake(folder, *arguments):
    """Run the command on the scene, two frames of it; returns its exit status."""
    words = ["--frames", "1-2", "--output", folder / "out.blend", "--report", folder / "report.json"]
    return cli.main(["bake", "--object", "Cloth", *map(str, (*words, *arguments))])


def test_the_command_line_says_what_it_collides_with(scene, tmp_path, capfd):
    dropped(still_block)
    collider(block("Ghost")).hide_set(True)
    bpy.context.view_layer.update()
    assert bake(tmp_path) == cli.DONE
    out, err = capfd.readouterr()
    assert "hooke: 'Cloth' has 1 collider: 'Block'" in out
    assert "hooke: 'Ghost' is hidden and does not collide" in said(err)
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["frames"] == 2


def test_the_command_line_chooses_what_collides(scene, tmp_path, capfd):
    dropped(still_block)
    scene.collection.children.link(bpy.data.collections.new("Nothing"))
    assert bake(tmp_path, "--collision-collection", "Nothing") == cli.DONE
    out, err = capfd.readouterr()
    assert "collider:" not in out and "no object of the collection 'Nothing' has Collision physics" in said(
        err
    )
    assert bake(tmp_path, "--collision-collection", "Missing") == cli.UNUSABLE
    assert "there is no collection 'Missing': name one of 'Nothing'" in said(capfd.readouterr().err)
    assert bake(tmp_path, "--no-collisions") == cli.DONE
    assert "'Block'" not in capfd.readouterr().out


def test_a_net_of_edges_is_refused_at_the_click_until_it_has_faces(scene):
    mesh = bpy.data.meshes.new("Net")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (1, 1, 0)], [(0, 1), (1, 2)], [])
    net = link(bpy.data.objects.new("Net", mesh))
    activate(net)
    net.select_set(True)
    assert bpy.ops.hooke.make_collider() == {"CANCELLED"}
    assert not collides(net)
    net.modifiers.new("Skin", "SKIN")
    assert bpy.ops.hooke.make_collider() == {"FINISHED"}
    assert collides(net)
