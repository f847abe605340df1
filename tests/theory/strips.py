# SPDX-License-Identifier: GPL-3.0-or-later
"""Strips and strands that bend, beside what is known of them: the elastica, vibration, buckling, and 45 degrees."""

import numpy as np
from scipy import sparse
from scipy.linalg import eigh
from scipy.sparse.linalg import spsolve

from hooke.core import Settling, Simulation, SpringNetwork, State
from hooke.core.effort import EFFORTS
from hooke.core.forces import stiffness_matrix
from hooke.core.material import Material
from hooke.core.stencils import sheet_bending

from .bending_meshes import flat
from .equilibrium import at_equilibrium

G, FPS = 9.81, 24
LENGTH, WIDTH, DENSITY, LINE_DENSITY = 0.2, 0.04, 0.136, 0.01
# Drop over reach of a clamped, level, inextensible strip's tip, theta'' = -weight (1 - s) cos theta, solved as a
# boundary value problem; weight is rho g L^3/B.
ELASTICA = {0.5: 0.0624, 1.0: 0.1246, 5.0: 0.5857, 20.0: 1.8639, 50.0: 3.706, 100.0: 5.888}
# First root of cos(b) cosh(b) = -1, of a clamped beam.
_FIRST = 1.8751
# Coefficients of air that brings strips, and strands, to rest soonest.
_AIR = 0.2, 2.0
# At rest where the tip has moved by less than this in a second [m].
_STILL, _LONGEST = 1e-4, 30


def strip(kind, spacing, rigidity, *, length=LENGTH, **more):
    """Network of a level strip of a kind of mesh, or "strand", that sticks out from x = 0 by its length.

    rigidity: B [N m], of a strand times WIDTH [N m^2]; more: of Material.
    """
    columns = round(length / spacing)
    if kind == "strand":
        x = np.arange(-1, columns + 1) * spacing
        edges = np.column_stack([np.arange(columns + 1), np.arange(1, columns + 2)])
        material = Material(
            line_stiffness=500.0, line_density=LINE_DENSITY, line_bending=rigidity * WIDTH, **more
        )
        points = np.column_stack([x, 0.0 * x, 0.0 * x])
        return SpringNetwork.from_mesh(points, edges, material=material, pins=points[:, 0] < 1e-9)
    points, polygons = flat(columns + 1, max(2, round(WIDTH / spacing)), spacing, kind)
    points[:, 0] -= spacing
    material = Material(stretch=5e3, shear=1e3, bending=rigidity, area_density=DENSITY, **more)
    return SpringNetwork.from_mesh(points, faces=polygons, material=material, pins=points[:, 0] < 1e-9)


def _density(kind):
    return LINE_DENSITY / WIDTH if kind == "strand" else DENSITY


def _tip(network):
    """Mask of the vertices at the free end."""
    return network.points[:, 0] > network.points[:, 0].max() - 1e-9


def hung(kind, spacing, weight, effort):
    """Drop over reach of the tip of a strip that is let go level and comes to rest, by the simulation."""
    rigidity = _density(kind) * G * LENGTH**3 / weight
    network = strip(kind, spacing, rigidity, damping_ratio=0.1, bending_damping_ratio=0.05)
    simulation = Simulation(
        network, dt=1.0 / FPS, forces=Settling(_AIR[kind == "strand"]), **EFFORTS[effort].settings
    )
    tip, before = _tip(network), np.inf
    for _ in range(_LONGEST):
        for _ in range(FPS):
            simulation.step()
        end = simulation.state.x[tip].mean(axis=0)
        if np.abs(end - before).max() < _STILL:
            break
        before = end
    return -end[2] / end[0]


def frequency(kind, spacing, wanted=1.5, periods=4):
    """Frequency of a strip that swings without gravity, by the simulation, over 1.875^2/(2 pi) sqrt(B/(rho L^4)).

    wanted: that frequency [Hz], of which B is made.
    """
    rigidity = _density(kind) * LENGTH**4 * (2.0 * np.pi * wanted / _FIRST**2) ** 2
    network = strip(kind, spacing, rigidity)
    simulation = Simulation(network, dt=1.0 / FPS, gravity=(0.0, 0.0, 0.0), **EFFORTS["FINE"].settings)
    x, tip = network.points.copy(), _tip(network)
    # Nearly the first mode: what a load on the tip makes.
    s = np.maximum(x[:, 0], 0.0) / LENGTH
    x[:, 2] = 0.002 * s**2 * (3.0 - s)
    simulation.state = State(x, np.zeros_like(x), 0.0)
    frames = simulation.frames(round(periods * FPS / wanted) + FPS)
    heights = np.array([x[tip, 2].mean(), *(frame[tip, 2].mean() for frame in frames)])
    falls = np.flatnonzero((heights[:-1] > 0.0) & (heights[1:] <= 0.0))
    crossings = falls + heights[falls] / (heights[falls] - heights[falls + 1])
    return (len(crossings) - 1) / (crossings[-1] - crossings[0]) * FPS / wanted


def critical_load(kind, spacing):
    """Load along a clamped strip at which it buckles, over pi^2 B/(4 L^2) a width: where its stiffness vanishes."""
    rigidity = 1e-3
    network = strip(kind, spacing, rigidity)
    width = WIDTH if kind == "strand" else np.ptp(network.points[:, 1])
    exact = np.pi**2 * rigidity * WIDTH / (4.0 * LENGTH**2) * (1.0 if kind == "strand" else width / WIDTH)
    tip = np.flatnonzero(_tip(network))
    shares = network.masses[tip] / network.masses[tip].sum()
    pressed = np.zeros_like(network.points)
    pressed[tip, 0] = -0.1 * exact * shares
    x = at_equilibrium(network, pressed, network.points.copy(), loads=1)
    across = 3 * network.free + 2
    free, loaded = (
        stiffness_matrix(network, at).tocsr()[across][:, across].toarray() for at in (network.points, x)
    )
    # Stiffness falls in proportion to the load: 10 K(0.1) - 9 K(0) is that at the exact one.
    return 1.0 / eigh(free - loaded, free, eigvals_only=True)[-1] * 0.1


def moment(kind, angle, columns=24):
    """Moment by curvature of a plate bent along an angle [degrees] from its mesh, over B.

    Its border is held as on a cylinder, and what is within may give way. Half cells at the border do not bend across
    it, which is left out: so much less they are of a plate of this size.
    """
    points, polygons = flat(columns, columns, 1.0 / columns, kind)
    stencils = sheet_bending(points, polygons, 1.0, np.zeros(len(points), dtype=bool))
    along = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    away = points[:, :2] - 0.5
    z = 0.5 * (away @ along) ** 2
    inner = np.abs(away).max(axis=1) < 0.5 - 1.6 / columns
    rows = stencils.incidence(len(points)).matrix()
    matrix = (rows.T @ sparse.diags(stencils.stiffness) @ rows).tocsr()
    z[inner] = spsolve(matrix[inner][:, inner].tocsc(), -(matrix[inner][:, ~inner] @ z[~inner]))
    lacking = (along[0] ** 4 + along[1] ** 4) / columns
    return float(z @ (matrix @ z)) + lacking
