# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids beside what theory says: a beam at resolutions of its surface, jelly that falls, frames of a fine mesh.

Needs bpy.
"""

from time import process_time

import bpy
import numpy as np
from measuring import machine
from measuring.page import ROOT, significant, table, write_block

from hooke.core import Plane, Simulation, Solid
from hooke.core.effort import EFFORTS

from .boxes import box, turn, volume
from .solid_beam import ratios, theory

FPS = 24
BEAM, SPACINGS = (1.0, 0.2, 0.2), (0.2, 0.1, 0.05, 0.025)
OTHERS = {
    "turned about three axes": (BEAM, turn(0.35, 0.5, 0.7)),
    "1 × 0.1 × 0.1 m": ((1.0, 0.1, 0.1), None),
    "1 × 0.5 × 0.05 m": ((1.0, 0.5, 0.05), None),
}
# The preset Jelly.
JELLY = {"modulus": 3e5, "poisson": 0.48, "density": 1000.0, "damping_ratio": 0.05}
FALLEN, SUBDIVIDED = 72, 4


def run():
    """Measure all and write the tables."""
    text = "\n\n".join([_beams(), _cubes(), _suzanne()])
    write_block("solids", text, page=ROOT / "docs" / "solver_figures.md")


def _beams():
    rows = []
    for spacing in SPACINGS:
        rows.append((f"edges of {spacing:g} m", *_told(ratios(BEAM, spacing))))
        print("  " + "  ".join(rows[-1]), flush=True)
    for name, (size, turned) in OTHERS.items():
        rows.append((name, *_told(ratios(size, 0.1, turned))))
        print("  " + "  ".join(rows[-1]), flush=True)
    rows.append(("Poisson's ratio 0.45", *_told(ratios(BEAM, 0.1, poisson=0.45))))
    exact = theory(BEAM)
    note = (
        "A beam of 1 × 0.2 × 0.2 m, 100 kPa and 1000 kg/m³, clamped at one end, over theory: stretch "
        f"{exact.stretch:.4f} m and sag {exact.sag:.4f} m by its weight (Timoshenko), first frequency "
        f"{exact.frequency / (2.0 * np.pi):.4f} Hz "
        "(Euler–Bernoulli, which leaves out shear: with it the frequency is 2 to 3 % lower)."
    )
    return f"{note}\n\n" + table(("", "stretch", "sag", "frequency"), rows)


def _told(found):
    return tuple(f"{value:.3f}" for value in found)


def _cubes():
    rows = []
    for name, angles in (("flat", (0.0, 0.0, 0.0)), ("on a corner", (0.5, 0.35, 0.0))):
        for effort in ("STANDARD", "FINE"):
            rows.append((f"{name}, {EFFORTS[effort].label}", *_fallen(angles, effort)))
            print("  " + "  ".join(rows[-1]), flush=True)
    note = "A cube of jelly, 1 m, falls by 1 m onto a floor: in three seconds, and volume at their end."
    headings = ("", "longest spring", "shortest", "least volume", "at the end", "below the floor [m]")
    return f"{note}\n\n" + table(headings, rows)


def _fallen(angles, effort):
    points, faces = box((1.0, 1.0, 1.0), 0.125)
    points = (points - 0.5) @ turn(*angles)
    points[:, 2] += 1.0 - points[:, 2].min()
    body = Solid.from_mesh(points, faces=faces, **JELLY)
    simulation = Simulation(body, dt=1.0 / FPS, contacts=Plane(), **EFFORTS[effort].settings)
    begun, longest, shortest, least, lowest = volume(points, faces), 0.0, 0.0, 1.0, 0.0
    share = 1.0
    for x in simulation.frames(FALLEN):
        strains = simulation.network.strains(simulation.state.x)
        longest, shortest = max(longest, strains.max()), min(shortest, strains.min())
        share = volume(x, faces) / begun
        least, lowest = min(least, share), min(lowest, x[:, 2].min())
    percent = (f"{100 * value:+.0f} %" for value in (longest, shortest))
    return (*percent, f"{100 * least:.1f} %", f"{100 * share:.1f} %", significant(-lowest))


def _suzanne():
    points, faces = _monkey(SUBDIVIDED)
    points[:, 2] += 1.0 - points[:, 2].min()
    began = process_time()
    body = Solid.from_mesh(points, faces=faces, **JELLY)
    made = process_time() - began
    simulation = Simulation(body, dt=1.0 / FPS, contacts=Plane(), **EFFORTS["STANDARD"].settings)
    times, lowest = [], 0.0
    for _ in range(FALLEN):
        began = process_time()
        simulation.step()
        x = simulation.vertices
        times.append(1e3 * (process_time() - began))
        lowest = min(lowest, x[:, 2].min())
    falls, lies = np.mean(times[1:8]), np.array(times[12:])
    wide = np.ptp(points, axis=0).max()
    text = (
        f"Suzanne of jelly, {len(points):,} vertices and {wide:.2g} m wide, carried by {body.network.vertex_count:,} "
        f"particles, made in {made:.1f} s, falls by 1 m at Standard: {falls:.0f} ms a frame in the air, "
        f"{np.median(lies):.0f} ms on the floor (median; {lies.mean():.0f} on average, {lies.max():.0f} at most; "
        f"{machine.description()}). Her lowest vertex is at most {100 * -lowest / wide:.2f} % of her size below the "
        "floor."
    )
    print(f"  {text}", flush=True)
    return text


def _monkey(levels):
    """Points [m] and quads or triangles of Blender's monkey, subdivided so often."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.mesh.primitive_monkey_add(size=1.0)
    obj = bpy.context.view_layer.objects.active
    obj.modifiers.new("Subdivision", "SUBSURF").levels = levels
    bpy.ops.object.modifier_apply(modifier="Subdivision")
    points = np.array([vertex.co[:] for vertex in obj.data.vertices])
    return points, [list(face.vertices) for face in obj.data.polygons]
