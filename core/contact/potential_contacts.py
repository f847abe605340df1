# SPDX-License-Identifier: GPL-3.0-or-later
"""The contacts of a simulation as potentials of its implicit step."""

from functools import cached_property, partial

import numpy as np

from ..kernels.contact_laws import INERTIAS
from ..solvers.drift import Drift
from ..topology import network_parts
from ..triangle_mesh.triangles import ROUNDING
from .bearing import NOTHING, Bearing, held_by_obstacles
from .candidates import Search
from .clearance import Clearances
from .collision_filter import ContactOf, loose_particles
from .contact import Contact
from .depenetration import Depenetration
from .fitted import fitted_particles
from .margins import Margins
from .obstacles import Obstacles
from .pinned import Pinned
from .restitution import Restitution
from .shape_rows import ROOM, ShapeRows, shape_rows
from .sizes import extent
from .squeezed import WithoutRoom
from .starts import Starts
from .surface_sides import ForcesOfSides, outwards
from .touching import Touching
from .unseen import bears_more

# Room about ways that are searched, in parts of the least margin about them. Milliseconds a frame with 0, 1, 2: what
# stands still in fitted clothes 1,110, 930, 830, what moves in them 1,610, 1,520, 1,410; a ribbon's heap 559, 572, 654;
# a curtain that is struck 394, 335, 328. The contacts are the same.
_ROOM = 1.0


