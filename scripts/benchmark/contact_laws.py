# SPDX-License-Identifier: GPL-3.0-or-later
"""What the subject `contact` compares with a solution on paper: slopes, bounces, and a rope around a pole."""

import numpy as np

from hooke.core import Capsule, Plane, Settling, Simulation, SpringNetwork, State
from hooke.core.effort import EFFORTS
from hooke.core.material import Material

from .courses import FPS

G = 9.81
FRICTIONS, STEEPNESS = (0.2, 0.5, 0.8), (0.9, 0.98, 1.02, 1.1)
# Speed [m/s] above which what should stand creeps, and share by which an acceleration may be wrong.
_CREEPS, _WRONG = 1e-3, 0.02


def slopes():
    """Rows of bodies on slopes: below the angle of friction they stand, above they slide by g (sin a - mu cos a)."""
    for name, network in _bodies():
        found = [_slope(network, mu, steepness) for mu in FRICTIONS for steepness in STEEPNESS]
        standing = [value for (mu, steepness), value in _paired(found) if steepness < 1.0]
        sliding = [value for (mu, steepness), value in _paired(found) if steepness > 1.0]
        bad = sum(v > _CREEPS for v in standing)
        yield _row(f"{name}, 0.9 and 0.98 of the angle", "at rest", f"{1e3 * max(standing):.2f} mm/s", 6, bad)
        bad = sum(a > _WRONG for a in sliding)
        found_off = f"{100 * max(sliding):.1f} % off"
        yield _row(f"{name}, 1.02 and 1.1", "g (sin α − μ cos α)", found_off, 6, bad)


def _row(name, expected, found, count, bad):
    """Cells of so many cases, of which some are beyond what is allowed."""
    return name, expected, found, str(count), str(int(bad))


def _paired(found):
    return zip([(mu, steepness) for mu in FRICTIONS for steepness in STEEPNESS], found, strict=True)


def _bodies():
    yield (
        "sheet of 11²",
        SpringNetwork.from_mesh(
            SpringNetwork.grid((11, 11), 0.05).points,
            faces=SpringNetwork.grid((11, 11), 0.05).surface.polygons,
            material=Material(),
        ),
    )
    for count, stiffness in ((3, 1e3), (5, 1e4)):
        block = SpringNetwork.lattice((count,) * 3, 0.1, stiffness=stiffness, masses=0.01, damping=0.05)
        yield f"block of {count}³, {stiffness:.0e} N/m", block


def _slope(network, mu, steepness):
    """Speed at the end of what should stand [m/s], or the share by which an acceleration is wrong."""
    angle = np.arctan(mu * steepness)
    gravity = G * np.array([np.sin(angle), 0.0, -np.cos(angle)])
    how = EFFORTS["STANDARD"].settings
    simulation = Simulation(network, dt=1 / FPS, gravity=gravity, contacts=Plane(friction=mu), **how)
    for _ in range(24):
        simulation.step()
    begun = _mean_speed(simulation)
    for _ in range(24):
        simulation.step()
    ended = _mean_speed(simulation)
    if steepness < 1.0:
        return abs(ended)
    expected = gravity[0] + mu * gravity[2]
    return abs((ended - begun) / expected - 1.0)


def _mean_speed(simulation):
    masses = simulation.network.masses
    return float(masses @ simulation.state.v[:, 0] / masses.sum())


def bounces():
    """Rows of a single particle dropped on a floor, which rises to e² of the height."""
    for restitution in (0.0, 0.5):
        particle = SpringNetwork([[0.0, 0.0, 0.5]], np.zeros((0, 2), dtype=int))
        plane = Plane(restitution=restitution)
        simulation = Simulation(particle, dt=1 / FPS, contacts=plane, **EFFORTS["STANDARD"].settings)
        heights = [float(x[0, 2]) for x in simulation.frames(24)]
        lowest = int(np.argmin(heights[:12]))
        rise, expected = max(heights[lowest:]), 0.5 * restitution**2
        outside = abs(rise - expected) > 0.05 * 0.5
        yield _row(f"bounce, restitution {restitution}", f"{expected:.3f} m", f"{rise:.3f} m", 1, outside)


def capstan():
    """Rows of a rope that is drawn over a pole by half a turn: tensions differ by exp(mu pi), Euler and Eytelwein."""
    mu, radius, side = 0.3, 0.2, 0.4
    arc = np.linspace(np.pi, 0.0, 61)
    over = radius * np.column_stack([np.cos(arc), np.zeros_like(arc), np.sin(arc)])
    down = np.linspace(side, 0.0, 40, endpoint=False)
    left = np.column_stack([np.full_like(down, -radius), np.zeros_like(down), -down])
    right = np.column_stack([np.full_like(down, radius), np.zeros_like(down), -down])[::-1]
    points = np.concatenate([left, over, right])
    count = len(points)
    edges = np.column_stack([np.arange(count - 1), np.arange(1, count)])
    masses = np.full(count, 1e-4)
    # A weight beside which that of the rope is nothing.
    masses[-1] = 0.5
    rope = SpringNetwork(points, edges, masses=masses, stiffness=5e4, damping=1.0, pins=[0])
    pole = Capsule(radius, (0.0, -1.0, 0.0), (0.0, 1.0, 0.0), friction=mu)
    how = EFFORTS["STANDARD"].settings
    simulation = Simulation(rope, dt=1 / FPS, contacts=pole, forces=Settling(), **how)
    simulation.state = State(points, np.zeros_like(points), 0.0)
    found = []
    for frame in range(48):
        simulation.step(points[:1] - [0.0, 0.0, 0.05 * (frame + 1) / FPS])
        # Springs as they are carried, which few iterations do softer than they are given.
        stiffness = rope.stiffness * simulation.integrator.stiffness_share()
        tension = stiffness * (rope.spring_lengths(simulation.state.x) - rope.rest_lengths)
        found.append(tension[5:30].mean() / tension[-30:-5].mean())
    ratio, expected = float(np.median(found[24:])), float(np.exp(mu * np.pi))
    outside = abs(ratio / expected - 1.0) > 0.05
    yield _row("rope drawn over a pole, tensions", f"{expected:.3f}", f"{ratio:.3f}", 1, outside)
