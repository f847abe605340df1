# SPDX-License-Identifier: GPL-3.0-or-later
"""How the object follows its animation, and rings about it."""

import math

from bpy.props import BoolProperty, FloatProperty

from ...core import Jiggle as CoreJiggle
from ..colliders import Doubt
from .labelled import draw_quantity, labelled
from .section import Section

# Gravity of the Earth [m/s^2], for what hangs from its goals.
_G = 9.81

_ALL_HELD = (
    "Nothing jiggles, for the Pin Group holds every vertex whole: choose one of what is stiff alone, or none"
)


class Jiggle(Section):
    """Springs from every vertex to where the animation has it."""

    id = "jiggle"
    label = "Jiggle"
    switch = "jiggle"
    animatable = ("jiggle_frequency", "jiggle_damping")
    remaking = animatable

    jiggle: BoolProperty(
        name="Jiggle",
        description="Whether every vertex is pulled to where armature, modifiers and keys have it, as soft parts of a "
        "moving character are. What the Pin Group holds at weight 1 does not jiggle",
        default=False,
    )
    jiggle_frequency: FloatProperty(
        name="Frequency",
        description="How often it swings about its place in a second [Hz]: a belly 2, cheeks 6; less lags behind more. "
        "Keyed, it makes a new factor in every frame",
        default=3.0,
        min=0.01,
        max=1000.0,
        soft_min=0.5,
        soft_max=10.0,
        precision=2,
        step=10,
    )
    jiggle_damping: FloatProperty(
        name="Damping Ratio",
        description="How soon it stops to swing: 0 never, 0.2 after some swings, 1 at once, without swinging back",
        default=0.2,
        min=0.0,
        max=100.0,
        soft_max=1.0,
        precision=2,
        step=1,
    )

    def draw(self, layout, obj):
        """Draw the oscillator, and how far it hangs from its goals."""
        settings = obj.hooke
        column = layout.column()
        column.enabled = settings.jiggle
        draw_quantity(column, settings, "jiggle_frequency", "Hz")
        column.prop(settings, "jiggle_damping")
        labelled(column, "Hangs By").label(text=_hangs_by(settings))

    def network_arguments(self, settings, maps, before):
        """The goal springs, if there are any."""
        if not settings.jiggle:
            return {}
        return {"jiggle": CoreJiggle(settings.jiggle_frequency, settings.jiggle_damping)}

    def simulation_arguments(self, settings, scene, body, maps, surroundings):
        """A doubt where pins leave nothing that jiggles."""
        held = settings.jiggle and bool((maps["pin_group"] == 1.0).all())
        return {"doubts": [Doubt(_ALL_HELD)]} if held else {}


def _hangs_by(settings):
    """How far gravity moves what rests from its goals, g/(2 pi f)^2."""
    sag = abs(settings.gravity_weight) * _G / (2.0 * math.pi * settings.jiggle_frequency) ** 2
    return f"{1e3 * sag:.3g} mm" if sag < 1.0 else f"{sag:.3g} m"
