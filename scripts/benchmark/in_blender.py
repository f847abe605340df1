# SPDX-License-Identifier: GPL-3.0-or-later
"""Contestants inside Blender: Hooke, and what Blender itself offers for cloth.

All simulate the same mesh object with the same vertex group of pins in an otherwise empty file; a frame is the whole
`scene.frame_set`. Settings that are not named here are Blender's defaults; the air is left out everywhere, as
everyone has another.
"""

from pathlib import Path

import bpy
import numpy as np
from measuring.blender import empty_scene, new_mesh_object, positions
from theory.courses import FPS, at_rest

from hooke.addon.play import sessions

from .race import Contestant

PIN_GROUP = "Pin"
# Local/global iterations as Liu et al. have them, of the springs as they are.
PLAIN = {"acceleration": "NONE", "time_stepping": "BACKWARD_EULER", "carried_stiffness": "ALL"}


class InBlender(Contestant):
    """The course as an object of an empty file; what simulates it is added by `equip`."""

    def __init__(self, name, **settings):
        self.name, self.settings = name, settings

    def start(self, course):
        """Empty file, mesh, pins, `equip`, frame 1."""
        self.scene = empty_scene(FPS)
        obj = new_mesh_object(self.scene, "Course", course.points, course.edges, course.faces)
        obj.vertex_groups.new(name=PIN_GROUP).add(course.pinned, 1.0, "REPLACE")
        if course.motion is not at_rest:
            move_pins(obj, course)
        self.obj = obj
        self.equip(obj, course)
        self.scene.frame_set(1)

    def equip(self, obj, course):
        """Add what simulates the object."""
        raise TypeError(f"{type(self).__name__} defines no equip: it must")

    def advance(self):
        """Go to the next frame, as playback does."""
        self.scene.frame_set(self.scene.frame_current + 1)

    def positions(self):
        """Of the evaluated mesh, whose object is not moved."""
        return positions(self.obj)


def move_pins(obj, course):
    """Animate the mesh, of which only the pins count, by three shape keys of one metre, one an axis, for four seconds.

    The whole of it, since the XPBD node takes its rest lengths from the mesh of each frame.
    """
    obj.shape_key_add(name="Rest")
    for axis in range(3):
        key = obj.shape_key_add(name="xyz"[axis])
        key.slider_min, key.slider_max = -10.0, 10.0
        moved = course.points + np.eye(3)[axis]
        key.data.foreach_set("co", moved.astype(np.float32).ravel())
        for frame in range(1, 4 * FPS + 2):
            key.value = course.motion((frame - 1) / FPS)[axis]
            key.keyframe_insert("value", frame=frame)


class Hooke(InBlender):
    """Hooke with its default settings but those given."""

    def equip(self, obj, course):
        """Add Hooke as its user would."""
        bpy.context.view_layer.objects.active = obj
        obj.select_set(True)
        bpy.ops.hooke.add()
        by_spring = {"mass": course.mass, "stiffness": course.stiffness} if course.material is None else {}
        settings = {"pin_group": PIN_GROUP, "air_drag": 0.0, **by_spring, **self.settings}
        for name, value in settings.items():
            setattr(obj.hooke, name, value)

    def advance(self):
        """Raises RuntimeError unless the frame was simulated."""
        super().advance()
        running = sessions.find(self.obj)
        if running.problem or len(running.frames) != self.scene.frame_current:
            raise RuntimeError(
                f"simulated {len(running.frames)} of {self.scene.frame_current} frames: {running.problem}"
            )


class WithVertexMass(InBlender):
    """A modifier that knows masses of vertices only, and stiffnesses that do not depend on the mesh.

    vertex_mass: None shares the course's mass out; at that, on a fine mesh, both modifiers no longer converge, and
    the sheet falls in slow motion. A number [kg] makes a heavier sheet, which under gravity alone should move alike.
    """

    def __init__(self, name, vertex_mass=None, **settings):
        super().__init__(name, **settings)
        self.vertex_mass = vertex_mass

    def equip(self, obj, course):
        """Add the modifier with its pins and mass, then the settings given."""
        settings = self.modifier_settings(obj)
        shared = course.mass / len(course.points)
        settings.mass = shared if self.vertex_mass is None else self.vertex_mass
        for name, value in self.settings.items():
            setattr(settings, name, value)

    def modifier_settings(self, obj):
        """Settings of a new modifier of the object, pinned."""
        raise TypeError(f"{type(self).__name__} defines no modifier_settings: it must")


class Cloth(WithVertexMass):
    """The Cloth modifier without collisions; settings of its ClothSettings."""

    def modifier_settings(self, obj):
        """Settings of a new modifier of the object, pinned, without air."""
        modifier = obj.modifiers.new("Cloth", "CLOTH")
        modifier.collision_settings.use_collision = False
        modifier.collision_settings.use_self_collision = False
        modifier.settings.vertex_group_mass = PIN_GROUP
        modifier.settings.air_damping = 0.0
        return modifier.settings


class SoftBody(WithVertexMass):
    """The Soft Body modifier, its goal the pin group; settings of its SoftBodySettings."""

    def modifier_settings(self, obj):
        """Settings of a new modifier of the object, pinned, without air."""
        settings = obj.modifiers.new("Softbody", "SOFT_BODY").settings
        settings.friction = 0.0
        # A vertex is where its goal is only if weight times default is 1.
        settings.use_goal, settings.vertex_group_goal, settings.goal_default = True, PIN_GROUP, 1.0
        return settings


class Xpbd(InBlender):
    """Blender's own geometry-nodes asset "Cloth Dynamics (Experimental)" on its XPBD node, from Blender 5.2 on."""

    ASSET = "Cloth Dynamics (Experimental)"
    FILE = "assets/nodes/geometry_nodes_dynamics_assets.blend"

    def __init__(self, name, substeps, constraint_steps):
        super().__init__(name)
        self.inputs = {"Substeps": substeps, "Constraint Steps": constraint_steps, "Linear Damping": 0.0}

    def equip(self, obj, course):
        """Add the asset as a modifier; stretchiness 0 makes its mass of no account."""
        file = Path(bpy.utils.system_resource("DATAFILES"), self.FILE)
        if not file.is_file():
            raise RuntimeError(f"Blender {bpy.app.version_string} has no {file.name}: it comes with 5.2")
        with bpy.data.libraries.load(str(file)) as (_, wanted):
            wanted.node_groups = [self.ASSET]
        modifier = obj.modifiers.new("XPBD", "NODES")
        modifier.node_group = wanted.node_groups[0]
        pins = self._input(modifier, "Pin Group")
        pins.type, pins.attribute_name = "ATTRIBUTE", PIN_GROUP
        for name, value in self.inputs.items():
            self._input(modifier, name).value = value

    def _input(self, modifier, name):
        sockets = modifier.node_group.interface.items_tree
        identifier = next(item.identifier for item in sockets if item.name == name and item.in_out == "INPUT")
        return getattr(modifier.properties.inputs, identifier)
