# SPDX-License-Identifier: GPL-3.0-or-later
"""A force of which a share acts that changes with time."""

from ..quantities import check_kind, number, varying
from .force import Force, Peaking
from .reach import at


class Scaled(Force):
    """Another force, times a factor: what it pushes with, or the rate at which it slows.

    force: Force; factor: at least 0, a number or a callable t -> number; Peaking where its largest value is known.
    """

    label = "Scaled"
    description = "A share of another force, which may change with time"

    def __init__(self, force, factor=1.0):
        check_kind("force", force, Force, needed=True)
        self.force, self.factor = force, varying(number, "factor of a force", factor)
        self.resists, self.carries = force.resists, force.carries

    def prepare(self):
        """Let the force act on the body."""
        self.force = self.force.on(self.body)

    def air(self, x, t):
        """Velocity of the air at places x [m/s], of a force that moves air, and the share of it that presses."""
        velocity, share = self.force.air(x, t)
        return velocity, at(self.factor, t) * (1.0 if share is None else share)

    @property
    def flow(self):
        """See `Force`: the air is as much thinner as the factor says, at most as it is."""
        flow = self.force.flow
        return None if flow is None else flow.scaled(lambda t: at(self.factor, t))

    def at_peak(self):
        """See `Force.at_peak`: both at their peaks."""
        factor = self.factor.peak if isinstance(self.factor, Peaking) else self.factor
        force = self.force.at_peak()
        if force is self.force and factor is self.factor:
            return self
        scaled = Scaled(force, factor)
        scaled.body = self.body
        return scaled

    def __call__(self, x, v, t):
        """Force on every particle [N], shape (vertex_count, 3)."""
        return at(self.factor, t) * self.force(x, v, t)

    def slowed(self, x, v, t, dt, begun=None):
        """Velocities [m/s]: what acts with so many times the rate does in dt what it does in so much more time."""
        return self.force.slowed(x, v, t, dt * at(self.factor, t), begun)
