# SPDX-License-Identifier: GPL-3.0-or-later
"""What pairs that come too close add to the objective of an implicit step."""

from typing import Any, NamedTuple

import numpy as np

# Newton steps, and conjugate gradients in each at most, where there are no springs; how small they make the rest.
_STEPS, _GRADIENTS, _CLOSE = 3, 8, 1e-4

# How much stiffer pairs are the deeper they are pressed: k (1 + 6 c (depth/distance)^2).
_HARDENING = 20.0

# Share of the distance above it from which on pairs resist: those at rest touch by nothing.
_NEARLY = 0.02

_LEAST = 1e-300


class PairEnergy:
    """k/2 d^2 (1 + c (d/thick)^2) of pairs, d = max(least - n . sum of w_i x_i, 0), and friction.

    A force between the particles of a pair adds up to nothing: momentum is kept whatever the iterations do. Friction is
    lagged: a spring of mu N over the slip so far, at most as stiff as the pair, whose N and slip are those of the
    gradient evaluated last; as an energy it is above Coulomb's, as in `Touching`.

    particles, weights: shape (4, pair_count), the weights of each of sum 0; normals: (3, pair_count); thick: distance
    kept in the end [m]; friction: coefficients; start: positions that slip counts from [m], shape (3, particle_count);
    way: that particles would go by their velocities, which tells of slip before there is any.
    least: distance kept now [m], thick unless it is set; gaps_at_start: distances along the normals [m].

    Positions and gradients are of shape (3, particle_count). What is said of pairs is of what `place` saw last.
    """

    def __init__(self, particles, weights, normals, thick, friction, start, way):
        from scipy import sparse

        width, count = particles.shape
        ends = np.arange(0, width * count + 1, width)
        columns, entries = particles.T.ravel(), weights.T.ravel()
        self._matrix = sparse.csr_matrix((entries, columns, ends), (count, start.shape[1]))
        self._squares = (weights**2, particles)
        self.particles, self._normals, self._friction = particles, np.ascontiguousarray(normals.T), friction
        self._began = self.apart(start)
        self.gaps_at_start = self._along(self._began)
        self.thick = self.least = thick
        way = self.apart(way)
        way -= self._along(way)[:, None] * self._normals
        self._usual = np.sqrt(_dot(way, way))
        self._k = self._rubbing = self._depth = np.zeros(count)
        self._way, self._along_way = np.zeros((count, 3)), np.zeros(count)
        self._stiff = np.zeros(count, dtype=bool)
        self._model: _Model | None = None
        # What pairs bear without springs, after `relaxed` [N].
        self._borne: Any = None

    def __len__(self):
        return len(self.least)

    def apart(self, x):
        """Sums of w_i x_i, shape (pair_count, 3)."""
        return self._matrix @ np.ascontiguousarray(x.T)

    def gaps(self, x):
        """Distances along the normals [m], below 0 of what passed through."""
        return self._along(self.apart(x))

    def stiffen(self, compliances):
        """Make pairs as stiff as their particles are, of so much compliance [m/N]: 0 of what does not move."""
        squares, particles = self._squares
        self._k = 1.0 / np.maximum((squares * compliances[particles]).sum(axis=0), _LEAST)

    def place(self, x):
        """Look at positions [m]."""
        self._way = self.apart(x)
        self._way -= self._began
        self._along_way = self._along(self._way)
        depth = self.least - self.gaps_at_start
        depth -= self._along_way
        self._stiff = depth > -_NEARLY * self.least
        self._depth, self._model = np.maximum(depth, 0.0, out=depth), None

    def energy(self):
        """Energy [J], with friction as it was decided last."""
        press, rub = (np.flatnonzero(of) for of in (self._depth, self._rubbing))
        depth, slip = self._depth[press], self._slip(rub)
        pressed = depth**2 * (1.0 + _HARDENING * (depth / self.thick[press]) ** 2)
        return 0.5 * float(self._k[press] @ pressed + self._rubbing[rub] @ _dot(slip, slip))

    def add_gradient(self, gradient, *, rubs=True):
        """Decide friction, none unless it rubs, and add the gradient [N]."""
        model = self._linearised()
        depth, slip = self._depth[model.rows], self._slip(model.rows)
        pressing = self._k[model.rows] * depth
        pressing *= 1.0 + 2.0 * _HARDENING * (depth / self.thick[model.rows]) ** 2
        rubbing = np.zeros(len(depth))
        if rubs:
            slipped = np.sqrt(_dot(slip, slip))
            slipped = np.where(slipped > 0.0, slipped, self._usual[model.rows])
            # Made stiffer, pairs press at first with far more than they bear.
            borne = pressing if self._borne is None else np.minimum(pressing, self._borne[model.rows])
            most = self._friction[model.rows] * borne
            rubbing = np.minimum(most / np.maximum(slipped, _LEAST), self._k[model.rows])
            rubbing[pressing == 0.0] = 0.0
            self._borne = None
        self._rubbing = np.zeros(len(self))
        self._rubbing[model.rows] = rubbing
        slip *= rubbing[:, None]
        slip -= pressing[:, None] * model.normals
        self._model = model._replace(rubbing=rubbing, stiff=model.stiff + model.rubbing - rubbing)
        gradient += (model.matrix.T @ slip).T

    def add_product(self, p, out):
        """Add the product [N] of the second derivative with p [m] to `out`, and return that."""
        model = self._linearised()
        apart = model.matrix @ np.ascontiguousarray(p.T)
        along = _dot(model.normals, apart)
        along *= model.stiff
        apart *= model.rubbing[:, None]
        apart += along[:, None] * model.normals
        out += (model.matrix.T @ apart).T
        return out

    def add_blocks(self, blocks):
        """Add what the second derivative has at each particle itself [N/m]: xx, yy, zz, xy, yz and zx."""
        model = self._linearised()
        n, axes = model.normals.T, ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
        entries = np.stack([n[a] * n[b] * model.stiff for a, b in axes], axis=1)
        entries[:, :3] += model.rubbing[:, None]
        squared = model.matrix.copy()
        squared.data *= squared.data
        blocks += (squared.T @ entries).T

    def _linearised(self):
        """The pairs that resist where `place` looked last, with friction as it was decided last."""
        if self._model is None:
            rows = np.flatnonzero(self._stiff | (self._rubbing > 0.0))
            depth, rubbing = self._depth[rows], self._rubbing[rows]
            stiff = self._k[rows] * (1.0 + 6.0 * _HARDENING * (depth / self.thick[rows]) ** 2)
            stiff[~self._stiff[rows]] = 0.0
            stiff -= rubbing
            self._model = _Model(rows, self._matrix[rows], self._normals[rows], stiff, rubbing)
        return self._model

    def _slip(self, rows):
        return self._way[rows] - self._along_way[rows, None] * self._normals[rows]

    @property
    def pressing(self):
        """Mask of pairs that are too close."""
        return self._depth > 0.0

    def matched(self, field, other, inverse_masses):
        """What added to a field has pairs that press part in it as in another, with the least change by impulses.

        inverse_masses: [1/kg], shape (particle_count,).
        """
        rows = np.flatnonzero(self.pressing)
        matrix, normals = self._matrix[rows], self._normals[rows]
        lacking = _dot(normals, matrix @ np.ascontiguousarray((other - field).T))
        moved, p = np.zeros_like(field), lacking.copy()
        rr = first = float(lacking @ lacking)
        for _ in range(_GRADIENTS):
            if not rr > _CLOSE * first:
                break
            step = inverse_masses * (matrix.T @ (p[:, None] * normals)).T
            product = _dot(normals, matrix @ np.ascontiguousarray(step.T))
            length = rr / float(p @ product)
            moved += length * step
            lacking -= length * product
            rr, last = float(lacking @ lacking), rr
            p = lacking + (rr / last) * p
        return moved

    def relaxed(self, x, inertia):
        """Positions of the least of inertia/2 |x' - x|^2 and this, as far as a few Newton steps come.

        inertia: [N/m], shape (particle_count,), infinite of what does not move.
        """
        inverse = 1.0 / inertia
        moving = np.where(inverse > 0.0, inertia, 0.0)
        moved = np.zeros_like(x)
        self.place(x)
        for number in range(_STEPS):
            if not self.pressing.any():
                break
            g = moving * moved
            # What inertia alone presses with is far too much to rub with.
            self.add_gradient(g, rubs=number > 0)
            g *= inverse > 0.0
            before = self.energy() + 0.5 * float((moving * moved**2).sum())
            step = _newton_step(self, g, moving, inverse)
            length, slope = 1.0, float((g * step).sum())
            while slope < 0.0 and length > 1e-2:
                tried = moved + length * step
                self.place(x + tried)
                if self.energy() + 0.5 * float((moving * tried**2).sum()) < before:
                    moved = tried
                    break
                length *= 0.5
            else:
                break
        self.place(x + moved)
        self._borne = self._k * self._depth * (1.0 + 2.0 * _HARDENING * (self._depth / self.thick) ** 2)
        return x + moved

    def _along(self, vectors):
        return _dot(self._normals, vectors)


class _Model(NamedTuple):
    """Pairs that resist: which, their weights, SciPy CSR, normals, and how stiff they are, along less than across.

    rubbing: stiffness of friction in all directions [N/m]; stiff: what there is along the normals besides.
    """

    rows: np.ndarray
    matrix: Any
    normals: np.ndarray
    stiff: np.ndarray
    rubbing: np.ndarray


def _newton_step(pairs, g, moving, inverse):
    """Conjugate gradients on inertia and pairs: preconditioned with the inertia, they keep momentum."""
    step, r = np.zeros_like(g), -g
    z = inverse * r
    p, rz = z.copy(), float((r * z).sum())
    first = rz
    for _ in range(_GRADIENTS):
        if not rz > _CLOSE * first:
            break
        hp = moving * p
        pairs.add_product(p, hp)
        hp *= inverse > 0.0
        length = rz / float((p * hp).sum())
        step += length * p
        r -= length * hp
        z = inverse * r
        rz, last = float((r * z).sum()), rz
        p = z + (rz / last) * p
    return step


def _dot(one, other):
    return np.einsum("ij,ij->i", one, other)
