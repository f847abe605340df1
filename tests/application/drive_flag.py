# SPDX-License-Identifier: GPL-3.0-or-later
"""In Blender: make a grid named Flag, one edge in the vertex group "hold"; save it as the last argument."""

import sys

import bpy


def make_flag():
    """A 1 m grid of 11 by 11 vertices, hanging from the edge with the largest y; returns its object."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module="bl_ext.user_default.hooke")
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=10, y_subdivisions=10, size=1.0)
    flag = bpy.context.object
    flag.name = "Flag"
    held = [vertex.index for vertex in flag.data.vertices if vertex.co.y > 0.499]
    flag.vertex_groups.new(name="hold").add(held, 1.0, "REPLACE")
    return flag


if __name__ == "__main__":
    make_flag()
    bpy.ops.wm.save_as_mainfile(filepath=sys.argv[-1])
    print('{"saved": true}', flush=True)
