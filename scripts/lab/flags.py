# SPDX-License-Identifier: GPL-3.0-or-later
"""Flags in wind: by Hooke's core as numbers without dimension, and beside Blender's Cloth modifier; needs bpy.

`flags`: a square flag without weight that is held by one edge. Its mass ratio is rho L / m, and its speed
U L sqrt(m / B) for the flexural rigidity B. `flutter`: a flag of silk, 1.5 x 1 m and 2,501 vertices, in Blender's Wind
without noise. `wind`: a square of 1 m and 441 vertices hangs from its upper edge. Both weigh 0.3 kg a vertex, the
modifier's default; Hooke's gets as much Air Drag as the modifier's air has for so heavy a cloth. The last column is a
shirt's cotton by Hooke as added, in wind as much weaker as it is lighter.
"""

import time
from functools import partial

import bpy
import numpy as np
from measuring.blender import empty_scene, positions
from measuring.measured import Measured

from hooke.addon.gallery import stage
from hooke.addon.sections.field_forces import PRESSURE
from hooke.core import Simulation, SpringNetwork
from hooke.core.effort import EFFORTS
from hooke.core.forces import Reach, Wind
from hooke.core.material import Material

from .flapping import flapping
from .task_scenes import material_preset

FPS = 24
# Of `flags`: density of air [kg/m^3], length [m], speed of the wind [m/s], and the frames that are looked at.
DENSITY, LENGTH, SPEED, YAW, SECONDS, FROM = 1.204, 1.0, 4.0, 0.03, 12, 6
RUNS = (("STANDARD", 24), ("STANDARD", 60), ("FINE", 24))
CLOTH_MASS, COTTON, VERTICES, SETTLING_DRAG = 0.3, 0.136, 441, 100.0


def regime(mass_ratio, speed):
    """Cells: frequencies, ways and their product, of every run."""
    found = np.array([_flapped(mass_ratio, speed, *run) for run in RUNS]).T
    ways, beats = found[0] / LENGTH, found[1] * LENGTH / SPEED
    return [", ".join(f"{value:.2f}" for value in row) for row in (beats, ways, beats * ways)]


def _flapped(mass_ratio, speed, effort, rate):
    mass = DENSITY * LENGTH / mass_ratio
    material = Material(
        stretch=4e4 * mass, shear=4e3 * mass, bending=mass * (SPEED * LENGTH / speed) ** 2, area_density=mass
    )
    points, faces, column, _ = stage.sheet(24, 12, LENGTH, LENGTH)
    network = SpringNetwork.from_mesh(points, faces=faces, material=material, pins=column == 0)
    # Along x, but for a little that something begins with.
    along = np.array([np.cos(YAW), np.sin(YAW), 0.0])
    pose = np.eye(4)
    pose[:3, :3] = np.column_stack([[0, 0, 1], np.cross(along, [0, 0, 1]), along])
    wind = Wind(SPEED, Reach(pose), inertia=1.0)
    simulation = Simulation(network, dt=1 / rate, forces=wind, gravity=0, **EFFORTS[effort].settings)
    y = np.array([x[column == 24, 1].mean() for x in simulation.frames(SECONDS * rate)])
    return flapping(y[FROM * rate :], rate)


def blown(shape, hangs, strength, count, turn, add):
    """World positions of a flag in wind along x at every frame, and the processor time of a frame [s].

    shape: as of `stage.sheet`; hangs: whether it is held by its upper edge, else by an upright one; turn: of the wind
    [rad].
    """
    scene = empty_scene(FPS)
    scene.frame_end = count
    bpy.ops.object.effector_add(type="WIND", location=(-3.0, 0.0, 0.0), rotation=(0.0, np.pi / 2, turn))
    bpy.context.object.field.strength = strength
    points, faces, column, row = stage.sheet(*shape)
    if hangs:
        points = np.asarray(points)[:, [1, 0, 2]]
    flag = stage.mesh_object(scene, "Flag", points, faces=faces)
    stage.group(flag, "Pin", np.flatnonzero((row if hangs else column) == 0))
    stage.activate(flag)
    add(flag)
    frames, began = [], time.process_time()
    for frame in range(1, count + 1):
        scene.frame_set(frame)
        frames.append(positions(flag))
    return np.array(frames), (time.process_time() - began) / count


def _silk(flag, inertia=1.0):
    bpy.ops.hooke.add()
    material_preset("Silk")
    flag.hooke.air_inertia = inertia


