# SPDX-License-Identifier: GPL-3.0-or-later
"""Conditions of operators."""

from ..play.chosen_objects import is_simulated


def simulated(context):
    """Whether the active object is simulated: what most operators ask for."""
    return is_simulated(context.object)


def in_object_mode(cls, context):
    """Whether Blender is in Object Mode; where not, the operator class says so where it cannot be pressed."""
    if context.mode != "OBJECT":
        cls.poll_message_set("Leave Edit Mode first")
    return context.mode == "OBJECT"
