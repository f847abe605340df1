# SPDX-License-Identifier: GPL-3.0-or-later
"""What pairs that come too close add to the objective of an implicit step."""

from typing import Any, NamedTuple

import numpy as np

from .along_normals import AlongNormals

# How much stiffer pairs are the deeper they are pressed: k (1 + 6 c (depth/distance)^2).
_HARDENING = 20.0

# Share of the distance above it from which on pairs resist: those at rest touch by nothing.
_NEARLY = 0.02

_LEAST = 1e-300


class PairEnergy:
    """k/2 d^2 (1 + c (d/thick)^2) of pairs, d = max(least - n . sum of w_i x_i, 0), and friction.

    A force between the particles of a pair adds up to nothing: momentum is kept whatever the iterations do. Friction is
    that of a spring over the slip so far, as stiff as the pair, up to mu N, N that of the gradient evaluated last. What
    slides is held back by as much however far: a spring there, as in `Touching`, would need many steps to become long
    enough. Only what mu N would turn round within the step is held by one, so that it comes to rest.

    particles, weights: shape (4, pair_count), the weights of each of sum 0; normals: (3, pair_count); thick: distance
    kept in the end [m]; friction: coefficients; start: positions that slip counts from [m], shape (3, particle_count).
    among: which of a network's particles these are, all unless it is set.
    least: distance kept now [m], left: what is enough of it, both thick unless they are set; gaps_at_start: distances
    along the normals [m].

    Positions and gradients are of shape (3, particle_count). What is said of pairs is of what `place` saw last.
    """

    def __init__(self, particles, weights, normals, thick, friction, start):
        count, self._weights, self.particles = particles.shape[1], weights, particles
        self._matrix = _Weights(particles.T.astype(np.int32), weights.T.copy(), start.shape[1])
        self._normals, self._friction = np.ascontiguousarray(normals.T), friction
        self._began = self.apart(start)
        self.gaps_at_start = self._along(self._began)
        self.among: Any = np.arange(start.shape[1])
        self.thick = self.least = self.left = thick
        # Stiffness, inertia [N/m], what friction bears at most [N], and depth.
        self._k = self._inertia = self._most = self._depth = np.zeros(count)
        self._way, self._along_way = np.zeros((count, 3)), np.zeros(count)
        self._stiff = self._tried = np.zeros(count, dtype=bool)
        self._model: _Model | None = None
        # What pairs bear [N] in a formula of dt [s], after `bear`.
        self._borne: Any = None
        self._dt = 1.0

    def __len__(self):
        return len(self.least)

    def apart(self, x):
        """Sums of w_i x_i, shape (pair_count, 3)."""
        return self._matrix.all @ np.ascontiguousarray(x.T)

    def gaps(self, x):
        """Distances along the normals [m], below 0 of what passed through."""
        return self._along(self.apart(x))

    def stiffen(self, compliances, masses, dt):
        """Make pairs as stiff as their particles are, of so much compliance [m/N]: 0 of what does not move.

        masses: of the particles [kg], endless of what does not move; dt: time of the formula [s].
        """
        squares = self._weights**2
        self._k = 1.0 / np.maximum((squares * compliances[self.particles]).sum(axis=0), _LEAST)
        if self._borne is not None:
            # As much way in another time takes another force.
            self._borne = self._borne * (self._dt / dt) ** 2
        self._inertias, self._dt = masses / dt**2, dt

    def place(self, x):
        """Look at positions [m]."""
        self._way = self.apart(x)
        self._way -= self._began
        self._along_way = self._along(self._way)
        depth = self.least - self.gaps_at_start - self._along_way
        # What a step that was too long ran into resists as well: the next one would run into it again.
        self._tried = self._tried | (depth > 0.0)
        self._stiff = self._tried | (depth > -_NEARLY * self.least)
        self._depth, self._model = np.maximum(depth, 0.0, out=depth), None

    def energy(self):
        """Energy [J], with friction as it was decided last."""
        press, rub = (np.flatnonzero(of) for of in (self._depth, self._most))
        slip = self._slip(rub)
        pressed = self._depth[press] ** 2 * (1.0 + self._harder(press))
        slipped, most, k = np.sqrt(_dot(slip, slip)), self._most[rub], self._k[rub]
        rubbed = np.where(k * slipped > most, most * (2.0 * slipped - most / k), k * slipped**2)
        return 0.5 * float(np.einsum("i,i->", self._k[press], pressed) + rubbed.sum())

    def add_gradient(self, gradient, *, rubs=True):
        """Decide friction, none unless it rubs, and add the gradient [N]."""
        rows = np.flatnonzero(self._stiff)
        pressing = self._pressing(rows)
        self._tried = np.zeros(len(self), dtype=bool)
        self._most, self._model = np.zeros(len(self)), None
        if rubs:
            # Made stiffer, pairs press at first with far more than they bear.
            borne = pressing if self._borne is None else np.minimum(pressing, self._borne[rows])
            self._most[rows] = self._friction[rows] * borne
            self._borne = None
            self._inertia = self._moved_together()
        model = self._linearised()
        force = -pressing[:, None] * model.normals
        if model.rubs:
            force += model.rubbing[:, None] * self._slip(rows)
        gradient += (model.transposed @ force).T

    def add_product(self, p, out):
        """Add the product [N] of the second derivative with p [m] to `out`, and return that."""
        model = self._linearised()
        apart = model.matrix @ np.ascontiguousarray(p.T)
        along = _dot(model.normals, apart)
        along *= model.stiff
        pushed = along[:, None] * model.normals
        if model.rubs:
            aside = _dot(model.slips, apart)
            aside *= model.giving
            apart *= model.rubbing[:, None]
            pushed += apart
            pushed -= aside[:, None] * model.slips
        out += (model.transposed @ pushed).T
        return out

    def add_blocks(self, blocks):
        """Add what the second derivative has at each particle itself [N/m]: xx, yy, zz, xy, yz and zx."""
        model = self._linearised()
        n, s, axes = model.normals.T, model.slips.T, ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
        entries = np.stack([n[a] * n[b] * model.stiff - s[a] * s[b] * model.giving for a, b in axes], axis=1)
        entries[:, :3] += model.rubbing[:, None]
        squared = model.matrix.copy()
        squared.data *= squared.data
        blocks += (squared.T @ entries).T

    def struts(self):
        """See `Contact.struts`."""
        model = self._linearised()
        return (
            self.particles[:, model.rows],
            self._weights[:, model.rows],
            model.normals.T,
            model.stiff + model.rubbing,
        )

    def _linearised(self):
        """The pairs that resist where `place` looked last, with friction as it was decided last."""
        if self._model is None:
            rows = np.flatnonzero(self._stiff | (self._most > 0.0))
            k, most, slip = self._k[rows], self._most[rows], self._slip(rows)
            stiff = k * (1.0 + 6.0 * self._harder(rows))
            stiff[~self._stiff[rows]] = 0.0
            slipped = np.sqrt(_dot(slip, slip))
            rubbing = np.minimum(most / np.maximum(slipped, _LEAST), k)
            # What slides is held back by as much all the way; what this would turn round comes to rest.
            giving = np.where(k * slipped > most, np.minimum(rubbing, self._inertia[rows]), 0.0)
            slip /= np.maximum(slipped, _LEAST)[:, None]
            matrix, rubs = self._matrix.of(rows), bool(most.any())
            of_model = matrix, matrix.T, self._normals[rows], stiff - rubbing, rubs, rubbing
            self._model = _Model(rows, *of_model, slip, giving)
        return self._model

    def _moved_together(self):
        """Inertia [N/m] that pairs which rub move against each other, where every particle is shared among them."""
        rows = np.flatnonzero(self._most)
        inertia = np.zeros(len(self))
        weights, particles = np.abs(self._weights[:, rows]), self.particles[:, rows]
        sums = np.bincount(particles.ravel(), weights.ravel(), minlength=len(self._inertias))
        # What has no weight may be without end.
        shares = self._inertias / np.maximum(sums, 1.0)
        shares = np.multiply(weights, shares[particles], out=np.zeros_like(weights), where=weights > 0.0)
        first = self._weights[:, rows] > 0.0
        one, other = (np.where(side, shares, 0.0).sum(axis=0) for side in (first, ~first))
        with np.errstate(divide="ignore"):
            inertia[rows] = 1.0 / (1.0 / one + 1.0 / other)
        return inertia

    def _slip(self, rows):
        return self._way[rows] - self._along_way[rows, None] * self._normals[rows]

    @property
    def pressing(self):
        """Mask of pairs that are too close."""
        return self._depth > 0.0

    def pressed(self, inverse):
        """The AlongNormals of pairs that are too close; inverse: of the particles' masses [1/kg]."""
        rows = np.flatnonzero(self.pressing)
        return AlongNormals(self._matrix.of(rows), self._normals[rows], inverse)

    def rubbed_nowhere(self, inverse):
        """The pairs where `place` looked last as an Unrubbed; inverse: of the particles' inertia [m/N]."""
        depths = self.least - self.gaps_at_start - self._along_way
        of_pairs = AlongNormals(self._matrix.all, self._normals, inverse)
        return Unrubbed(of_pairs, depths, self._k, self.least, self.thick)

    def bear(self):
        """Take what presses where `place` looked last for what pairs bear, until friction has been decided once."""
        self._borne = self._pressing(slice(None))

    def _pressing(self, rows):
        """Forces [N] along the normals."""
        return self._k[rows] * self._depth[rows] * (1.0 + 2.0 * self._harder(rows))

    def _harder(self, rows):
        return _HARDENING * (self._depth[rows] / self.thick[rows]) ** 2

    def _along(self, vectors):
        return _dot(self._normals, vectors)


