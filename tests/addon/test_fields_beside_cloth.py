# SPDX-License-Identifier: GPL-3.0-or-later
"""Force fields move free triangles as they move those of Blender's own Cloth modifier."""

import bpy
import numpy as np
import pytest

from .blowing import field
from .scenes import add_hooke, evaluated_world_positions, mesh_object

# Radius of the triangles [m] and mass of their corners [kg].
RADIUS, MASS = 0.02, 1e-3
SIDES = RADIUS * np.array([[1, 0, 0], [-0.5, 0.75**0.5, 0], [-0.5, -(0.75**0.5), 0]])
AREA = 0.75 * 3**0.5 * RADIUS**2
SUBSTEPS, LAST = 20, 12
# What resists moves things as the cube of time, so that methods which take it a substep sooner or later differ by three
# steps in all; and room for single precision.
TOLERANCE = 4.0 / (SUBSTEPS * (LAST - 1))
PLACE = {"rotation": (0.5, -0.7, 0.9), "flow": 0.0, "wind_factor": 0.0}


def cloud(count=60):
    """Free triangles all around, turned anyhow."""
    random = np.random.default_rng(3)
    turns = np.linalg.qr(random.normal(size=(count, 3, 3)))[0]
    corners = random.uniform(-3.0, 3.0, (count, 1, 3)) + SIDES @ turns.transpose(0, 2, 1)
    return mesh_object(corners.reshape(-1, 3), faces=np.arange(3 * count).reshape(-1, 3).tolist())


def blenders(obj, mass=MASS, substeps=SUBSTEPS, **weights):
    """Give a cloud Blender's Cloth, without anything that holds it together."""
    modifier = obj.modifiers.new("Cloth", "CLOTH")
    settings = modifier.settings
    settings.mass, settings.quality, settings.air_damping = mass, substeps, 0.0
    for resistance in ("tension", "compression", "shear", "bending"):
        setattr(settings, f"{resistance}_stiffness", 0.0)
    for name, weight in weights.items():
        setattr(settings.effector_weights, name, weight)


def hookes(obj, mass=MASS, substeps=SUBSTEPS, **weights):
    """Give it Hooke, with next to nothing that does."""
    add_hooke(obj, air_drag=0.0, integrator="SYMPLECTIC_EULER", substeps=substeps, damping_ratio=0.0)
    obj.hooke.break_symmetry = False
    obj.hooke.stretch_stiffness, obj.hooke.shear_stiffness, obj.hooke.bending_rigidity = 1e-3, 0.0, 0.0
    # The modifier's gravity, in parts of which its fields act, is a thousandth of the scene's, in m per frame squared.
    obj.hooke.area_density = 3.0 * mass / AREA * 1000.0 / 24.0**2
    for name, weight in weights.items():
        setattr(obj.hooke, "field_weight" if name == "all" else f"weight_{name}", weight)


def moved(last=LAST):
    """How far the triangles of the active object are moved up to a frame [m], shape (count, 3)."""
    places = []
    for frame in range(1, last + 1):
        bpy.context.scene.frame_set(frame)
        places.append(evaluated_world_positions(bpy.context.object).reshape(-1, 3, 3).mean(axis=1))
    return places[-1] - places[0]


def deviation(*fields, weights=None):
    """By how much fields move a cloud otherwise than Blender's, over how far they do, root mean squares.

    A force that is the same everywhere moves all of it meanwhile by more than half a metre.
    """
    scene, ways = bpy.context.scene, []
    for give in (blenders, hookes):
        alone = []
        for acting in (fields, ()):
            bpy.data.batch_remove(list(scene.objects))
            scene.frame_set(1)
            scene.use_gravity = False
            carrying = field("FORCE", 60.0, name="Carrying", flow=0.0)
            carrying.location = -6000.0, -3000.0, -7400.0
            for kind, strength, settings in acting:
                field(kind, strength, **PLACE | settings)
            obj = cloud()
            give(obj, **({} if weights is None else weights))
            bpy.context.view_layer.update()
            alone.append(moved())
        ways.append(alone[0] - alone[1])
    theirs, ours = ways
    # A triangle at the edge of a reach may come in or go out a substep sooner: the farthest off is not counted.
    off = np.sort(np.linalg.norm(ours - theirs, axis=1))[:-1]
    return np.sqrt(np.mean(off**2) / np.mean(theirs**2) / 3.0)


TO = {"use_min_distance": True, "distance_min": 1.0, "use_max_distance": True, "distance_max": 3.0}
AROUND = {"use_radial_min": True, "radial_min": 0.8, "use_radial_max": True, "radial_max": 2.5}
WITHIN = {"use_radial_min": True, "radial_min": 30.0, "use_radial_max": True, "radial_max": 80.0}


