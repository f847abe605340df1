# SPDX-License-Identifier: GPL-3.0-or-later
"""The range of frames, and what a bake keeps of them."""

from types import MappingProxyType

from bpy.props import EnumProperty, FloatProperty, IntProperty

from .. import bakes
from .section import Section


class CacheAndBake(Section):
    """Which frames are simulated, and what a bake makes of them."""

    id = "bake"
    label = "Cache and Bake"
    view_only = ("frame_end", "bake_mode", "bake_step", "bake_tolerance")
    # The range is one option, --frames.
    option_names = MappingProxyType(
        {
            "frame_start": None,
            "frame_end": None,
            "bake_mode": "--mode",
            "bake_step": "--step",
            "bake_tolerance": "--tolerance",
        }
    )

    frame_start: IntProperty(name="Frame Start", description="Frame the simulation starts from", default=1)
    frame_end: IntProperty(name="End", description="Last frame that is simulated and baked", default=250)
    bake_mode: EnumProperty(
        name="Bake To", description="What a bake keeps the frames as", items=bakes.mode_items()
    )
    bake_step: IntProperty(
        name="Step",
        description="Frames from one shape key to the next, linear in between; the last frame always gets one",
        default=1,
        min=1,
        soft_max=10,
    )
    bake_tolerance: FloatProperty(
        name="Tolerance",
        description="Largest distance of any vertex from its simulated position in any frame [m]; less takes more "
        "shapes",
        default=1e-3,
        min=1e-6,
        soft_min=1e-4,
        soft_max=0.1,
        precision=4,
        step=0.01,
        subtype="DISTANCE",
    )

    def draw(self, layout, obj):
        """Draw the range, and the settings of the bake mode."""
        settings = obj.hooke
        column = layout.column(align=True)
        column.prop(settings, "frame_start")
        column.prop(settings, "frame_end")
        layout.operator("hooke.simulate", icon="PHYSICS")
        layout.prop(settings, "bake_mode")
        for name in bakes.MODES[settings.bake_mode].settings:
            layout.prop(settings, name)