def _cloth(flag, mass=CLOTH_MASS, quality=10):
    settings = flag.modifiers.new("Cloth", "CLOTH").settings
    settings.mass, settings.vertex_group_mass, settings.quality = mass, "Pin", quality
    return settings


def _silk_of_cloth(flag):
    """The modifier's own silk."""
    settings = _cloth(flag, 0.15, 5)
    settings.tension_stiffness = settings.compression_stiffness = 5.0
    settings.shear_stiffness, settings.bending_stiffness = 5.0, 0.05
    settings.tension_damping = settings.compression_damping = settings.shear_damping = 0.0


def _heavy(flag):
    """Hooke's cotton, of the modifier's mass, and as much stiffer."""
    bpy.ops.hooke.add()
    flag.hooke.area_density = CLOTH_MASS * VERTICES
    for name in ("stretch_stiffness", "bending_rigidity"):
        setattr(flag.hooke, name, getattr(flag.hooke, name) * CLOTH_MASS * VERTICES / COTTON)
    flag.hooke.air_drag, flag.hooke.air_law = SETTLING_DRAG, "FLOW"


SILKS = {"Hooke": _silk, "Air Inertia 0": partial(_silk, inertia=0.0), "Cloth modifier": _silk_of_cloth}
HEAVY = {"Cloth modifier": _cloth, "Hooke": _heavy, "Hooke, cotton": lambda _flag: bpy.ops.hooke.add()}


def flutter(strength):
    """Cells: way and beats of each kind of silk, the stretch of Hooke's, and its time over that without inertia."""
    cells, times = [], {}
    for name, add in SILKS.items():
        frames, times[name] = blown((60, 40, 1.5, 1.0), False, strength, 120, 0.05, add)
        grid = frames[36:].reshape(84, 41, 61, 3)
        y = grid[:, :, -1, 1].mean(axis=1)
        up = np.count_nonzero((y[:-1] < y.mean()) & (y[1:] >= y.mean()))
        cells += [f"{np.ptp(y):.2f}", f"{up * FPS / len(y):.1f}"]
        if name == "Hooke":
            lengths = [
                40.0 * np.linalg.norm(np.diff(grid, axis=axis), axis=-1).reshape(84, -1) for axis in (1, 2)
            ]
            strains = np.maximum(np.concatenate(lengths, axis=1) - 1.0, 0.0)
            cells.append(f"{100.0 * strains.mean(axis=1).max():.1f}, {100.0 * strains.max():.1f} %")
    return *cells, f"{times['Hooke'] / times['Air Inertia 0']:.2f}"


def wind(strength):
    """Cells: angle at which weight and pressure balance, and the mean angle of each kind in the last three seconds."""
    yield f"{np.degrees(np.arctan(PRESSURE * strength / (CLOTH_MASS * VERTICES * 9.81))):.0f}°"
    for name, add in HEAVY.items():
        blows = strength * (COTTON / (CLOTH_MASS * VERTICES) if name.endswith("cotton") else 1.0)
        frames, _ = blown((20, 20, 1.0, 1.0), True, blows, 8 * FPS, 0.0, add)
        lower = frames[-3 * FPS :, -21:].mean(axis=1) - frames[0, :21].mean(axis=0)
        yield f"{np.degrees(np.arctan2(lower[:, 0], -lower[:, 2])).mean():.0f}°"


TABLES = (
    Measured(
        "flags",
        "air.md",
        ("mass ratio", "speed", "f L/U", "way of the edge over L", "f times way over U"),
        # Of each ratio speeds above where it begins to flap.
        {
            (f"{ratio:g}", f"{speed:g}"): (ratio, speed)
            for ratio, speed in ((0.3, 28.0), (1.0, 16.0), (1.0, 20.0), (3.0, 14.0), (3.0, 18.0))
        },
        regime,
    ),
    Measured(
        "flutter",
        "air.md",
        (
            "Strength of Wind",
            *("Hooke: way [m]", "beats [1/s]", "stretch: mean, worst edge"),
            *(f"{name}: {what}" for name in list(SILKS)[1:] for what in ("way [m]", "beats [1/s]")),
            "time over that of Air Inertia 0",
        ),
        {f"{strength:.0f}": (strength,) for strength in (5.0, 20.0, 50.0, 100.0)},
        flutter,
    ),
    Measured(
        "wind",
        "guide.md",
        ("Strength of Wind", "balance of weight and pressure", *HEAVY),
        {f"{strength:.0f}": (strength,) for strength in (500.0, 1500.0, 5000.0)},
        wind,
    ),
)
