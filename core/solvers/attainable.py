# SPDX-License-Identifier: GPL-3.0-or-later
"""How stiff springs can be before few iterations of a large step slow the motion down instead."""

from functools import cached_property

import numpy as np

from ..directions import LEAST
from ..listed import distinct_rows
from ..quantities import frozen
from ..topology import network_parts
from .drift import Drift
from .global_matrix import spring_matrix, with_held
from .lumping import lumped
from .supernodes import structure_of

# Distance that a wave may travel in a step of one iteration, as a share of the part's size: further than iterations
# carry what happens, stiffness only adds inertia to every change of velocity. Measured on sheets that hang and swing,
# and on what nothing pins, which lies on something.
_REACH, _REACH_FREE = 0.19, 0.2
# Strain by weight at rest that is allowed for it; in motion and in wind the tension is many times as large.
_WEIGHT_STRAIN = 0.0025
# The same of what other forces pull with where it begins, at its hardest, since they go on pulling as hard; and of a
# part's own weight, all of it, in any direction: what hangs over something is pushed together by it, and shrinks there,
# where it is softer, instead of folding. Counts for parts of less than two metres at Standard: a disc of 0.3 m that is
# held on a table of 0.18 covers 49 percent of the ring at its waves' stiffness, 58 with this, 63 with Fine; at 0.4
# percent of strain it comes down half as soon.
_FORCED_STRAIN = 0.01
# Share of that weight where nothing is pinned: what lies on something hangs to both of its sides. With none, a half,
# this and all of it two sheets that fall upon themselves from their edges are stretched by 0.16, 0.11, 0.09 and 0.08,
# and by 0.22, 0.19, 0.08 and 0.08; a strip that Draft drops on two balls moves on with 2e-9, 2e-9, 2e-7 and 3e-6 of its
# energy.
_FREE = 0.7
# Share of a vertex's springs that leaves the plane of the others in which it is taken for a solid's.
_SOLID = 0.1
# Times its own weight that a network may bear without keeping all of its stiffness.
_BORNE = 4.0
# Rate [1/s^2] that keeps parts without pins from having no solution: far below any vibration's square.
_HELD = 1e-4


class Attainable:
    """How stiff the springs of a network may be that so many iterations of a step can do justice to.

    In a step of dt the kept matrix answers changes of velocity as if vertices weighed dt^2 A^T K A more: with
    m the mean mass of a spring's ends and L its length, that is (dt/L)^2 k/m, the square of how many
    springs a wave crosses in a step. A spring keeps k up to iterations (size * reach)^2 m/(dt L)^2, size being
    that of what springs join to it, so that motion is as true on a handkerchief as on a sail, light or heavy, fine or
    coarse; and at least what carries the weight that hangs on it at a strain of _WEIGHT_STRAIN, what other forces
    pull with besides at one of _FORCED_STRAIN, and all of the weight from any side at that, _FREE of it without pins.
    Tension gathers at few pins, and so does the stiffness. Solids, whose springs hold their shape and not only their
    size, keep their own; so does what encloses something, which is taut as soon as anything presses on it, and what
    fits an obstacle at the start, which pulls on it by whatever way it moves: a suit on a body that begins to run is
    stretched by 37 percent and at 115 edges by more than 10 at its waves' stiffness, by 16 and at 14 at its own.

    The network's `burden` multiplies the weight; what may bear far more than its own keeps its stiffness, since nobody
    knows where it will be pressed.

    network: SpringNetwork as it is at the start; its lengths, and how tension spreads in it, count for any stiffness.
    gravity: acceleration [m/s^2]; pulls: of other forces at every vertex [N]; a spring of no length keeps its
    stiffness; fitted: mask of the particles of what fits an obstacle, or False. Needs SciPy.
    """

    def __init__(self, network, dt, iterations, gravity, pulls=0.0, fitted=False):
        # Of the points: rest lengths may change while it runs, and must not change what is factorised.
        between = network.spring_lengths(network.points)
        self._network, self._lengths = network, np.maximum(between, LEAST)
        heads, tails = network.edges.T
        mass = 0.5 * (network.masses[heads] + network.masses[tails])
        self._part = part = network_parts(network)
        ways = wave_ways(network, iterations)
        with np.errstate(over="ignore"):
            carried = (ways[part[heads]] / (dt * self._lengths)) ** 2 * mass
        solid = solid_particles(network)
        kept = (network.rest_lengths == 0.0) | (between == 0.0) | (solid[heads] & solid[tails])
        kept |= network.enclosures.skin(network.vertex_count)[heads]
        self._kept = kept | (network.burden[heads] > _BORNE)
        self._kept |= np.broadcast_to(fitted, network.vertex_count)[heads]
        weights = float(np.linalg.norm(gravity)) * network.masses * network.burden
        across = np.where(Drift.held_parts(network, part), 1.0, _FREE) * _sizes(network, part)
        pressed = 0.5 * (weights[heads] + weights[tails]) * across[part[heads]]
        pressed /= _FORCED_STRAIN * self._lengths**2
        self._most = np.maximum(carried, pressed)
        self._loads = weights / _WEIGHT_STRAIN, (weights + pulls) / _FORCED_STRAIN

    def of(self, stiffness):
        """The stiffness of every spring that can be done justice to, at most the one given [N/m]."""
        most = self._most
        if (most < stiffness)[~self._kept].any():
            most = np.maximum(most, self._hanging)
        return np.where(self._kept, stiffness, np.minimum(stiffness, most))

    @cached_property
    def _hanging(self):
        """Stiffness that carries the load on the springs [N/m]; found if any is softer than asked for."""
        network = self._network
        if not (len(network.pinned) and np.any(self._loads)):
            return 0.0
        conductance = np.minimum(network.stiffness, self._most)
        loads = _on_springs(np.column_stack(self._loads), network, conductance, self._part)
        return loads.max(axis=1) / self._lengths


