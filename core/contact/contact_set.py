# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts linearised about a position, with their normal and friction potentials."""

from typing import Any, NamedTuple

import numpy as np

from ..directions import LEAST, lengths
from ..kernels import Indices
from ..kernels.contact_laws import INERTIAS, SPRINGS
from ..kernels.contacts import add_contact_lanes, add_contact_pulls, begin_contacts, scatter_contacts
from ..kernels.springs import point_differences
from ..solvers.drift import sides_of
from .held_corners import asked
from .surface_sides import sided

# Stiffness of what sticks, in parts of that of what presses. In a Newton step that begins where it slips, what should
# stop goes back by as much as inertia lets it: with more than twice the inertia m/a^2 it would slip backwards there.
STICKING = 0.1

# Depth from which on it stiffens, in parts of the distance that is kept.
STIFF = 0.1

_ONES = np.ones(4)

# Placeholders for outputs of kernels that are not wanted.
_NONE, _ROWS, _BLOCKS, _BENT = np.empty(0), np.empty((3, 0)), np.empty((12, 0)), np.empty((2, 0))
_LANES = np.empty((0, 8), np.float32)


class Rows(NamedTuple):
    """Stencils with their normals: the gap is n . (sum of w_i x_i) + offset [m], negative where it presses.

    corners, weights: of particles, the weight 0 in place of obstacles' vertices, shape (count, 4); normals: shape
    (3, count); offsets: what obstacles have in the gap, less the distance that is kept [m]; carried: ways of the
    obstacles' points in the substep, with their weights, shape (3, count) [m]; friction: coefficients;
    depths: from which on they stiffen [m]; firmness: by which they are stiffer; owners: numbers of what is touched.
    """

    corners: Indices
    weights: np.ndarray
    normals: np.ndarray
    offsets: np.ndarray
    carried: np.ndarray
    friction: np.ndarray
    depths: np.ndarray
    firmness: np.ndarray
    owners: np.ndarray

    def turned(self):
        """The same with normals the other way round: what pushes there pulls here."""
        return self._replace(normals=-self.normals)

    def sums(self):
        """Sum of the weights of every contact, shape (count,): nought of what is between particles."""
        return self.weights @ _ONES

    def with_obstacles(self):
        """Which are with an obstacle, a mask: their weights sum to one, those between particles to nought."""
        return np.rint(self.sums()) != 0.0

    @property
    def of_single(self):
        """Whether all are of single particles, their first corners: the others have no weight."""
        return not np.count_nonzero(self.weights[:, 1:])

    def differences(self, x):
        """Sum of w_i x_i of every contact, shape (3, count)."""
        u = np.empty(self.normals.shape)
        point_differences(x, self.corners, self.weights, u)
        return u

    def pressed_by(self, owner, normal):
        """Indices of particles that what has a number presses on, with normal forces of all rows."""
        which = np.flatnonzero((self.owners == owner) & (normal > 0.0))
        return np.unique(self.corners.values[which][self.weights[which] != 0.0])

    def gaps(self, x):
        """Gaps at x, shape (3, n) [m]."""
        return np.einsum("ij,ij->j", self.normals, self.differences(x)) + self.offsets


