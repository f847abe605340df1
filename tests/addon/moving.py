# SPDX-License-Identifier: GPL-3.0-or-later
"""How users go from frame to frame, each a function of a random.Random."""

import bpy

LAST = 6


def plays(rng):
    frame = bpy.context.scene.frame_current
    for _ in range(rng.randint(1, 5)):
        frame = frame + 1 if frame < LAST + 1 else 1
        bpy.context.scene.frame_set(frame)


def plays_from_the_start(rng):
    for frame in range(1, rng.randint(3, LAST + 1)):
        bpy.context.scene.frame_set(frame)


def jumps(rng):
    bpy.context.scene.frame_set(rng.randint(0, LAST + 2))


def steps_back(rng):
    for _ in range(rng.randint(1, 4)):
        bpy.context.scene.frame_set(bpy.context.scene.frame_current - 1)


def looks_between_frames(rng):
    bpy.context.scene.frame_set(rng.randint(1, LAST), subframe=0.5)


MOVES = (plays, plays_from_the_start, jumps, steps_back, looks_between_frames)