class PotentialContacts:
    """All contacts of a body as one set of stencils, which the solver minimises along with springs and inertia.

    An integrator that minimises them asks for what is `touching`. Colliders that have triangles are met by points,
    edges and faces; other shapes by particles.

    contacts: Colliders, SelfCollision, and objects with resolve(before, after) -> State, asked after the step.
    count: how many Colliders and SelfCollision there are; between: whether any of them is between particles.
    restitution: Restitution of the colliders; depenetration: Depenetration of what begins inside them.
    loose: mask of the particles in whose part nothing is pinned.
    masses, inverse_masses: of the particles, infinite and 0 of what is held [kg, 1/kg]; pushes: Pushes on what rebounds
    as a whole, or None.
    usual: time of the formula that contacts are as stiff as [s]; springs: stiffness of the springs at every particle
    [N/m]; gravity: its size [m/s^2]; near: Touching of the substep, or None.
    stored: energy that what is pressed gives back, at the end of the last substep [J].
    search: Search; obstacles: Obstacles; shapes: ContactOf of what has no triangles; pinned: Pinned.
    forces: ForcesOfSides on the particles at the end of the last substep; bearing: Bearing of the obstacles in it;
    room: WithoutRoom of the frame; starts: Starts; clearances: Clearances; made_of: body, contacts and gravity.
    """

    # Whether nothing but inertia is minimised with them.
    inertia_alone = False

    def __init__(self, body, contacts, gravity):
        self.made_of = body, [of.on(body) if isinstance(of, Contact) else of for of in contacts], gravity
        own = [contact for contact in self.made_of[1] if isinstance(contact, Contact)]
        self._foreign = [contact for contact in contacts if not isinstance(contact, Contact)]
        self._network = network = body.network
        self.count, of_all = len(own), [ContactOf.of(contact, network.vertex_count) for contact in own]
        between = [of for of in of_all if of.contact.between]
        meshes = [of for of in of_all if of not in between and _has_triangles(of.contact)]
        self.shapes = [of for of in of_all if of not in between and of not in meshes]
        self.obstacles = Obstacles(meshes)
        owners = [*meshes, None, *self.shapes]
        self.restitution = Restitution([of and of.contact for of in owners])
        # By the numbers of the rows' owners, as contacts of all particles.
        numbered = [(number, of) for number, of in enumerate(owners) if of is not None]
        self._with_names = [(number, own[of_all.index(of)]) for number, of in numbered if of.contact.name]
        self.masses = np.where(network.pins == 1.0, np.inf, network.masses)
        self.inverse_masses = 1.0 / self.masses
        part = network_parts(network)
        self.loose = ~Drift.held_parts(network, part)[part]
        solids = [(number, of) for number, of in numbered if of in self.shapes or _is_solid(of.contact)]
        of_body = network.points, network.surface.triangles, network.surface.strands
        from_seam = network.distances_from_seams() if between and len(network.seams) else None
        self.search = Search(*of_body, self.obstacles, between, from_seam, loose_particles(network))
        are_shapes = [of in self.shapes for of in owners]
        self.depenetration = Depenetration(network, solids, are_shapes, self.masses, self.search.least)
        self.pinned = Pinned(network, [of for of in solids if of[1] in meshes], self.search.kept_outside)
        self.gravity = gravity = float(np.linalg.norm(gravity))
        # What neither sinks nor keeps a distance would have no depth to stiffen from.
        self._least_sag = ROUNDING * extent(network.points)
        self._margins = Margins(network, of_all, self.search.sides, between)
        self.search.widen(_ROOM * self._margins.least)
        self.forces = ForcesOfSides(network.vertex_count, 2 if between else 1, network.pushes)
        self.usual, self.springs = 0.0, np.zeros(network.vertex_count)
        self.held_by_obstacles = partial(held_by_obstacles, count=network.vertex_count)
        self.restore(())
        self.between, self.clearances = bool(between), Clearances(self.search, self.obstacles, between)
        self.starts = Starts(self.search, network, self.masses, gravity, len(meshes), between=self.between)
        self.begin_frame()

    def __len__(self):
        return len(self._foreign)

    @property
    def keep_out(self):
        """Whether any of them is with other things than the particles themselves."""
        return bool(self.obstacles.colliders or self.shapes or self._foreign)

    @property
    def foreign(self):
        """Whether any of them is no Contact: nobody knows what it does."""
        return bool(self._foreign)

    @cached_property
    def fitted(self):
        """Mask of the particles of what fits an obstacle at the start, see `fitted_particles`."""
        return fitted_particles(self.search, self._network, between=self.between)

    def outwards(self, x):
        """Normals of surfaces at x, shape (n, 3) [m], by whose sides forces are kept, or None for one side of all."""
        return outwards(np.ascontiguousarray(x.T), self._network.surface.triangles) if self.between else None

    def move(self, t, dt):
        """Whether any collider moves in a substep of dt [s] that begins at t [s]."""
        colliders = [of.contact for of in (*self.obstacles.colliders, *self.shapes)]
        return any(of.acts(t + dt) and not of.rests(t + dt, dt) for of in colliders)

    def begun(self, x, t):
        """Positions [m] that a simulation begins with at t [s] in place of x, shape (n, 3), see `Starts`."""
        return self.starts.begun(x, t)

    def begin_frame(self):
        """Begin a frame: nothing lacks room in it yet, and nothing bears before its first substep."""
        self.room = WithoutRoom(self._with_names)
        self.starts.begin_frame()
        self.begin()

    def begin(self):
        """Begin a substep: what bears in it is not known yet, as it is not where one goes on from a `history`."""
        self.bearing, self.near, self.stored = Bearing(), None, 0.0
        self.depenetration.begin_substep()
        self.forces.begin()

    def after(self, before, after, dt):
        """State that what is no Contact leaves of a substep from one State to the other, in turns."""
        for contact in self._foreign:
            after = contact.resolve(before, after)
        return after

    @property
    def history(self):
        """Normal forces, friction [N], particles inside, and growing distances, (n, 3) each; () without contacts.

        Forces of both sides of surfaces after one another, where particles touch each other.
        """
        if not self.count:
            return ()
        return *self.forces.history, *self.starts.history, self.depenetration.history

    def restore(self, arrays):
        """Go on from a `history`, or from () as where nothing touched."""
        self.forget()
        self.forces.begin_anew()
        self.depenetration.forget()
        if len(arrays):
            *starts, inside = self.forces.restore(arrays)
            self.depenetration.restore(inside)
            self.starts.restore(starts)

    def forget(self):
        """Know nothing of a substep before."""
        self.forces.forget()
        self.bearing, self.pushes = Bearing(), None

    @property
    def sag(self):
        """How deep what lies on something sinks, twice as far as its own weight presses a light touch [m]."""
        return max(2.0 * self.gravity * self.usual**2 / INERTIAS, self._least_sag)

    def touching(self, start, end, t, dt, margins):
        """The Touching of a substep of dt [s] that ends at t [s], on straight ways, or None where nothing may touch.

        start, end: of the ways, shape (n, 3) [m]; margins: about the ways [m].
        """
        self.starts.begin_search(start)
        of_ways = start, end, t, dt, margins
        found = _found(self, *of_ways)
        self.near = _touching(self, found, *of_ways)
        if self.near is not None and self.depenetration.let_in(*self.near.shut):
            self.near = _touching(self, found, *of_ways)
        return self.near

    def unseen(self, start, end, t, dt):
        """Whether anything that is not in the substep's Touching bears on straight ways, see `bears_more`."""
        of_ways = start, end, t, dt, np.zeros(len(start))
        actual = _touching(self, _found(self, *of_ways), *of_ways)
        return actual is not None and bears_more(actual, self.near, np.ascontiguousarray(end.T))

    def margins(self, start, end):
        """See `Margins.about`."""
        return self._margins.about(start, end)

    def pressed(self):
        """Particles that something pressed on at the end of the last substep."""
        return self.forces.pressed()

    def driven(self):
        """Particles that surfaces bore in the substep so far, and the velocities of these there [m/s], (count, 3)."""
        carried = self.depenetration.found or NOTHING
        return tuple(
            np.concatenate(of) for of in zip(self.bearing.borne(), self.bearing.struck, carried, strict=True)
        )

    def bear(self, contacts, normal, along, before, after):
        """Take note of what a ContactSet presses and rubs with at the end of a substep from one State to another.

        normal, along: forces, shape (count,) and (3, count) [N].
        """
        rows, dt = contacts.rows, after.t - before.t
        # Of what is led out, or apart, nothing was put in before.
        leads = any(map(len, self.depenetration.inside.values())) or self.starts.rises
        self.stored = 0.0 if leads else contacts.stored(np.ascontiguousarray(after.x.T))
        self.room.note(rows, normal, self.depenetration.inside, before, after)
        self.forces.fields = contacts.fields(normal, along)
        self.pushes = self.restitution.pushes(rows, normal, dt)
        self.bearing.found = partial(self.held_by_obstacles, rows, normal, dt)
        self.starts.end((rows, normal), self.near, self.springs, self.usual, dt)

    def bear_nothing(self, dt):
        """Take note that nothing touched in a substep of dt [s]."""
        self.forget()
        self.starts.end((None, None), self.near, self.springs, self.usual, dt)

    def thrown(self):
        """The Rebound of what `after` let rebound from surfaces, or None."""
        return None


