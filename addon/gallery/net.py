# SPDX-License-Identifier: GPL-3.0-or-later
"""A net between two moving posts."""

import numpy as np

from . import stage

LABEL = "Net"
DESCRIPTION = "Edges without faces, tied to two objects that move: Hook modifiers above Hooke lead its pins"
FRAME_END = 200

COLUMNS, ROWS, WIDTH, HEIGHT, TOP, SAG = 48, 24, 2.4, 1.2, 2.3, 1.15


def build(scene):
    """A net that hangs slack between the tops and feet of two posts, of which one walks to and fro."""
    points, faces, column, row = stage.sheet(COLUMNS, ROWS, WIDTH, HEIGHT)
    sides = faces[:, [0, 1, 1, 2, 2, 3, 3, 0]].reshape(-1, 2)
    edges = np.unique(np.sort(sides, axis=1), axis=0)
    net = stage.mesh_object(
        scene, "Net", np.add(points, (-WIDTH / 2.0, 0.0, TOP)), edges=edges, color=(0.75, 0.6, 0.35)
    )
    pins = []
    for name, end, side in (("Left Post", 0, -1.0), ("Right Post", COLUMNS, 1.0)):
        place = side * WIDTH / 2.0
        post = stage.bar(scene, name, (place, 0.0, 0.0), (place, 0.0, TOP + 0.1), 0.04, (0.4, 0.28, 0.18))
        tied = ((column == end) & (row % 6 == 0)).nonzero()[0]
        pins.extend(tied)
        stage.group(net, name, tied)
        hook = net.modifiers.new(name, "HOOK")
        hook.object, hook.vertex_group = post, name
        # Where the post was when it took hold.
        hook.matrix_inverse = post.matrix_world.inverted() @ net.matrix_world
        _walk(post, side)
    stage.group(net, "Pin", pins)
    stage.ground(scene)
    stage.look(scene, (0.0, -6.2, 2.0), (0.0, 0.0, 1.35))
    return stage.thicken(stage.simulate(scene, net, "Pin", "Net"), 0.006)


def _walk(post, side):
    frames = np.arange(1, FRAME_END + 1, 4)
    phase = 2.0 * np.pi * (frames - 1) / 60.0
    start = post.location.copy()
    stage.key(post, "location", frames, start.x - side * 0.25 * (1.0 - np.cos(phase)), index=0)
    stage.key(post, "location", frames, start.y + side * 0.35 * np.sin(phase), index=1)
