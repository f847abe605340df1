# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes of what an artist directs: press, let go, shrink, sew, drape, tear; and what came out; needs bpy."""

from typing import Any

import bpy
import numpy as np

from hooke.addon.gallery import stage, tear

from .task_scenes import FPS, activate, empty, volume

# Of the cushion: its size and thickness [m], and its cells along either.
WIDE, THICK, CELLS, LAYERS = 0.6, 0.2, 18, 6
BALL, LOWERED, RAISED = 0.15, 0.27, 0.45
PRESSES = (1, 24, 48, 60)
# The frame from which nothing holds the banner, and that from which the sheet is soft.
LET_GO, SOFT = 25, 72
# How much softer it is then.
SOFTER = 500
POST, BAND = 0.35, 0.42
PANEL, APART, PANEL_CELLS = 0.6, 0.06, 16


def cushion():
    """A closed box of cloth, its sides bulged, on a ground, and a ball that presses on it and goes; both collide."""
    scene = empty()
    bpy.ops.mesh.primitive_cube_add(size=1.0)
    made = bpy.context.object
    made.name = "Cushion"
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.subdivide(number_cuts=CELLS - 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    for vertex in made.data.vertices:
        x, y, z = vertex.co
        bulge = np.sqrt((1.0 - 3.6 * x * x) * (1.0 - 3.6 * y * y))
        vertex.co = (WIDE * x, WIDE * y, THICK * z * bulge + THICK / 2.0)
    stage.collider(stage.ground(scene))
    ball = stage.collider(stage.ball(scene, "Ball", BALL, (0.0, 0.0, RAISED), (0.6, 0.6, 0.6)))
    stage.key(ball, "location", PRESSES, (RAISED, LOWERED, LOWERED, RAISED), index=2)
    scene.frame_set(1)
    activate(made)
    return made


def banner():
    """An upright sheet of 1 m, 961 vertices, its upper edge in the group Pin."""
    scene = empty()
    points, faces, _column, row = stage.sheet(30, 30, 1.0, 1.0)
    made = stage.mesh_object(scene, "Banner", np.add(points, (0.0, 0.0, 4.0)), faces=faces)
    stage.group(made, "Pin", (row == 0).nonzero()[0])
    activate(made)
    return made


def band():
    """A tube of cloth, 768 vertices, a fifth wider than the post that it is around."""
    scene = empty()
    post = stage.bar(scene, "Post", (0.0, 0.0, -1.0), (0.0, 0.0, 1.0), POST, (0.6, 0.6, 0.6))
    post.data.shade_smooth()
    around, down = 64, 11
    turns, rows = 2.0 * np.pi * np.arange(around) / around, np.linspace(0.0, 0.4, down + 1)
    points = [(BAND * np.cos(t), BAND * np.sin(t), height) for height in rows for t in turns]
    faces = [
        (row * around + i, row * around + j, (row + 1) * around + j, (row + 1) * around + i)
        for row in range(down)
        for i, j in ((i, (i + 1) % around) for i in range(around))
    ]
    made = stage.mesh_object(scene, "Band", points, faces=faces)
    activate(made)
    return made


def panels():
    """Two level squares above each other on a ground that collides, and loose edges from rim to rim."""
    scene = empty()
    flat, quads, column, row = stage.sheet(PANEL_CELLS, PANEL_CELLS, PANEL, PANEL)
    level = np.column_stack([flat[:, 0], flat[:, 2], np.full(len(flat), 0.05)])
    rim = np.flatnonzero(np.isin(column, (0, PANEL_CELLS)) | np.isin(row, (0, PANEL_CELLS)))
    points = np.concatenate([level, np.add(level, (0.0, 0.0, APART))])
    faces = np.concatenate([quads[:, ::-1], quads + len(flat)])
    made = stage.mesh_object(scene, "Panels", points, np.column_stack([rim, rim + len(flat)]), faces)
    stage.collider(stage.ground(scene))
    activate(made)
    return made


def pulled():
    """The gallery's cloth that is pulled until it tears, without Hooke, its sides in the group Pin."""
    scene = empty()
    made = tear.build(scene)
    activate(made)
    bpy.ops.hooke.remove()
    for name in list(made.hooke.bl_rna.properties.keys()):
        made.hooke.property_unset(name)
    made.vertex_groups["Sides"].name = "Pin"
    return made


def judge_cushion(obj, shown):
    """What there is of its volume while the ball presses and afterwards, and how far it is in the ball."""
    whole = volume(obj, shown[0])
    pressed, after = (volume(obj, shown[at]) / whole for at in (PRESSES[2] - 1, -1))
    place = np.array((0.0, 0.0, LOWERED))
    into = BALL - np.linalg.norm(shown[PRESSES[2] - 1] - place, axis=1).min()
    return (
        f"{100 * pressed:.0f} % of its volume while it is pressed, {100 * after:.0f} % afterwards, "
        f"{1e3 * max(into, 0.0):.0f} mm in the ball"
    )


def judge_release(_obj, shown):
    """How fast its middle falls from where it was let go, beside the acceleration of gravity."""
    height = shown[:, :, 2].mean(axis=1)
    held = np.ptp(height[LET_GO - 7 : LET_GO - 1])
    # The step to the frame that it is let go in begins with it held.
    gained = np.diff(height[LET_GO : LET_GO + 6], 2) * FPS**2
    return f"still to {1e3 * held:.0f} mm before, falls with {-gained.mean():.1f} m/s² from then on"


def judge_band(_obj, shown):
    """How far from the post it is, and how far it slid down."""
    away = 1e3 * (np.linalg.norm(shown[-1][:, :2], axis=1) - POST)
    slid = 1e2 * (shown[0] - shown[-1])[:, 2].mean()
    return f"{away.mean():.0f} mm off the post, {away.min():.0f} to {away.max():.0f}; slid {slid:.0f} cm down"


def judge_seams(obj, shown):
    """How wide the widest seam is, and how deep it is in the ground."""
    loose = np.array([edge.vertices[:] for edge in obj.data.edges if edge.is_loose])
    gaps = np.linalg.norm(np.diff(shown[-1][loose], axis=1)[:, 0], axis=1)
    lowest = shown[-1][:, 2].min()
    wide, deep = 1e3 * gaps.max(), 1e3 * max(-lowest, 0.0)
    return f"its {len(gaps)} seams are open by {wide:.1f} mm at most, {deep:.0f} mm in the ground"


def judge_softened(obj, shown):
    """How much longer its weight makes it before and after the keys, each in the mean of a second."""
    edges = np.array([edge.vertices[:] for edge in obj.data.edges])
    way = shown[0][edges[:, 0]] - shown[0][edges[:, 1]]
    hanging = edges[np.abs(way[:, 2]) > np.abs(way[:, 0])]
    lengths = np.linalg.norm(np.diff(shown[:, hanging], axis=2)[:, :, 0], axis=2).mean(axis=1)
    strains = lengths / lengths[0] - 1.0
    before, after = (100 * strains[last - FPS : last].mean() for last in (SOFT - FPS, len(shown)))
    return f"{before:.2g} % longer before, {after:.2g} % after"


def judge_draped(obj, shown):
    """How far it moves in the first seconds, and how much its longest edge is beyond the modelled."""
    moved = np.linalg.norm(shown - shown[0], axis=2).max()
    edges = np.array([edge.vertices[:] for edge in obj.data.edges])
    lengths = np.linalg.norm(np.diff(shown[-1][edges], axis=1)[:, 0], axis=1)
    # Of a metre, in 30 cells.
    longer = 100 * (30.0 * lengths.max() - 1.0)
    return (
        f"moves {100 * moved:.1f} cm at most from where it begins, edges {longer:+.0f} % beside the modelled"
    )


def judge_torn(obj, shown):
    """In how many parts its faces are, and how far what holds together is stretched."""
    mesh: Any = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    part = np.arange(len(mesh.vertices))
    edges = np.array([key for face in mesh.polygons for key in face.edge_keys])
    while (part[edges[:, 0]] != part[edges[:, 1]]).any():
        least = part[edges].min(axis=1)
        for side in edges.T:
            np.minimum.at(part, side, least)
    of_faces = np.unique(part[edges[:, 0]], return_counts=True)[1]
    share = np.sort(of_faces)[::-1][:2] / of_faces.sum()
    lengths, rest = (np.linalg.norm(np.diff(at[edges], axis=1)[:, 0], axis=1) for at in (shown[-1], shown[0]))
    parts = (
        "one part"
        if len(of_faces) == 1
        else f"{len(of_faces)} parts, the two largest {100 * share.sum():.0f} % of it"
    )
    return f"{parts}, edges +{100 * (lengths / rest - 1.0).max():.0f} % at most"