class Before(NamedTuple):
    """The history of contacts before a position.

    start: positions that the step's formula counts velocities from, shape (3, n) [m]; fields: of normal forces and of
    friction at the particles at the end of the substep before, each of shape (3, n) [N], or (3, 2 n) by the sides of
    surfaces; inverse_masses: 0 of what is held [1/kg]; springs: K, the sum of the springs' stiffness at each particle
    [N/m]; a: what contacts are stiff by, a time of the formula [s]; share: of the substep that the formula's time is;
    outwards: normals of surfaces by which their sides are told, see `outwards`, or None for one of all.
    """

    start: np.ndarray
    fields: np.ndarray
    inverse_masses: np.ndarray
    springs: np.ndarray
    a: float
    share: float
    outwards: Any = None

    def bearing(self, contacts, x):
        """The same with the normal forces that a ContactSet has at x: what friction may be goes by these.

        Li, Ferguson, Schneider, Langlois, Zorin, Panozzo, Jiang and Kaufman 2020, "Incremental potential contact",
        section 5.
        """
        normal = contacts.pressure(contacts.forces(x)[0])
        return self._replace(fields=np.stack([normal, self.fields[1]]))

    def passed_on(self, contacts, x, part):
        """The same where friction that a particle cannot have at x any more is that of others of its part.

        Load goes from corner to corner as parts pass each other, and what bore it before rubs no more: forgotten,
        it let what should stick slip until it was there anew. part: number of its part of every particle.
        """
        rows, rub = contacts.rows, self.fields[1]
        # On each side of surfaces by itself.
        sides = np.arange(rub.shape[1] // len(part))
        part = (part + (part.max() + 1) * sides[:, None]).ravel()
        most = np.zeros(len(part))
        pushes = (rows.friction * contacts.forces(x)[0])[:, None] * np.abs(rows.weights)
        np.add.at(most, contacts.sided.values.ravel(), pushes.ravel())
        kept = rub * np.minimum(1.0, most / np.maximum(lengths(rub.T), LEAST))
        left = most - lengths(kept.T)
        lost = np.stack([np.bincount(part, of) for of in rub - kept])
        room = np.bincount(part, left)
        share = lost / np.maximum(np.maximum(room, lengths(lost.T)), LEAST)
        return self._replace(fields=np.stack([self.fields[0], kept + left * share[:, part]]))


class ContactSet:
    """Contacts as a part of an incremental potential, about the position that they were linearised at.

    The normal potential is of the gap: f = k d (1 + (d/s)^2) at a depth d, k = INERTIAS/(a^2 sum of w^2/m) + SPRINGS
    sum of w^2 K. Friction is Coulomb's by a Huber potential of the way u along the surface in the formula's time, about
    the friction of the substep before; what it may be at most is the coefficient times the normal force at the end of
    that substep. Where there is no way it sticks, as BDF2 has it. See `kernels.contacts`.

    rows: Rows; x: where they were linearised, shape (3, n) [m]; before: Before.
    sided: corners in fields of both sides of surfaces, see `surface_sides.sided`.
    """

    def __init__(self, rows, x, before):
        count = len(rows.offsets)
        self.rows = rows
        self.stiffness, loads = np.empty(count), np.empty(count)
        offset, sticking = np.empty((3, count)), np.empty((3, count))
        of_vertices: Any
        self.sided, of_vertices = rows.corners, (x, before.start, before.inverse_masses, before.springs)
        if before.outwards is not None:
            self.sided, of_vertices = (
                sided(rows, before.outwards),
                tuple(np.concatenate([of, of], -1) for of in of_vertices),
            )
        at, start, inverse_masses, springs = of_vertices
        self._count = at.shape[1]
        shares = asked(rows.corners.values, rows.weights, before.inverse_masses == 0.0)
        firmness = rows.firmness if shares is None else shares * rows.firmness
        begin_contacts(
            *(at, start, self.sided, *rows[1:5], rows.depths, firmness, inverse_masses, springs),
            *(*before.fields, INERTIAS / before.a**2, SPRINGS, before.share),
            *(self.stiffness, offset, loads, sticking, np.empty(self._count)),
        )
        laws = self.stiffness, rows.depths, offset, sticking, rows.friction * loads, STICKING
        self._laws = (*rows[:4], *laws)
        self._firmness, self._slopes = _BENT, _ROWS
        self._energy = np.empty(1)
        self._forced: Any = (None, None)
        self._pressed: Any = (None, None)
        self._parts: Any = (None, None)

    def __len__(self):
        return len(self.rows.offsets)

    def value(self, x):
        """Energy at x [J]."""
        add_contact_pulls(x, *self._laws, _ROWS, _BLOCKS, _NONE, _ROWS, _BENT, _ROWS, _LANES, self._energy)
        return float(self._energy[0])

    def stored(self, x):
        """Energy at x that what is pressed gives back [J]: of normal forces, as firm as they are at first."""
        first, (offset, sticking) = self.stiffness / self.rows.firmness, self._laws[6:8]
        laws = *self.rows[:4], first, self.rows.depths, offset, sticking, np.zeros(len(self)), STICKING
        add_contact_pulls(x, *laws, _ROWS, _BLOCKS, _NONE, _ROWS, _BENT, _ROWS, _LANES, self._energy)
        return float(self._energy[0])

    def forces(self, x):
        """Normal forces [N], shape (count,), and friction [N], shape (3, count), at x; of the same array the same."""
        if self._forced[0] is not x:
            found = np.empty(len(self)), np.empty((3, len(self)))
            add_contact_pulls(x, *self._laws, _ROWS, _BLOCKS, *found, _BENT, _ROWS, _LANES, self._energy)
            self._forced = x, found
        return self._forced[1]

    def add_gradient(self, x, out, blocks=_BLOCKS, lanes=None):
        """Add the gradient at x [N] to `out`, shape (3, n), and have products linearise about x; the energy there [J].

        blocks: to which is added what H has at each particle itself: xx, yy, zz, xy, yz and zx, and again what it has
        of normal forces of obstacles, shape (12, n) [N/m];
        lanes: as `linearised_lanes` asks for, or None for products in double precision.
        """
        self._firmness, self._slopes = _BENT, _ROWS
        if lanes is None:
            lanes, self._firmness, self._slopes = _LANES, np.empty((2, len(self))), np.empty((3, len(self)))
        bent = self._firmness, self._slopes
        add_contact_pulls(x, *self._laws, out, blocks, _NONE, _ROWS, *bent, lanes, self._energy)
        return float(self._energy[0])

    def linearised_lanes(self):
        """An array for `add_gradient`, by which `lanes_product` goes."""
        return np.empty((len(self), 8), np.float32)

    def lanes_product(self, lanes, p, out):
        """A callable that adds H p to `out`, both fields in `kernels.lanes`."""
        of_rows = {"corners": self.rows.corners, "weights": self.rows.weights, "lanes": lanes}
        return add_contact_lanes.bound(p=p, out=out, **of_rows)

    def add_product(self, p, out):
        """Add H p to `out` [N], H of the contacts where the gradient was asked for last."""
        u, n, t, (active, stick) = self.rows.differences(p), self.rows.normals, self._slopes, self._firmness
        along = np.einsum("ij,ij->j", n, u)
        pulls = active * along * n
        pulls += stick * (u - along * n - np.einsum("ij,ij->j", t, u) * t)
        scatter_contacts(self.rows.corners, self.rows.weights, pulls, out)

    def hessian(self):
        """H as SciPy BSR of three rows a particle, of the contacts where the gradient was asked for last."""
        from scipy import sparse

        count = self.rows.corners.below
        n, t, (active, stick) = self.rows.normals, self._slopes, self._firmness
        of_each = np.einsum("m,im,jm->mij", active - stick, n, n) - np.einsum("m,im,jm->mij", stick, t, t)
        of_each += stick[:, None, None] * np.eye(3)
        corners, weights = self.rows.corners.values, self.rows.weights
        m, i, j = np.nonzero((weights[:, :, None] * weights[:, None, :]) != 0.0)
        blocks = (weights[m, i] * weights[m, j])[:, None, None] * of_each[m]
        ones, others = corners[m, i], corners[m, j]
        keys = ones.astype(np.int64) * count + others
        found, place = np.unique(keys, return_inverse=True)
        data = np.zeros((len(found), 9))
        np.add.at(data, place, blocks.reshape(-1, 9))
        shape = 3 * count, 3 * count
        indptr = np.searchsorted(found, np.arange(count + 1) * count)
        return sparse.bsr_matrix((data.reshape(-1, 3, 3), found % count, indptr), shape)

    def of_translations(self):
        """H by the translation of one side of every contact that acts, where the gradient was asked for last.

        Indices of these, and xx, yy, zz, xy, yz and zx, shape (6, count) [N/m].
        """
        which = np.flatnonzero(self._firmness.any(axis=0))
        (active, stick), n, t = self._firmness[:, which], self.rows.normals[:, which], self._slopes[:, which]
        entries = np.empty((6, len(which)))
        for number, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))):
            entries[number] = (active - stick) * n[i] * n[j] - stick * t[i] * t[j]
        entries[:3] += stick
        return which, entries

    def sides(self, part):
        """Parts at both sides of the rows, see `sides_of`; of the same array the same."""
        if self._parts[0] is not part:
            self._parts = part, sides_of(self.rows, part)
        return self._parts[1]

    def fields(self, normal, along):
        """Of normal forces and friction of every contact, as `forces` are, those on particles, as in Before [N]."""
        return np.stack([self.pressure(normal), self._field(along)])

    def pressure(self, normal):
        """The first of `fields` alone; of the same array the same."""
        if self._pressed[0] is not normal:
            self._pressed = normal, self._field(normal * self.rows.normals)
        return self._pressed[1]

    def _field(self, pulls):
        found = np.zeros((3, self._count))
        scatter_contacts(self.sided, self.rows.weights, pulls, found)
        return found
