# SPDX-License-Identifier: GPL-3.0-or-later
"""The contacts of a simulation as potentials of its implicit step."""

import numpy as np

from ..directions import lengths
from ..kernels.contacts import depth
from ..topology import connected_parts
from .bearing import NOTHING, held_by_obstacles
from .candidates import Search, extent
from .coinciding import put_apart
from .collision_filter import ContactOf
from .contact import Contact
from .contact_set import INERTIAS, SPRINGS
from .depenetration import Depenetration
from .impact_zones import apart
from .margins import Margins
from .obstacles import Obstacles
from .restitution import Restitution
from .shape_rows import led_rows, shape_rows
from .squeezed import WithoutRoom
from .touching import Touching

# Particles that lie on something sink by their weight in so many of g a^2, or without any by as much as that of the
# size of all: what neither sinks nor keeps a distance would have no depth to stiffen from.
_SINK, _LEAST_SAG = 1.0 / 20.0, 1e-6


class PotentialContacts:
    """All contacts of a body as one set of stencils, which the solver minimises along with springs and inertia.

    An integrator that minimises them asks for what is `touching`. Colliders that have triangles are met by points,
    edges and faces; other shapes by particles.

    contacts: Colliders and SelfCollision, and objects with resolve(before, after) -> State, which are asked after the
    step.
    count: how many Colliders and SelfCollision there are.
    restitution: Restitution of the colliders.
    depenetration: Depenetration of what begins inside them.
    between: whether any of them is between particles.
    inverse_masses: of the particles, 0 of what is held [1/kg].
    usual: time of the formula that contacts are as stiff as [s].
    fields: normal forces and friction on the particles at the end of the last substep, shape (3, n) each [N].
    """

    def __init__(self, body, contacts, gravity):
        own = [contact.on(body) for contact in contacts if isinstance(contact, Contact)]
        self._foreign = [contact for contact in contacts if not isinstance(contact, Contact)]
        network, self.count = body.network, len(own)
        self._network = network
        of_all = [ContactOf.of(contact, network.vertex_count) for contact in own]
        between = [of for of in of_all if of.contact.between]
        meshes = [of for of in of_all if of not in between and _has_triangles(of.contact)]
        self._shapes = [of for of in of_all if of not in between and of not in meshes]
        self._obstacles = Obstacles(meshes)
        owners = [*meshes, None, *self._shapes]
        self.restitution = Restitution([of and of.contact for of in owners])
        # By the numbers of the rows' owners, as contacts of all particles.
        numbered = [(number, of) for number, of in enumerate(owners) if of is not None]
        self._with_names = [(number, own[of_all.index(of)]) for number, of in numbered if of.contact.name]
        self._masses = network.masses.copy()
        self._masses[network.hard_pins] = np.inf
        self.inverse_masses = 1.0 / self._masses
        solids = [(number, of) for number, of in numbered if of in self._shapes or _is_solid(of.contact)]
        single = [of in self._shapes for of in owners]
        self.depenetration = Depenetration(network, solids, single, self._masses)
        of_body = network.points, network.surface.triangles, network.surface.strands
        from_seam = network.distances_from_seams() if between and len(network.seams) else None
        self._search = Search(*of_body, self._obstacles, between, from_seam)
        self._gravity = float(np.linalg.norm(gravity))
        self._least_sag = _LEAST_SAG * extent(network.points)
        self._margins = Margins(network, of_all, self._search.sides, between)
        self.usual, self.springs = 0.0, np.zeros(network.vertex_count)
        self.forget()
        self.between = bool(between)
        self.begin_frame()

    def __len__(self):
        return len(self._foreign)

    @property
    def keep_out(self):
        """Whether any of them is with other things than the particles themselves."""
        return bool(self._obstacles.colliders or self._shapes or self._foreign)

    @property
    def foreign(self):
        """Whether any of them is no Contact: nobody knows what it does."""
        return bool(self._foreign)

    def move(self, t, dt):
        """Whether any collider moves in a substep of dt [s] that begins at t [s]."""
        colliders = [of.contact for of in (*self._obstacles.colliders, *self._shapes)]
        return any(of.acts(t + dt) and not of.rests(t + dt, dt) for of in colliders)

    def begun(self, x):
        """Positions [m] that a simulation begins at in place of x, shape (n, 3): parts that coincide are put apart."""
        if not self.between:
            return x
        network, at = self._network, np.ascontiguousarray(x.T)
        corners, distances = self._search.near_each_other(at)
        parts = connected_parts(network.edges, network.vertex_count)
        kept = self._search.kept_between
        apart = put_apart(x, corners, distances, network.surface.triangles, parts, kept)
        return x if apart is x else np.where((self.inverse_masses == 0.0)[:, None], x, apart)

    def begin_frame(self):
        """Begin a frame: nothing lacks room in it yet."""
        self._room = WithoutRoom(self._with_names)

    def begin(self):
        """Begin a substep."""
        self._struck, self.pushed_before = NOTHING, self.fields[0]

    def squeezed(self, place=slice(None)):
        """See `WithoutRoom.most`."""
        return self._room.most(place)

    def after(self, before, after, dt):
        """State that what is no Contact leaves of a substep from one State to the other, in turns."""
        for contact in self._foreign:
            after = contact.resolve(before, after)
        return after

    @property
    def history(self):
        """Normal forces and friction on the particles [N], and who is inside what, (n, 3) each; () without contacts."""
        if not self.count:
            return ()
        return *(np.ascontiguousarray(field.T) for field in self.fields), self.depenetration.inside

    def restore(self, arrays):
        """Go on from a `history`, or from () as where nothing touched."""
        self.forget()
        self.depenetration.forget()
        if len(arrays):
            *fields, inside = arrays
            self.fields = np.stack([np.ascontiguousarray(field.T) for field in fields])
            self.depenetration.restore(inside)

    def forget(self):
        """Know nothing of a substep before."""
        self.fields = np.zeros((2, 3, self._network.vertex_count))
        self._bearing = self._bore = self._struck = NOTHING
        self.pushed_before = self.fields[0]
        self._pushes = None

    @property
    def sag(self):
        """How deep what lies on something sinks, about [m]."""
        return max(2.0 * _SINK * self._gravity * self.usual**2, self._least_sag)

    def touching(self, start, end, t, dt, margins):
        """The Touching of a substep of dt [s] that ends at t [s], on straight ways, or None where nothing may touch.

        start, end: of the ways, shape (n, 3) [m]; margins: about the ways [m].
        """
        sag, first = self.sag, len(self._obstacles.colliders) + 1
        of_ways = start, end, margins, sag, t, dt, self._borne
        leads = self.depenetration
        shapes = [
            shape_rows(
                of, first + number, *of_ways, leads.began_in(first + number), leads.carried(first + number)
            )
            for number, of in enumerate(self._shapes)
        ]
        shapes = [of for of in shapes if of is not None]
        shapes += [
            led_rows(of, number, own, start, sag, t, dt, self._borne, own)
            for number, of, own in leads.led()
            if number < first
        ]
        before, after = self._obstacles.at(t - dt), self._obstacles.at(t)
        every = np.concatenate([margins, np.zeros(len(before))])
        begun, ended = (np.concatenate(of) for of in ((start, before), (end, after)))
        found = leads.without(self._search.candidates(begun, ended, every, self._obstacles.acting(t)))
        if found is None and not shapes:
            return None
        obstacles = np.ascontiguousarray(before.T), np.ascontiguousarray(after.T)
        return Touching(found, shapes, np.ascontiguousarray(start.T), obstacles)

    def _borne(self, particles, depths):
        """Depths [m] in which particles are borne as in the substep before, or by their weight where nothing did.

        depths: from which on contacts stiffen [m].
        """
        pushed = lengths(self.fields[0, :, particles])
        masses = self._network.masses[particles]
        firm = INERTIAS * masses / self.usual**2 + SPRINGS * self.springs[particles]
        return depth(np.where(pushed > 0.0, pushed, self._gravity * masses), firm, depths)

    def margins(self, start, end):
        """See `Margins.about`."""
        return self._margins.about(start, end)

    def apart(self, touching, x):
        """See `impact_zones.apart`."""
        return apart(touching, x, self._masses)

    def pressed(self, *, between=True):
        """Particles that something pressed on at the end of the last substep."""
        return np.flatnonzero(self.fields[0].any(axis=0)) if between else self._bearing[0]

    def driven(self):
        """Particles that surfaces bore in the substep so far, and the velocities of these there [m/s], (count, 3)."""
        carried = self.depenetration.found or NOTHING
        return tuple(np.concatenate(of) for of in zip(self._bore, self._struck, carried, strict=True))

    def bear(self, contacts, normal, along, before, after):
        """Take note of what a ContactSet presses and rubs with at the end of a substep from one State to another.

        normal, along: forces, shape (count,) and (3, count) [N].
        """
        dt = after.t - before.t
        self._room.note(contacts.rows, normal, before, after)
        self.fields = contacts.fields(normal, along)
        self._pushes = self.restitution.pushes(contacts.rows, normal, dt)
        self._bearing = self._bore = self.held_by_obstacles(contacts.rows, normal, dt)
        # What it leaves within the substep bore it as well.
        rows, start = contacts.rows, np.ascontiguousarray(before.x.T)
        begun = np.maximum(np.einsum("ij,ij->j", rows.normals, rows.carried) - rows.gaps(start), 0.0)
        if ((begun > 0.0) & (normal == 0.0)).any():
            self._bore = self.held_by_obstacles(rows, begun + normal / contacts.stiffness, dt)

    def note_struck(self, particles, surface_v):
        """Take note of particles that obstacles stop or throw back, and of the velocities of these there [m/s]."""
        before, velocities = self._struck
        self._struck = np.concatenate([before, particles]), np.concatenate([velocities, surface_v])

    def held_by_obstacles(self, rows, shares, dt):
        """See `bearing.held_by_obstacles`."""
        return held_by_obstacles(rows, shares, dt, self._network.vertex_count)

    @property
    def rebounds(self):
        """Whether anything rebounds from any."""
        return self.restitution.any

    def give_back(self, which):
        """Let the method see to the rebound of particles, a mask, by what `pushes` says."""
        self.restitution.give_back(which)

    def pushes(self):
        """The Pushes on what rebounds as a whole, or None where nothing pushes it."""
        return self._pushes

    def thrown(self):
        """The Rebound of what `after` let rebound from surfaces, or None."""
        return None


def _has_triangles(collider):
    return collider.triangles is not None and not collider.inside


def _is_solid(collider):
    """Whether anything can be inside it that should not."""
    return not collider.inside and getattr(collider, "solid", True)
