# SPDX-License-Identifier: GPL-3.0-or-later
"""A sheet that is torn apart."""

from .scenes import add_hooke, grid

LAST = 14
SIDE = 9


def torn_apart():
    """A sheet of which one row of vertices is carried away from the one that is held."""
    pins = {index: 1.0 for row in (0, SIDE - 1) for index in range(row * SIDE, row * SIDE + SIDE)}
    obj = grid(SIDE, pins=pins)
    key = obj.shape_key_add(name="Basis") and obj.shape_key_add(name="Pull")
    for index in range((SIDE - 1) * SIDE, SIDE * SIDE):
        key.data[index].co.y += 2.0
    for frame, value in ((1, 0.0), (10, 1.0)):
        key.value = value
        key.keyframe_insert("value", frame=frame)
    add_hooke(obj, air_drag=0.5, stretch_stiffness=500.0, damping_ratio=0.3, frame_end=LAST)
    obj.hooke.tearing, obj.hooke.breaking_strain = True, 0.3
    return obj
