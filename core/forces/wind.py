# SPDX-License-Identifier: GPL-3.0-or-later
"""Wind."""

import numpy as np

from ..quantities import check_kind, finite, number, varying
from .air_drag import AirDrag
from .noise import OCTAVE, Noise
from .reach import Reach, at, lengths

# Octaves of gusts at most: of a metre, down to two centimetres.
_MOST_OCTAVES = 7


class Wind(AirDrag):
    """Air that moves along the z axis of a reach, uniform or turbulent, with drag and lift; see AirDrag for the law.

    speed: of the air [m/s], below 0 against the axis, a number or a callable t -> number.
    reach: Reach; None for the same everywhere, upwards. Where less of it arrives the air is as much thinner.
    gusts: root mean square of each component of a velocity that is added [m/s], random but smooth over gust_size [m];
        its pattern is carried along at gust_drift [m/s], whatever the speed. A number or a callable t -> number. Of air
        that has inertia they have the spectrum of turbulence, in eddies down to twice the mesh's edges.
    seed: of the gusts.
    normal, lift: C_n and C_l, 1.2 both: a plate meets 1.2 rho/2 A |u| u_n at any angle, as Blender's cloth has it.
    tangential, swing_speed, density, diameter, inertia, passing: as in AirDrag, with no swing: this is steady flow.

    Taylor 1938, "The Spectrum of Turbulence", for patterns that are carried along.

    Raises ValueError for a quantity out of its range.
    """

    label = "Wind"
    description = "Moving air, steady or in gusts: it presses across a surface and takes what is light along"
    carries = True

    def __init__(
        self,
        speed=5.0,
        reach=None,
        *,
        gusts=0.0,
        gust_size=1.0,
        gust_drift=2.0,
        seed=0,
        normal=1.2,
        tangential=None,
        lift=1.2,
        swing_speed=0.0,
        density=1.204,
        diameter=0.005,
        inertia=0.0,
        passing=1.0,
    ):
        self.speed = varying(finite, "speed of wind", speed, "m/s")
        self.gusts = varying(finite, "gusts", gusts, "m/s")
        self._drift = finite("drift of gusts", gust_drift, "m/s")
        self._size = number("size of gusts", gust_size, "m", above=0.0)
        options = {"swing_speed": swing_speed, "density": density, "diameter": diameter}
        options |= {"inertia": inertia, "passing": passing}
        super().__init__(normal, tangential, lift=lift, **options)
        check_kind("reach", reach, Reach)
        self.reach = Reach() if reach is None else reach
        self._noise, self._octaves = Noise(seed), 0
        self._found: tuple = (None, None, None)

    def prepare(self):
        """Find how small eddies are that the mesh can follow, too."""
        super().prepare()
        if self.inertia > 0.0:
            self._octaves = _octaves(self._size, 2.0 * _mean_edge(self.body))

    def air(self, x, t):
        """Velocity of the air at places x [m/s], and the share of its density there, None where that is 1."""
        # A step asks for the same twice, for what passes along and for what drags.
        place, moment, found = self._found
        if place is None or moment != t or not np.array_equal(place, x):
            found = self._air(x, t)
            self._found = x.copy(), t, found
        return found

    def _air(self, x, t):
        near = self.reach.near(x, t)
        velocity = at(self.speed, t) * near.axis
        gusts = at(self.gusts, t)
        if gusts:
            drifted = (x - self._drift * t * self.reach.axis(0.0)) / self._size
            noise = self._noise.turbulence(drifted, self._octaves) if self._octaves else self._noise(drifted)
            velocity = velocity + gusts * noise
        return velocity, None if (near.share == 1.0).all() else near.share


def _mean_edge(body):
    """Mean length of the sides of triangles and of strands at rest [m], 0 where there are none."""
    points, triangles = body.network.points, body.triangles
    sides = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]], body.strands])
    return float(lengths(points[sides[:, 0]] - points[sides[:, 1]]).mean()) if len(sides) else 0.0


def _octaves(size, finest):
    """How many octaves there are from one size down to another [m], at least one."""
    count = 1
    while count < _MOST_OCTAVES and size / OCTAVE**count >= finest:
        count += 1
    return count
