# SPDX-License-Identifier: GPL-3.0-or-later
"""Which parts of a surface may come close to each other, or fold onto themselves, told from their outlines."""

import numpy as np

# Elements of a patch, and patches of a surface: the fewer elements, the more pairs of patches are looked at.
_SMALLEST, _MOST = 24, 256

# Outlines are taken along the axes, and along what lies between two of them.
DIRECTIONS = np.array(
    [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1], [0, 1, 1], [0, 1, -1]],
    float,
)
DIRECTIONS /= np.linalg.norm(DIRECTIONS, axis=1)[:, None]

# Directions of the elements that differ by less than this [rad] leave no room for a fold that touches itself: at pi
# they would be two plies on each other.
_OPEN = 0.7 * np.pi

_LEAST = 1e-150


class Patches:
    """Splits a surface into patches, and tells of pairs of them whether anything in one can come near the other.

    Patches that lie beside each other at rest, and a patch and itself, are near only where their triangles' normals,
    or their strands' directions, turn far from each other (Volino and Magnenat-Thalmann 1994).

    rest: points at rest [m], shape (particle_count, 3); elements: arrays of corners, of triangles and of strands;
    parts: number of the connected part of each particle; reach: distance that is near [m].
    of_elements: the patch of every element, one array for each kind; of_particles: a patch of every particle.
    """

    def __init__(self, rest, elements, parts, reach):
        kinds = [(kind, corners) for kind, corners in enumerate(elements) if len(corners)]
        size = max(_SMALLEST, sum(len(corners) for _, corners in kinds) // _MOST)
        self._reach, self.count = reach, 0
        self.of_elements = [np.zeros(len(corners), dtype=np.intp) for corners in elements]
        self.of_particles = np.zeros(len(rest), dtype=np.intp)
        particles, joined = [], []
        for kind, corners in kinds:
            middles, of_part = rest[corners].mean(axis=1), parts[corners[:, 0]]
            order = np.argsort(of_part, kind="stable")
            bounds = np.flatnonzero(np.diff(of_part[order])) + 1
            # Of many small parts several are in one patch.
            whole = [order] if len(bounds) >= _MOST else np.split(order, bounds)
            for group in whole:
                for patch in _split(middles, group, size):
                    self.of_elements[kind][patch] = self.count
                    particles.append(np.unique(corners[patch]))
                    joined.append((of_part[patch] == of_part[patch[0]]).all())
                    self.of_particles[particles[-1]] = self.count
                    self.count += 1
        # Every patch is of one kind: its elements after those of the patch before.
        self._own = [np.unique(of_patch) for of_patch in self.of_elements]
        orders = [np.argsort(of_patch, kind="stable") for of_patch in self.of_elements]
        self._sorted = [
            (corners[order], np.searchsorted(of_patch[order], own))
            for corners, order, of_patch, own in zip(
                elements, orders, self.of_elements, self._own, strict=True
            )
        ]
        if self.count == 0:
            particles, joined = [np.zeros(1, dtype=np.intp)], [True]
            self.count = 1
        self._particles = np.concatenate(particles)
        self._starts = np.cumsum([0, *map(len, particles[:-1])])
        at_rest = self.outlines(DIRECTIONS @ rest.T)
        part = np.where(joined, parts[[of_patch[0] for of_patch in particles]], -1 - np.arange(self.count))
        self._beside = (part[:, None] == part) & self._close(at_rest, at_rest)
        np.fill_diagonal(self._beside, joined)

    def near(self, x, end):
        """Whether something in one patch may be near another on straight ways from x to end [m].

        Symmetric, shape (count, count).
        """
        near = self._close(self.outlines(DIRECTIONS @ x.T), self.outlines(DIRECTIONS @ end.T))
        both = np.flatnonzero(near & self._beside)
        near.flat[both] = False
        one, other = np.divmod(both, self.count)
        folded = np.zeros(len(both), dtype=bool)
        for at in (x, end):
            axes, angles = self._cones(at)
            between = np.arccos(np.clip(np.einsum("ij,ij->i", axes[one], axes[other]), -1.0, 1.0))
            folded |= between + angles[one] + angles[other] > _OPEN
        near.flat[both[folded]] = True
        return near

    def outlines(self, along):
        """Least and greatest places along the directions, shapes (direction_count, count); along: of the particles."""
        along = along.take(self._particles, axis=1)
        return np.minimum.reduceat(along, self._starts, axis=1), np.maximum.reduceat(
            along, self._starts, axis=1
        )

    @staticmethod
    def strayed(x, end):
        """How far anything moved at most against anything else, from x to end [m]."""
        moved = end - x
        moved -= moved.mean(axis=0)
        return 2.0 * float(np.sqrt(np.einsum("ij,ij->i", moved, moved).max()))

    def parting(self, x, end, p, q):
        """How far anything in patches p moved at most against anything in patches q, from x to end [m]."""
        moved = (end - x).take(self._particles, axis=0)
        counts = np.diff(self._starts, append=len(moved))
        means = np.add.reduceat(moved, self._starts, axis=0) / counts[:, None]
        moved -= np.repeat(means, counts, axis=0)
        away = np.sqrt(np.maximum.reduceat(np.einsum("ij,ij->i", moved, moved), self._starts))
        apart = means[p] - means[q]
        return np.sqrt(np.einsum("ij,ij->i", apart, apart)) + away[p] + away[q]

    def _close(self, outlines, at_end):
        """Pairs of patches that no direction keeps apart for all the way, symmetric, shape (count, count)."""
        (low, high), (low_end, high_end) = outlines, at_end
        close = np.ones((self.count, self.count), dtype=bool)
        for k in range(3):
            below = (high[k][:, None] + self._reach < low[k]) & (
                high_end[k][:, None] + self._reach < low_end[k]
            )
            close &= ~(below | below.T)
        p, q = np.nonzero(np.triu(close))
        for k in range(3, len(DIRECTIONS)):
            apart = np.zeros(len(p), dtype=bool)
            for one, other in ((p, q), (q, p)):
                apart |= (high[k][one] + self._reach < low[k][other]) & (
                    high_end[k][one] + self._reach < low_end[k][other]
                )
            p, q = p[~apart], q[~apart]
        close[:] = False
        close[p, q] = close[q, p] = True
        return close

    def _cones(self, x):
        """Mean direction of the elements of every patch, and the angle that holds all of them [rad]."""
        axes, angles = np.zeros((self.count, 3)), np.zeros(self.count)
        for (corners, starts), own in zip(self._sorted, self._own, strict=True):
            if corners.shape[1] == 1:
                # Points lie as they like.
                angles[own] = np.pi
                continue
            if len(corners) == 0:
                continue
            a, *others = (x.take(column, axis=0) for column in corners.T)
            n = others[0] - a
            if len(others) == 2:
                b, c = n, others[1] - a
                n = b[:, [1, 2, 0]] * c[:, [2, 0, 1]] - b[:, [2, 0, 1]] * c[:, [1, 2, 0]]
            n /= np.maximum(np.sqrt(np.einsum("ij,ij->i", n, n)), _LEAST)[:, None]
            mean = np.add.reduceat(n, starts, axis=0)
            mean /= np.maximum(np.linalg.norm(mean, axis=1), _LEAST)[:, None]
            counts = np.diff(starts, append=len(corners))
            cosines = np.einsum("ij,ij->i", np.repeat(mean, counts, axis=0), n)
            axes[own] = mean
            angles[own] = np.arccos(np.clip(np.minimum.reduceat(cosines, starts), -1.0, 1.0))
        return axes, angles


def _split(points, chosen, size):
    """Index arrays of at most `size` points each that lie together, of the chosen ones."""
    if len(chosen) <= size:
        return [chosen]
    at = points[chosen]
    axis = np.ptp(at, axis=0).argmax()
    order = np.argsort(at[:, axis], kind="stable")
    half = len(chosen) // 2
    return _split(points, chosen[order[:half]], size) + _split(points, chosen[order[half:]], size)