def wave_ways(network, iterations):
    """How far so many iterations of a step carry what happens, in every part of a network [m]."""
    part = network_parts(network)
    reach = np.where(Drift.held_parts(network, part), _REACH, _REACH_FREE)
    return np.sqrt(iterations) * reach * _sizes(network, part)


def solid_particles(network):
    """Whether the springs at a vertex go in all directions of space, shape (vertex_count,).

    Corners of volumes are solids', and what stencils alone hold is as what holds it: the skin of a solid.
    """
    count = np.bincount(network.edges.ravel(), minlength=network.vertex_count)
    # Of what stencils alone hold it follows from those that are not broken.
    key = "solid", b"" if count.all() else network.stencils.weights.tobytes()
    if key not in network.found:
        network.remember(key, _solid(network, count))
    return network.found[key]


def _solid(network, count):
    ends = network.points[network.edges]
    u = ends[:, 0] - ends[:, 1]
    square = np.maximum(np.einsum("ij,ij->i", u, u), LEAST)
    products = np.abs(network.edge_incidence.matrix()).T @ np.column_stack(
        [u[:, i] * u[:, j] / square for i in range(3) for j in range(3)]
    )
    least = np.linalg.eigvalsh(products.reshape(-1, 3, 3))[:, 0]
    solid, stencils = least > _SOLID * count, network.stencils
    solid[network.volumes.vertices] = True
    bare = (count == 0)[stencils.vertices] & (stencils.weights != 0.0)
    held = solid[stencils.vertices].any(axis=1)[:, None] & bare
    solid[stencils.vertices[held]] = True
    return frozen(solid)


def _on_springs(loads, network, conductance, part):
    """Loads of every spring on the way to the pins, as currents through the network; shape (spring_count, n).

    loads: of every vertex, shape (vertex_count, n).
    """
    held = np.zeros(network.vertex_count, dtype=bool)
    held[network.pinned] = True
    lengths = network.first_lengths
    weights = lumped(network.edges, conductance, lengths, network.vertex_count)
    matrix = with_held(spring_matrix(network, _HELD * network.masses, weights), held, stay=network.pins_vary)
    # Parts that no pin holds hang on nothing.
    hangs = ~held & Drift.held_parts(network, part)[part]
    potential = structure_of(matrix).solve(matrix, hangs[:, None] * loads)
    across = potential[network.edges[:, 0]] - potential[network.edges[:, 1]]
    return conductance[:, None] * np.abs(across)


# Squares of sides in parts of the mean square distance from the middle along the longest axis: of a strip or a square
# s^2/12, of the walls of a cube 5 s^2/36.
_SPREAD, _SPREAD_CLOSED = 12.0, 7.2


def _sizes(network, part):
    """How large every part is [m], however it is turned, numbered and divided.

    Of what is spread as far about its middle along its longest axis the side: of a square or a strip the longest one,
    of a strand the length, of a disc 0.87 of the diameter, of a closed box its side. What has faces is their area, all
    else its springs.
    """
    points = network.points - network.points[0]
    corners, edges = network.surface.triangles, network.edges
    a, b, c = points[corners].transpose(1, 0, 2)
    areas = 0.5 * np.sqrt(np.einsum("ij,ij->i", normals := np.cross(b - a, c - a), normals))
    count = part.max(initial=-1) + 1
    covered = np.bincount(part[corners[:, 0]], areas, count) > 0.0
    lengths = np.where(covered[part[edges[:, 0]]], 0.0, network.spring_lengths(network.points))
    groups = (points[corners], areas, part[corners[:, 0]]), (points[edges], lengths, part[edges[:, 0]])
    whole = sum(np.bincount(of, weights, count) for _, weights, of in groups)
    whole = np.maximum(whole, np.finfo(float).tiny)
    middles = np.zeros((count, 3))
    for simplices, weights, of in groups:
        np.add.at(middles, of, weights[:, None] * simplices.mean(axis=1))
    middles /= whole[:, None]
    moments = np.zeros((count, 3, 3))
    for simplices, weights, of in groups:
        # Of a simplex of m corners p about a point, with their sum s: (sum of p p^T + s s^T) / (m (m + 1)).
        away = simplices - middles[of][:, None]
        several = np.concatenate([away, away.sum(axis=1, keepdims=True)], axis=1)
        most = away.shape[1] * (away.shape[1] + 1)
        np.add.at(moments, of, weights[:, None, None] / most * np.einsum("nki,nkj->nij", several, several))
    spread = np.maximum(np.linalg.eigvalsh(moments / whole[:, None, None])[:, -1], 0.0)
    return np.sqrt(np.where(_closed(corners, part, count), _SPREAD_CLOSED, _SPREAD) * spread)


def _closed(triangles, part, count):
    """Which of so many parts have triangles and no side that belongs to one of these alone."""
    sides = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    each, times = distinct_rows(sides, return_counts=True)
    open_sides = np.bincount(part[each[times == 1, 0]], minlength=count)
    return (np.bincount(part[each[:, 0]], minlength=count) > 0) & (open_sides == 0)
