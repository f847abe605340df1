# SPDX-License-Identifier: GPL-3.0-or-later
"""The range of frames, and the form of a bake."""

from types import MappingProxyType

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty

from .. import bakes
from ..mesh_io import MeshError
from ..wrapped_text import draw_text
from .labels import labelled
from .section import Section
from .time_and_start import LAST_FRAME


def not_editable(obj):
    """Why a linked object cannot be baked, a sentence, or ""."""
    try:
        bakes.checks.check_editable(obj)
    except MeshError as error:
        return str(error)
    return ""


class CacheAndBake(Section):
    """Which frames are simulated, and how they are baked."""

    id = "bake"
    label = "Cache and Bake"
    # Files from before there was a choice mean shape keys.
    initial = MappingProxyType({"bake_mode": bakes.AUTOMATIC})
    view_only = ("frame_end", "bake_mode", "bake_step", "bake_tolerance", "bake_split")
    # The range is one option, --frames.
    option_names = MappingProxyType(
        {
            "frame_start": None,
            "frame_end": None,
            "bake_mode": "--mode",
            "bake_step": "--step",
            "bake_tolerance": "--tolerance",
            "bake_split": "--split-mesh",
        }
    )

    frame_start: IntProperty(
        name="Frames",
        description="First frame of the simulation. It starts with the shape that the object has there",
        default=1,
        min=-LAST_FRAME,
        max=LAST_FRAME,
    )
    frame_end: IntProperty(
        name="End",
        description="Last frame that is simulated and baked. The object keeps its shape after it",
        default=250,
        min=-LAST_FRAME,
        max=LAST_FRAME,
    )
    bake_mode: EnumProperty(
        name="Bake To",
        description="What a bake writes. The line below shows its size",
        items=bakes.mode_items(),
        default=bakes.ShapeKeys.id,
    )
    bake_step: IntProperty(
        name="Step",
        description="Frames between two shape keys. The motion between them is linear, so larger steps make fewer "
        "keys and coarser motion. The last frame always gets a key",
        default=1,
        min=1,
        max=LAST_FRAME,
        soft_max=10,
    )
    bake_tolerance: FloatProperty(
        name="Largest Error",
        description="Largest error of any vertex in any frame [m]. Smaller values need more keys",
        default=1e-3,
        min=1e-6,
        soft_min=1e-4,
        soft_max=0.1,
        precision=4,
        step=0.01,
        subtype="DISTANCE",
    )

    bake_split: BoolProperty(
        name="Split Mesh",
        description="Open tears in a bake to a Mesh Cache. The object gets a mesh with doubled vertices along the "
        "tears, and Clear Bake restores its own. Shape keys cannot open tears",
        default=False,
    )

    def draw_beside_bake(self, layout, obj):
        """Draw the range, the form of a bake, and its size."""
        settings = obj.hooke
        row = labelled(layout, "Frames")
        row.prop(settings, "frame_start", text="")
        row.prop(settings, "frame_end", text="")
        layout.prop(settings, "bake_mode")
        mode = self._mode(obj)
        named = f"{mode.label}: " if settings.bake_mode == bakes.AUTOMATIC else ""
        draw_text(layout, f"{named}{mode.cost(obj)}", "BLANK1")

    def draw(self, layout, obj):
        """Draw the settings of the bake mode."""
        for name in self._mode(obj).settings:
            layout.prop(obj.hooke, name)

    def _mode(self, obj):
        return bakes.MODES[bakes.mode_for(obj, obj.hooke.bake_mode)]


def check_mode_settings(obj, mode, given):
    """Raise MeshError where an object's bake mode, an id of bakes.MODES, does not read a name given, and others do."""
    options = {**CacheAndBake.option_names, "cache_file": "--cache-file"}
    readers = {
        name: [other for other in bakes.MODES.values() if name in other.settings + other.files]
        for name in given
    }
    for name, modes in readers.items():
        if modes and bakes.MODES[mode] not in modes:
            raise MeshError(
                f"{options[name]} makes no difference to a bake of '{obj.name}' to {bakes.MODES[mode].label}: leave it "
                f"out, or give --mode {' or '.join(other.id for other in modes)}"
            )
