# SPDX-License-Identifier: GPL-3.0-or-later
"""How the object follows its animation, and rings about it."""

import math
from types import MappingProxyType

from bpy.props import BoolProperty, FloatProperty

from ...core import Jiggle as CoreJiggle
from ..colliders import Doubt
from .labels import draw_quantity, labelled
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
    initial = MappingProxyType({"jiggle_sags": False})

    jiggle: BoolProperty(
        name="Jiggle",
        description="Pull every vertex to where armature, modifiers and keys have it, so that soft parts of a "
        "character swing. Vertices of pin weight 1 do not jiggle",
        default=False,
    )
    jiggle_frequency: FloatProperty(
        name="Frequency",
        description="Oscillations about the animated place in a second [Hz]: a belly has 2, cheeks 6. Lower "
        "values lag more. Frames in which it is animated are slower",
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
        description="Damping of the jiggle, as a damping ratio: 0 swings for ever, 0.2 stops after a few swings, "
        "1 does not swing back",
        default=0.2,
        min=0.0,
        max=100.0,
        soft_max=1.0,
        precision=2,
        step=1,
    )

    # Files from before there was a choice hang from their goals.
    jiggle_sags: BoolProperty(
        name="Sags",
        description="Let gravity pull the object from its animated place by the distance that Hangs By shows. Off, it "
        "keeps the modelled shape where nothing moves it",
        default=True,
    )

    def draw(self, layout, obj):
        """Draw the oscillator, and how far it hangs from its goals."""
        settings = obj.hooke
        column = layout.column()
        column.enabled = settings.jiggle
        draw_quantity(column, settings, "jiggle_frequency", "Hz")
        column.prop(settings, "jiggle_damping")
        column.prop(settings, "jiggle_sags")
        row = labelled(column, "Hangs By")
        row.enabled = settings.jiggle_sags
        row.label(text=_hangs_by(settings))

    def network_arguments(self, settings, maps, before):
        """The goal springs, if there are any."""
        if not settings.jiggle:
            return {}
        how = settings.jiggle_frequency, settings.jiggle_damping
        return {"jiggle": CoreJiggle(*how, sags=settings.jiggle_sags)}

    def simulation_arguments(self, settings, scene, body, maps, surroundings):
        """A doubt where pins leave nothing that jiggles."""
        held = settings.jiggle and bool((maps["pin_group"] == 1.0).all())
        return {"doubts": [Doubt(_ALL_HELD)]} if held else {}


def _hangs_by(settings):
    """How far gravity moves what rests from its goals, g/(2 pi f)^2."""
    sag = abs(settings.gravity_weight) * _G / (2.0 * math.pi * settings.jiggle_frequency) ** 2
    return f"{1e3 * sag:.3g} mm" if sag < 1.0 else f"{sag:.3g} m"
