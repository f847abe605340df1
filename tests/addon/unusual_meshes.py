# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that cannot be simulated, with the sentence that says so, and odd ones that can."""

import bpy

from .scenes import activate, grid, link, mesh_object


def no_mesh():
    obj = link(bpy.data.objects.new("Cloth", None))
    activate(obj)
    return obj


def curve():
    obj = link(bpy.data.objects.new("Cloth", bpy.data.curves.new("Cloth", "CURVE")))
    activate(obj)
    return obj


def no_vertices():
    return mesh_object([])


def no_edges():
    return mesh_object([(0, 0, 0), (1, 0, 0), (0, 1, 0)])


def not_a_number():
    obj = grid()
    obj.data.vertices[7].co.y = obj.data.vertices[9].co.x = float("nan")
    return obj


def two_users():
    obj = grid()
    link(bpy.data.objects.new("Twin", obj.data))
    return obj


def no_scale():
    obj = grid()
    obj.scale = (1.0, 0.0, 2.0)
    return obj


def moved_and_rebuilt():
    obj = grid()
    obj.modifiers.new("Wave", "WAVE")
    obj.modifiers.new("Decimate", "DECIMATE").ratio = 0.4
    return obj


def keyed_and_fewer():
    obj = grid()
    obj.shape_key_add(name="Basis")
    obj.modifiers.new("Decimate", "DECIMATE").ratio = 0.4
    return obj


def rebuilt_below():
    obj = grid()
    obj.modifiers.new("Remesh", "REMESH").voxel_size = 0.2
    return obj


def fewer_below():
    obj = grid()
    obj.modifiers.new("Decimate", "DECIMATE").ratio = 0.4
    return obj


def others_below():
    obj = grid()
    obj.modifiers.new("Bevel", "BEVEL")
    return obj


def rope_of_skin():
    obj = rope()
    obj.modifiers.new("Skin", "SKIN")
    return obj


def hidden():
    obj = grid()
    obj.hide_viewport = True
    return obj


UNUSABLE = {
    no_mesh: "'Cloth' is not a mesh: select a mesh object",
    curve: "'Cloth' is not a mesh: select a mesh object",
    no_vertices: "'Cloth' has no vertices: Hooke needs at least one edge to make a spring",
    no_edges: "'Cloth' has no edges: Hooke needs at least one edge to make a spring",
    not_a_number: "'Cloth' has 2 vertices without finite coordinates (first: vertex 7): delete or move them",
    two_users: "mesh 'Cloth' is shared by 2 objects (Cloth, Twin): make it a single-user copy first",
    no_scale: "'Cloth' has the scale 1, 0, 2 in frame 1: give every axis a scale other than 0",
    moved_and_rebuilt: "below Hooke on 'Cloth' ('Decimate') rebuilds the mesh, so the pose that 'Wave' gives its 25",
    keyed_and_fewer: "below Hooke on 'Cloth' ('Decimate') rebuilds the mesh, so the pose that 'Shape Keys' gives its",
    hidden: "'Cloth' is not evaluated through Hooke's modifier: show the object",
}


def edges_of_no_length():
    obj = grid()
    for axis in range(3):
        obj.data.vertices[13].co[axis] = obj.data.vertices[12].co[axis]
    return obj


def no_pin_group():
    return grid(pins={})


def empty_pin_group():
    obj = grid(pins={})
    obj.vertex_groups.new(name="Pin")
    return obj


def zero_pin_weights():
    return grid(pins={0: 0.0, 4: 0.0})


def all_pinned():
    return grid(pins=dict.fromkeys(range(25), 1.0))


def uneven_scale():
    obj = grid()
    obj.scale = (0.1, 1.0, 30.0)
    return obj


def negative_scale():
    obj = grid()
    obj.scale = (-1.0, 1.0, 1.0)
    return obj


def rope():
    return mesh_object([(i, 0, 0) for i in range(5)], edges=[(i, i + 1) for i in range(4)])


def single_edge():
    return mesh_object([(0, 0, 0), (1, 0, 0)], edges=[(0, 1)])


def all_at_one_point():
    return mesh_object([(0, 0, 0)] * 3, edges=[(0, 1), (1, 2)])


def loose_vertices():
    obj = grid()
    obj.data.vertices.add(2)
    return obj


def far_away():
    obj = grid()
    obj.location = (1e6, 0.0, 0.0)
    return obj


def tiny():
    obj = grid()
    obj.scale = (1e-5, 1e-5, 1e-5)
    return obj


def fake_user():
    obj = grid()
    obj.data.use_fake_user = True
    return obj


USABLE = {
    edges_of_no_length: "'Cloth' has 1 edge of zero length (first: edge",
    no_pin_group: "'Cloth' falls freely: choose a Pin Group",
    empty_pin_group: "'Cloth' falls freely: assign vertices to the group 'Pin'",
    zero_pin_weights: "'Cloth' falls freely: assign vertices to the group 'Pin'",
    all_pinned: "",
    uneven_scale: "",
    negative_scale: "",
    rope: "'Cloth' falls freely: choose a Pin Group",
    single_edge: "'Cloth' falls freely: choose a Pin Group",
    all_at_one_point: "'Cloth' has 2 edges of zero length",
    loose_vertices: "",
    far_away: "",
    tiny: "",
    fake_user: "",
    rebuilt_below: "",
    fewer_below: "",
    others_below: "",
    rope_of_skin: "'Cloth' falls freely: choose a Pin Group",
}
