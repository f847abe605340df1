# SPDX-License-Identifier: GPL-3.0-or-later
"""Two sheets that collide with each other, and what several objects show."""

import bpy
import numpy as np

from hooke.addon.play import sessions

from .colliding import collider
from .scenes import add_hooke, evaluated_world_positions, grid, play, same_bits, swing

FRAMES = range(1, 13)


def sheets(**settings):
    """A free sheet that falls onto a moving one which is pinned at its corners, each a collider of the other."""
    cloth = add_hooke(grid(side=9, pins={}), **settings)
    below = grid(side=7, name="Below", pins={0: 1.0, 6: 1.0, 42: 1.0, 48: 1.0, 24: 0.5})
    below.location.z = -0.2
    swing(below, distance=0.2)
    add_hooke(below, pin_stiffness=5.0, **settings)
    for obj in (cloth, below):
        collider(obj)
    bpy.context.view_layer.update()
    return cloth, below


def play_all(objects, frames):
    """Shown positions of each object by frame."""
    shown = {obj.name: {} for obj in objects}
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        for obj in objects:
            shown[obj.name] |= play(obj, [frame])
    return shown


def all_same(one, other):
    return all(same_bits(one[name], other[name]) for name in one)


def some(shown, frames):
    return {name: {frame: of[frame] for frame in frames} for name, of in shown.items()}


def reset_all(objects):
    for obj in objects:
        sessions.reset(obj)


def simulated(objects):
    return [sessions.find(obj).take.simulated for obj in objects]


def pierced(one, other):
    """How many edges of one object go through faces of another."""
    x, y = evaluated_world_positions(one), evaluated_world_positions(other)
    p, q = (x[[edge.vertices[end] for edge in one.data.edges]][:, None] for end in (0, 1))
    other.data.calc_loop_triangles()
    a, b, c = (y[[triangle.vertices[k] for triangle in other.data.loop_triangles]][None] for k in range(3))
    n = np.cross(b - a, c - a)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = ((a - p) * n).sum(axis=2) / ((q - p) * n).sum(axis=2)
        at = p + share[..., None] * (q - p)
        beside = [((np.cross(v - u, at - u) * n).sum(axis=2) < 0.0) for u, v in ((a, b), (b, c), (c, a))]
        return np.count_nonzero((share >= 0.0) & (share <= 1.0) & ~np.logical_or.reduce(beside))
