# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene of the lattice experiments: a tilted box of particles, dropped on a floor."""

from itertools import combinations

import numpy as np
from scipy.spatial.transform import Rotation

from hooke.core import Simulation, SpringNetwork, State
from hooke.core.contacts import Plane
from hooke.core.topology import LATTICE_LEVELS

SHAPE = (6, 6, 6)
SPACING = 0.2
MASS = 0.05
STIFFNESS = 1000.0
DAMPING = 0.5
TILT = Rotation.from_euler("xyz", [28.0, 17.0, 0.0], degrees=True)
HEIGHT = 0.4
FPS = 24
# By then every box has come to rest.
SECONDS = 6

# Every choice of levels: 1, sqrt 2 and sqrt 3 times the spacing, each on or off.
REACHES = tuple(levels for count in (1, 2, 3) for levels in combinations(LATTICE_LEVELS, count))
ROOTS = dict(zip(LATTICE_LEVELS, ("1", "√2", "√3"), strict=True))


def rest_lengths_in_words(levels):
    """The rest lengths of some levels in units of the spacing, as labels show them."""
    return " ".join(ROOTS[level] for level in levels)


def lattice(levels):
    """The network at rest, not tilted."""
    return SpringNetwork.lattice(
        SHAPE, SPACING, reach=levels, masses=MASS, stiffness=STIFFNESS, damping=DAMPING
    )


def falling(levels, integrator="PROJECTIVE_DYNAMICS", *, dt=1.0 / FPS, substeps=4):
    """Simulation of a lattice that hangs tilted above the floor at z = 0 and is let go."""
    network = lattice(levels)
    simulation = Simulation(network, integrator, dt=dt, substeps=substeps, contacts=[Plane(friction=0.5)])
    x = TILT.apply(network.points - network.points.mean(axis=0))
    x[:, 2] += HEIGHT - x[:, 2].min()
    simulation.state = State(x, np.zeros_like(x), 0.0)
    return simulation
