# SPDX-License-Identifier: GPL-3.0-or-later
"""Self-collision."""

import numpy as np

from ..quantities import frozen, index_array, quantity, real_array
from .contact import Contact, over_time


class SelfCollision(Contact):
    """Keeps a body, or several in one network, out of itself: no rebound, Coulomb's friction, momentum conserved.

    Particles are kept out of triangles, and edges and strands apart, on the side on which they began; particles that
    nothing is joined to keep off each other and off strands.

    thickness: distance that is kept [m], above 0; of two particles with different ones the mean.
    friction: coefficient >= 0, of two particles with different ones the mean.
    thickness and friction: one number, or one for every particle, or a callable t -> either, see Collider.

    bodies: None for all against all; else the number from 0 of the body of every particle, shape (particle_count,):
        what is of one body is left alone. meeting: which bodies collide, a symmetric mask, None for all of them.

    Raises ValueError for what is out of its range.
    """

    label = "Self-Collision"
    description = "Keeps a cloth or solid, or several, out of itself and each other"
    between = True

    def __init__(self, thickness=0.005, friction=0.3, bodies=None, meeting=None, **unknown):
        if unknown:
            # Scripts that were written for others are told what is left.
            raise ValueError(
                f"{self.label} has no option {next(iter(unknown))!r}: its options are thickness, friction, bodies, "
                "meeting"
            )
        self.varying, now = over_time(thickness=thickness, friction=friction)
        self.thickness, self.friction = (self.checked(name, value) for name, value in now.items())
        numbers = index_array("bodies", [] if bodies is None else bodies).astype(np.intp)
        if numbers.min(initial=0) < 0:
            raise ValueError(f"a body has the number {numbers.min()}: numbers begin at 0")
        self.bodies = None if bodies is None else numbers
        self.meeting = None if meeting is None else real_array("the bodies that meet", meeting) != 0.0

    def prepare(self):
        """Check that there is one number for every particle, where there are several, and a mask for all bodies."""
        count = self.body.network.vertex_count
        for name in ("thickness", "friction"):
            self.checked(name, getattr(self, name))
        if self.bodies is None:
            return
        if self.bodies.shape != (count,):
            raise ValueError(
                f"the self-collision's bodies have shape {self.bodies.shape}: give the number of its body for each of "
                f"the {count} particles"
            )
        if self.meeting is None:
            return
        shape = (int(self.bodies.max(initial=0)) + 1,) * 2
        if self.meeting.shape != shape or (self.meeting != self.meeting.T).any():
            raise ValueError(
                f"the mask of the bodies that meet has shape {self.meeting.shape}: give a symmetric one of shape "
                f"{shape}"
            )

    def checked(self, name, value):
        """See `Contact.checked`."""
        array = real_array(f"the self-collision's {name}", value)
        count = self._count(array)
        unit, above = ("m", 0.0) if name == "thickness" else ("", None)
        quantity(f"the self-collision's {name}", array, "particle", count, unit, above=above)
        return frozen(array)