@pytest.mark.sampled(21)
@pytest.mark.parametrize(
    ("kind", "strength", "settings"),
    [
        ("FORCE", 30.0, {}),
        ("FORCE", -30.0, {"shape": "PLANE", "z_direction": "POSITIVE"}),
        ("FORCE", 30.0, {"shape": "LINE", "use_gravity_falloff": True, "z_direction": "NEGATIVE"}),
        ("FORCE", 30.0, {"falloff_power": 1.5, **TO}),
        ("FORCE", 30.0, {"falloff_type": "TUBE", "falloff_power": 0.5, "radial_falloff": 2.0, **AROUND}),
        ("FORCE", 300.0, {"falloff_type": "CONE", "falloff_power": 1.0, "radial_falloff": 0.5, **WITHIN}),
        ("FORCE", 0.0, {"flow": 2.0, "falloff_power": 1.0}),
        ("FORCE", 30.0, {"wind_factor": 1.0, "falloff_power": 1.0}),
        ("HARMONIC", 4.0, {"wind_factor": 0.4, "harmonic_damping": 0.0}),
        ("HARMONIC", 4.0, {"harmonic_damping": 1.0, "falloff_power": 2.0}),
        ("HARMONIC", 4.0, {"harmonic_damping": 1.0, "rest_length": 1.5, "shape": "LINE"}),
        ("VORTEX", 1.0, {"shape": "POINT"}),
        ("VORTEX", 1.0, {"shape": "PLANE"}),
        ("VORTEX", -1.0, {"shape": "PLANE", "use_max_distance": True, "distance_max": 2.0}),
        ("VORTEX", 1.0, {"shape": "PLANE", "z_direction": "POSITIVE", "flow": 1.0}),
        ("DRAG", 1.0, {"harmonic_damping": 0.0}),
        ("DRAG", 0.0, {"harmonic_damping": 5.0}),
        ("MAGNET", 5.0, {"shape": "POINT"}),
        ("MAGNET", -5.0, {"shape": "LINE", "falloff_power": 0.5}),
        ("MAGNET", 5.0, {"shape": "PLANE"}),
        ("TURBULENCE", 0.0, {"flow": 2.0}),
    ],
)
def test_a_field_moves_what_is_free_as_it_moves_blenders_cloth(kind, strength, settings, scene):
    assert deviation((kind, strength, settings)) < TOLERANCE


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("kind", "weight", "settings"),
    [
        ("FORCE", "force", {}),
        ("VORTEX", "vortex", {"shape": "PLANE"}),
        ("HARMONIC", "harmonic", {"harmonic_damping": 1.0}),
        ("DRAG", "drag", {}),
        ("MAGNET", "magnetic", {}),
    ],
)
def test_what_is_weighed_acts_as_on_blenders_cloth(kind, weight, settings, scene):
    weights = {"all": 0.8, weight: 0.5}
    assert deviation((kind, 2.0, settings), weights=weights) < TOLERANCE


def test_fields_at_one_place_act_together_as_on_blenders_cloth(scene):
    both = [("FORCE", 20.0, {"name": "One"}), ("HARMONIC", 2.0, {"name": "Other"})]
    assert deviation(*both) < TOLERANCE


def _turbulence(give, size, lag):
    """Displacements by turbulence within a frame at places and as many a lag [m] away, shape (2, count, 3)."""
    bpy.data.batch_remove(list(bpy.context.scene.objects))
    bpy.context.scene.use_gravity = False
    field("TURBULENCE", 1000.0, size=size, flow=0.0, wind_factor=0.0)
    random = np.random.default_rng(1)
    places, beside = random.uniform(-30.0, 30.0, (4000, 3)), random.normal(size=(4000, 3))
    beside *= lag / np.linalg.norm(beside, axis=1)[:, None]
    corners = np.concatenate([places, places + beside])[:, None] + SIDES
    faces = np.arange(3 * len(corners)).reshape(-1, 3).tolist()
    give(mesh_object(corners.reshape(-1, 3), faces=faces), substeps=1)
    bpy.context.view_layer.update()
    return moved(2).reshape(2, -1, 3)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("size", "lag"), [(1.0, 0.2), (1.0, 0.4), (3.0, 0.9), (0.0, 0.3)])
def test_turbulence_is_as_strong_and_as_wide_as_blenders(size, lag, scene):
    spreads, likeness = [], []
    for give in (blenders, hookes):
        there, beside = _turbulence(give, size, lag)
        spreads.append(np.sqrt(np.mean(there**2)))
        likeness.append(np.mean(there * beside) / spreads[-1] ** 2)
    # Of 12,000 numbers that are mostly independent.
    assert spreads[1] == pytest.approx(spreads[0], rel=0.05)
    assert likeness[1] == pytest.approx(likeness[0], abs=0.05)
    assert 0.3 < likeness[0] < 0.9


def test_charge_pushes_what_is_charged_as_blenders_particles(scene):
    scene.use_gravity = False
    # Blender's cloth has no charge; its particles have that of their own field.
    settings = {"falloff_power": 2.0, "falloff_type": "TUBE", "radial_falloff": 1.0, "shape": "LINE"}
    field("CHARGE", 30.0, **PLACE | settings)
    obj = cloud()
    bpy.ops.object.particle_system_add()
    system = obj.particle_systems[0].settings
    system.count, system.emit_from, system.use_emit_random = 180, "VERT", False
    system.frame_start = system.frame_end = 1
    system.normal_factor, system.effector_weights.gravity = 0.0, 0.0
    system.integrator, system.lifetime = "EULER", 100
    system.force_field_1.type, system.force_field_1.strength = "CHARGE", 1.0
    for frame in (1, 2):
        scene.frame_set(frame)
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).particle_systems[0]
    velocities = np.array([particle.velocity for particle in evaluated.particles])
    theirs = velocities.reshape(-1, 3, 3).mean(axis=1)
    obj.modifiers.clear()
    hookes(obj, substeps=1)
    bpy.context.view_layer.update()
    ours = moved(2)
    share = np.sum(ours * theirs) / np.sum(theirs**2)
    assert share > 0.0
    assert np.linalg.norm(ours - share * theirs) < 1e-3 * np.linalg.norm(ours)
