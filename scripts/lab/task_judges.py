# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges of the tasks: each says in a few words how a scene ended; needs bpy."""

from typing import Any

import bpy
import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from hooke.addon.gallery import stage

from .flapping import flapping
from .task_scenes import BALL, CUBE, FLOOR, FPS, LET_GO, LOWERED, POST, PRESSES, RADIUS, SOFT, SPHERE

# Closer to a surface than this is on it: what both keep distance by is larger [m].
ON = 1e-3
# Of a flag of 1.5 m: what goes less far sideways is taken by eye to hang still in the wind [m].
FLUTTERS = 0.05


def judge_hanging(obj, shown):
    """How far it fell, and how far it is stretched."""
    return f"hangs, {shown[0, :, 2].mean() - shown[-1, :, 2].mean():.2f} m lower, {stretched(obj, shown)}"


def judge_flag(obj, shown):
    """Whether its free edge flutters: how far it goes sideways in the last three seconds, and how often it beats."""
    edge = shown[-3 * FPS :].reshape(-1, 21, 31, 3)[:, :, -1, 1].mean(axis=1)
    way, beats = flapping(edge, FPS)
    if way < FLUTTERS or not beats:
        return f"hangs in the wind, its free edge goes {way:.2f} m sideways, {stretched(obj, shown)}"
    return f"flutters, {way:.2f} m from side to side, {beats:.1f} times a second, {stretched(obj, shown)}"


def judge_skirt(obj, shown):
    """How many vertices are in the body, and how far it is stretched."""
    body: Any = bpy.data.objects["Body"].evaluated_get(bpy.context.evaluated_depsgraph_get())
    into = body.matrix_world.inverted()
    depths = []
    for point in shown[-1]:
        local = into @ stage.Vector(point)
        _, nearest, normal, _ = body.closest_point_on_mesh(local)
        depths.append((nearest - local).dot(normal))
    count = int((np.array(depths) > ON).sum())
    return f"{count} of {len(depths):,} vertices in the body, {stretched(obj, shown)}"


def judge_jelly(obj, shown):
    """What is left of its volume, and how deep it is in the floor."""
    lowest = shown[-1, :, 2].min()
    share = volume(obj, shown[-1]) / CUBE**3
    where = "on the floor" if lowest > FLOOR - ON else f"{1e3 * (FLOOR - lowest):.0f} mm in the floor"
    height = np.ptp(shown[-1, :, 2])
    return f"{where}, {100 * share:.0f} % of its volume, {height:.2f} m high"


def judge_net(obj, shown):
    """How far its ends are from where the posts take them, and how far it is stretched."""
    worst, scene, starts = 0.0, bpy.context.scene, {}
    for name in ("Left Post", "Right Post"):
        index = obj.vertex_groups[name].index
        tied = [v.index for v in obj.data.vertices if any(g.group == index for g in v.groups)]
        for frame in range(1, len(shown) + 1, 12):
            scene.frame_set(frame)
            post = bpy.data.objects[name].matrix_world.translation
            starts.setdefault(name, np.array(post))
            moved = shown[frame - 1, tied] - np.array(post)
            worst = max(worst, float(np.abs(moved - (shown[0, tied] - starts[name])).max()))
    return f"its ends are within {1e3 * worst:.1f} mm of the posts, {stretched(obj, shown)}"


def judge_sphere(obj, shown):
    """Whether it is on the sphere, and how far inside it ever was."""
    distances = np.linalg.norm(shown - np.array(SPHERE), axis=2) - RADIUS
    inside = 1e3 * max(-distances.min(), 0.0)
    middle = shown[-1, :, 2].mean()
    where = "rests on it" if middle > SPHERE[2] else "slid off"
    return f"{where}, never deeper in than {inside:.0f} mm, {stretched(obj, shown)}"


def stretched(obj, shown):
    """In words: how much longer the longest edge is at the end than in the first frame."""
    return longest(shown, np.array([edge.vertices[:] for edge in obj.data.edges]))


def longest(shown, edges):
    """The same of some edges."""
    rest, lengths = (edge_lengths(shown[at], edges) for at in (0, -1))
    return f"edges +{100 * (lengths / rest - 1.0).max():.0f} % at most"


def edge_lengths(x, edges):
    """Lengths [m] of edges at positions [m], shape (…, n, 3)."""
    return np.linalg.norm(x[..., edges[:, 0], :] - x[..., edges[:, 1], :], axis=-1)


def volume(obj, points):
    """Volume [m³] of an object's closed faces with its vertices at points [m]."""
    obj.data.calc_loop_triangles()
    corners = points[np.array([triangle.vertices[:] for triangle in obj.data.loop_triangles])]
    return float(np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6.0)


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
    gaps = edge_lengths(shown[-1], loose)
    lowest = shown[-1][:, 2].min()
    wide, deep = 1e3 * gaps.max(), 1e3 * max(-lowest, 0.0)
    return f"its {len(gaps)} seams are open by {wide:.1f} mm at most, {deep:.0f} mm in the ground"


def judge_softened(obj, shown):
    """How much longer its weight makes it before and after the keys, each in the mean of a second."""
    edges = np.array([edge.vertices[:] for edge in obj.data.edges])
    way = shown[0][edges[:, 0]] - shown[0][edges[:, 1]]
    hanging = edges[np.abs(way[:, 2]) > np.abs(way[:, 0])]
    lengths = edge_lengths(shown, hanging).mean(axis=1)
    strains = lengths / lengths[0] - 1.0
    before, after = (100 * strains[last - FPS : last].mean() for last in (SOFT - FPS, len(shown)))
    return f"{before:.2g} % longer before, {after:.2g} % after"


def judge_draped(obj, shown):
    """How far it moves in the first seconds, and how much its longest edge is beyond the modelled."""
    moved = np.linalg.norm(shown - shown[0], axis=2).max()
    edges = np.array([edge.vertices[:] for edge in obj.data.edges])
    # Of a metre, in 30 cells.
    longer = 100 * (30.0 * edge_lengths(shown[-1], edges).max() - 1.0)
    return (
        f"moves {100 * moved:.1f} cm at most from where it begins, edges {longer:+.0f} % beside the modelled"
    )


def judge_torn(obj, shown):
    """In how many parts its faces are, and how far what holds together is stretched."""
    mesh: Any = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    edges = np.array([key for face in mesh.polygons for key in face.edge_keys])
    joined = sparse.coo_matrix((np.ones(len(edges)), edges.T), shape=2 * (len(mesh.vertices),))
    part = connected_components(joined)[1]
    of_faces = np.unique(part[edges[:, 0]], return_counts=True)[1]
    share = np.sort(of_faces)[::-1][:2] / of_faces.sum()
    parts = (
        "one part"
        if len(of_faces) == 1
        else f"{len(of_faces)} parts, the two largest {100 * share.sum():.0f} % of it"
    )
    return f"{parts}, {longest(shown, edges)}"
