# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaving a scene's current frame and coming back to it."""

from contextlib import contextmanager

from . import sessions


def go_to(scene, frame, part=0.0):
    """Show a frame, and a part of the next; at the current frame, poses without keys stay."""
    if (scene.frame_current, scene.frame_subframe) != (frame, part):
        scene.frame_set(frame, subframe=part)
        return
    _evaluate(scene)
    sessions.update_scene(scene, sessions.seen_layer(scene).depsgraph)
    _evaluate(scene)


def _evaluate(scene):
    for layer in scene.view_layers:
        layer.update()


@contextmanager
def kept(scene):
    """Come back to the frame, and the part of the next, that a scene shows."""
    before = scene.frame_current, scene.frame_subframe
    try:
        yield
    finally:
        go_to(scene, *before)
