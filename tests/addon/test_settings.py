# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings mean what they say: the add-on shows what the core computes from them."""

import bpy
import numpy as np
import pytest

from hooke.core import INTEGRATORS, AirDrag, Settling, Simulation, SpringNetwork
from hooke.core.imperfection import SLIGHT

from .scenes import add_hooke, evaluated_world_positions, grid, pin, status, swing, turn

FRAMES = range(1, 9)
WEIGHTS = {0: 1.0, 2: 0.25, 4: 1.0, 22: 0.5}
SETTINGS = {
    "stiffness": 60.0,
    "shear": 0.5,
    "bending": 0.25,
    "mass": 3.0,
    "damping": 0.125,
    "pin_stiffness": 40.0,
    "substeps": 15,
    "iterations": 2,
    "acceleration": "NONE",
    "time_stepping": "BACKWARD_EULER",
    "carried_stiffness": "ALL",
    "air_drag": 0.5,
}
AIR = {
    "AIR": AirDrag,
    "FLOW": lambda drag: AirDrag(drag, lift=0.0, swing_speed=3.0, steady=np.inf),
    "SETTLING": Settling,
}


def world_positions(obj, matrix):
    """Base positions of the object's mesh in world space, shape (n, 3)."""
    rest = np.array([vertex.co for vertex in obj.data.vertices], dtype=np.float64)
    matrix = np.array(matrix, dtype=np.float64)
    return rest @ matrix[:3, :3].T + matrix[:3, 3]


# Gravity and the air are forces, which no method is told of by name: every method with one, two of them with the other.
@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("use_gravity", "air_law", "integrator"),
    [
        *((True, "AIR", integrator) for integrator in INTEGRATORS),
        (True, "FLOW", "PROJECTIVE_DYNAMICS"),
        (False, "SETTLING", "PROJECTIVE_DYNAMICS"),
        (False, "SETTLING", "VERLET"),
    ],
)
def test_live_frames_are_the_core_s(integrator, use_gravity, air_law, scene):
    scene.render.fps, scene.render.fps_base = 30, 1.25
    scene.gravity, scene.use_gravity = (0.5, 0.0, -4.0), use_gravity
    obj = grid()
    pin(obj, WEIGHTS)
    obj.scale, obj.rotation_euler.x = (1.0, 1.5, -1.0), 0.3
    swing(obj)
    turn(obj)
    add_hooke(obj, integrator=integrator, air_law=air_law, **SETTINGS)

    shown, targets = [], []
    for frame in FRAMES:
        scene.frame_set(frame)
        shown.append(evaluated_world_positions(obj))
        targets.append(world_positions(obj, obj.matrix_world))
    assert "frame 8" in status(obj)

    pins = np.zeros(25)
    pins[list(WEIGHTS)] = list(WEIGHTS.values())
    k = SETTINGS["stiffness"]
    network = SpringNetwork.from_mesh(
        targets[0],
        [tuple(edge.vertices) for edge in obj.data.edges],
        [tuple(face.vertices) for face in obj.data.polygons],
        structural=k,
        shear=SETTINGS["shear"] * k,
        bending=SETTINGS["bending"] * k,
        mass=SETTINGS["mass"],
        damping=SETTINGS["damping"],
        pins=pins,
        pin_stiffness=SETTINGS["pin_stiffness"],
    )
    options = INTEGRATORS[integrator].options
    simulation = Simulation(
        network,
        integrator,
        dt=1.25 / 30,
        substeps=SETTINGS["substeps"],
        gravity=(0.5, 0.0, -4.0) if use_gravity else (0.0, 0.0, 0.0),
        forces=AIR[air_law](SETTINGS["air_drag"]),
        imperfection=SLIGHT,
        **{name: value for name, value in SETTINGS.items() if name in options and name != "substeps"},
    )
    for frame, target in enumerate(targets[1:], start=1):
        simulation.step(target)
        # float32 positions in object space, seen in world space.
        assert np.abs(shown[frame] - simulation.state.x).max() <= 2e-6
    assert np.abs(shown[-1] - targets[-1]).max() > 0.05


def test_adding_takes_the_range_of_the_scene(scene):
    scene.frame_start, scene.frame_end = 5, 77
    settings = add_hooke(grid()).hooke
    assert (settings.frame_start, settings.frame_end) == (5, 77)


def test_adding_again_keeps_the_settings(scene):
    obj = add_hooke(grid(), stiffness=12.0, frame_start=3)
    add_hooke(obj)
    assert (obj.hooke.stiffness, obj.hooke.frame_start) == (12.0, 3)
    assert [modifier.name for modifier in obj.modifiers] == ["Hooke"]
    bpy.ops.hooke.remove()
    add_hooke(obj)
    assert obj.hooke.stiffness == 12.0


def test_the_status_tells_vertices_springs_frame_time_and_strain(scene):
    # Free, without gravity: nothing moves and nothing is stretched. 25 vertices; 40 edges, 32 diagonals, 30 bends
    # along the lines and 16 twists.
    scene.use_gravity = False
    obj = add_hooke(grid(pins={}))
    for frame in FRAMES:
        scene.frame_set(frame)
    words = status(obj).split(" · ")
    assert words[0] == "25 vertices"
    assert words[1] == f"{40 + 32 + 30 + 16} springs"
    assert words[2] == "frame 8"
    assert words[3].endswith(" ms")
    assert words[4] == "strain 0.0 %"


KEEPS = (
    "ARMATURE",
    "CAST",
    "HOOK",
    "LATTICE",
    "SHRINKWRAP",
    "SIMPLE_DEFORM",
    "SMOOTH",
    "SURFACE_DEFORM",
    "WAVE",
)
CHANGES = ("ARRAY", "BEVEL", "DECIMATE", "MIRROR", "REMESH", "SOLIDIFY", "SUBSURF", "TRIANGULATE", "WELD")


def test_hooke_goes_below_what_deforms_and_above_what_changes_the_mesh(scene):
    obj = grid()
    for kind in (*KEEPS, *CHANGES, "SMOOTH"):
        obj.modifiers.new(kind.title(), kind)
    add_hooke(obj)
    assert obj.modifiers.find("Hooke") == len(KEEPS)