class Unrubbed(NamedTuple):
    """Pairs without friction: their AlongNormals, depths [m], below 0 of gaps, stiffness [N/m], and distances [m]."""

    pushed: AlongNormals
    depths: np.ndarray
    k: np.ndarray
    least: np.ndarray
    thick: np.ndarray

    def law(self, depths):
        """Forces [N] at depths [m], stiffness [N/m] where they are pressed, and energy [J]."""
        deep = np.maximum(depths, 0.0)
        harder = _HARDENING * (deep / self.thick) ** 2
        force = self.k * deep
        energy = 0.5 * float(np.einsum("i,i,i->", force, deep, 1.0 + harder))
        return force * (1.0 + 2.0 * harder), self.k * (1.0 + 6.0 * harder), energy

    def near(self, depths):
        """Mask of pairs that resist at depths [m]: those at rest touch by nothing."""
        return depths > -_NEARLY * self.least


class _Weights:
    """Weights of the particles of pairs; particles, weights: shape (pair_count, width); count: of all particles.

    all: of all pairs, SciPy CSR of shape (pair_count, count).
    """

    def __init__(self, particles, weights, count):
        self._particles, self._weights, self._count = particles, weights, count
        self.all = self.of(slice(None))

    def of(self, rows):
        """Those of some pairs, SciPy CSR: in a third of the time that SciPy takes rows in."""
        from scipy import sparse

        weights, particles = self._weights[rows], self._particles[rows]
        ends = np.arange(0, weights.size + 1, weights.shape[1], dtype=np.int32)
        return sparse.csr_matrix((weights.ravel(), particles.ravel(), ends), (len(weights), self._count))


class _Model(NamedTuple):
    """Pairs that resist: which, their weights, SciPy CSR, normals, and how stiff they are, along less than across.

    transposed: of the weights, SciPy CSC; rubs: whether there is friction at all;
    rubbing: stiffness of friction in all directions [N/m]; stiff: what there is along the normals besides; slips:
    directions, along which it is less stiff by `giving`.
    """

    rows: np.ndarray
    matrix: Any
    transposed: Any
    normals: np.ndarray
    stiff: np.ndarray
    rubs: bool
    rubbing: np.ndarray
    slips: np.ndarray
    giving: np.ndarray


def _dot(one, other):
    return np.einsum("ij,ij->i", one, other)