def _found(contacts, start, end, t, dt, margins):
    """The Candidates of straight ways, or None, with those that the contacts' state leaves out."""
    obstacles = contacts.obstacles
    before, after = obstacles.at(t - dt), obstacles.at(t)
    every = np.concatenate([margins, np.zeros(len(before))])
    begun, ended = (np.concatenate(of) for of in ((start, before), (end, after)))
    kept = contacts.starts.kept_outside(contacts.depenetration.inside, dt)
    return contacts.search.candidates(begun, ended, every, obstacles.acting(t), kept)


def _touching(contacts, found, start, end, t, dt, margins):
    """The Touching of Candidates, or None, on straight ways, and of shapes there, or None."""
    leads, obstacles = contacts.depenetration, contacts.obstacles
    shapes = _met_shapes(contacts, len(obstacles.colliders) + 1, start, end, margins, t, dt)
    found = contacts.starts.met(leads.without(found))
    if found is None and not shapes:
        return None
    at = map(np.ascontiguousarray, (start.T, obstacles.at(t - dt).T, obstacles.at(t).T))
    how = {"grip": ROOM * contacts.sag if contacts.gravity else np.inf}
    return Touching(found, shapes, *at, pins=contacts.pinned.at(start, end, leads.inside, t, dt), **how)


def _met_shapes(contacts, first, start, end, margins, t, dt):
    """ShapeRows of all shapes, whose owners' numbers begin with first, and of meshes that anything is led out of."""
    of_ways = start, end, margins, contacts, t, dt
    met = (shape_rows(of, owner, *of_ways) for owner, of in enumerate(contacts.shapes, first))
    leads = (
        ShapeRows(
            of, number, own - of.first, start, contacts, t, dt, own, keeps=contacts.depenetration.enough
        )
        for number, of, own in contacts.depenetration.led()
        if number < first
    )
    return [*(of for of in met if of is not None), *leads]


def _has_triangles(collider):
    return collider.triangles is not None and not collider.inside


def _is_solid(collider):
    """Whether anything can be inside it that should not."""
    return not collider.inside and getattr(collider, "solid", True)
