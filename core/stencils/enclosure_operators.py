# SPDX-License-Identifier: GPL-3.0-or-later
"""Energy, gradient and second derivative of Enclosures."""

import numpy as np

from ..axes import cross, dot

# Parts of the largest volume that a piece's area encloses: where pressure begins to fall, and below which suction does.
_FULL, _EMPTY = 8.0, 0.01
# Share of its volume that what keeps it is off by while its springs are at work, for the matrix that is kept.
_OFF = 0.01
# Pressure that no skin holds, over its stiffness per width and the piece's radius: linear springs hold half of it.
_HELD = 1.0


class EnclosureOperators:
    """Operators of Enclosures in a network of so many vertices. Positions and gradients have shape (3, vertex_count).

    The second derivative is W'' dV dV^T + W' V'' with the energy W(V). The first is positive semidefinite, as W'' >= 0,
    and of rank one a piece: `rank_one` tells it to solvers. The second couples normal and tangential motion by
    p grad(u) and has no sign. In its place is D = 4 p^2 A/s a vertex, A its area and s the stiffness of its springs:
    p u_n div(u_t) <= p^2/(2 S) u_n^2 + S/2 div(u_t)^2 for any S, and with S the stiffness per width, s/4 on a grid, the
    second part is the springs' own. So H bounds what it stands for, and steps on it go down at any pressure. A piece
    that moves as a whole changes no volume: D acts on what is beside that.

    stiffness: sum of the springs' at every vertex [N/m], shape (vertex_count,); points: at rest [m].
    version: counts positions that the gradient was asked for at.
    """

    def __init__(self, enclosures, points, stiffness):
        self._of, count = enclosures, len(points)
        self._corners = np.ascontiguousarray(enclosures.triangles.T)
        self._flat = self._corners.ravel()
        # Of vertices that belong to no piece that of one after the last, which has nothing.
        self.piece = np.full(count, len(enclosures))
        self.piece[self._flat] = np.tile(enclosures.owner, 3)
        self._sizes = np.maximum(np.bincount(self.piece, minlength=len(enclosures) + 1), 1)
        a, b, c = (points[corner].T for corner in self._corners)
        thirds = np.sqrt(_square(cross(b - a, c - a))) / 6.0
        areas = np.bincount(self._flat, np.tile(thirds, 3), count)
        self._firmness = 4.0 * areas / np.maximum(stiffness, np.finfo(float).tiny)
        radii = np.cbrt(enclosures.room / (4.0 / 3.0 * np.pi))
        skin = 0.25 * np.bincount(self.piece, stiffness, len(enclosures) + 1)[:-1] / self._sizes[:-1]
        self._most = _HELD * skin / radii
        self.version = 0
        # Of a part, whose triangles are not closed: what the volumes are about, and what they are without it.
        self._middles: np.ndarray | None = None
        self._others = np.zeros(len(enclosures))
        self._across, self._second = np.zeros((3, count)), np.zeros(len(enclosures))
        self._firm: np.ndarray = np.zeros(count)
        self._total: np.ndarray = np.ones(len(enclosures) + 1)

    def fix(self, x, volumes):
        """Begin with a part of the triangles at x, where the volumes are so many [m^3], shape (count,)."""
        self._middles, self._others = np.tile(x.mean(axis=1)[:, None], len(volumes)), np.zeros(len(volumes))
        self._others = volumes - self.volumes(x)

    def volumes(self, x):
        """Volumes inside the pieces [m^3], shape (count,)."""
        return self._measured(x)[0]

    def pressures(self, x):
        """Pressure above that outside in every piece [Pa], shape (count,)."""
        return -self._law(self.volumes(x))[1]

    def energy(self, x):
        """Energy at x [J], which is at least 0."""
        return float(self.energies(x).sum())

    def energies(self, x):
        """Energy of every piece at x [J], shape (count,)."""
        return self._law(self.volumes(x))[0]

    def add_gradient(self, x, out):
        """Add the gradient at x [N] to `out`; returns the energy [J]. H is about there from now on."""
        volume, normals = self._measured(x)
        energy, first, second = self._law(volume)
        self._across = self._at_vertices(normals)
        self._second = second
        self._firm = np.append(self._lasting(first) ** 2, 0.0)[self.piece] * self._firmness
        self._total = np.bincount(self.piece, self._firm, len(first) + 1)
        self._total[self._total == 0.0] = 1.0
        self.version += 1
        out += np.append(first, 0.0)[self.piece] * self._across
        return float(energy.sum())

    def uneven(self, x):
        """Forces at x of what the pressure is beside its mean over every piece [N], shape (vertex_count, 3).

        They have no energy: a surface with more pressure on one side is pushed the other way, as by a jet, by the
        integral of the pressure over it.
        """
        of, (volume, normals) = self._of, self._measured(np.ascontiguousarray(x.T))
        # Both ways, whatever presses: one side of a surface may be blown where the other is sucked.
        (_, blown, _), (_, sucked, _) = self._ways(volume)
        left = (of.pressure * blown * sucked)[of.owner]
        return self._at_vertices(left * of.beside_mean * normals).T

    def add_product(self, p, out):
        """Add H p to `out`."""
        count = len(self._total)
        out += self.along(p)
        for along, row in zip(p, out, strict=True):
            whole = np.bincount(self.piece, self._firm * along, count) / self._total
            row += self._firm * (along - whole[self.piece])

    def along(self, p):
        """The part of H p that is of rank one a piece."""
        change = self._second * np.bincount(self.piece, dot(self._across, p), len(self._total))[:-1]
        return np.append(change, 0.0)[self.piece] * self._across

    def add_blocks(self, out):
        """Add to `out` what H has at each vertex itself: xx, yy, zz, xy, yz and zx, shape (6, vertex_count)."""
        g, second = self._across, np.append(self._second, 0.0)[self.piece]
        out[:3] += self._firm
        for row, (one, other) in zip(out, ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)), strict=True):
            row += second * g[one] * g[other]

    def diagonal(self):
        """D where H was asked for last [N/m], without what it leaves to a piece that moves as a whole."""
        return self._firm

    def usual_diagonal(self):
        """D at the pressure that is set, and the one that keeps the volume while little is off [N/m]."""
        usual = np.abs(self._of.even) + _OFF * self._of.bulk
        return np.append(usual**2, 0.0)[self.piece] * self._firmness

    def rank_one(self):
        """dV of all pieces in one array, shape (3, vertex_count) [m^2], and W'' of each [Pa/m^3], shape (count,)."""
        return self._across, self._second

    def highest_square(self, x, masses):
        """A bound of what the pieces add to the square of the highest frequency about x [1/s^2]; masses [kg]."""
        volume, normals = self._measured(x)
        _, first, second = self._law(volume)
        across = self._at_vertices(normals)
        inverse = np.where(np.isfinite(masses), 1.0 / masses, 0.0)
        whole = second * np.bincount(self.piece, _square(across) * inverse, len(first) + 1)[:-1]
        # V'' has blocks of a sixth of the way between the two vertices beside an edge, which sides bound.
        sides = sum(np.sqrt(_square(x[:, one] - x[:, other])) for one, other in self._sides())
        pressed = np.abs(first[self._of.owner]) + np.abs(
            self._of.pressure[self._of.owner] * self._of.beside_mean
        )
        around = np.bincount(self._flat, np.tile(pressed * sides, 3), len(self.piece)) / 3.0
        turned = around * inverse
        return float(whole.max(initial=0.0) + turned.max(initial=0.0))

    def _sides(self):
        a, b, c = self._corners
        return (a, b), (b, c), (c, a)

    def _measured(self, x):
        """Volumes, and normals of the triangles, twice as long as their areas, shape (3, triangle_count)."""
        owner, count = self._of.owner, len(self._of)
        # About the pieces' own middles, or far from the origin rounding would be as large as what is inside.
        middles = self._middles
        if middles is None:
            sums = [np.bincount(self.piece, along, count + 1) for along in x]
            middles = np.stack(sums)[:, :count] / self._sizes[:count]
        a, b, c = (x.take(corner, axis=1) for corner in self._corners)
        normals = cross(b - a, c - a)
        volumes = np.bincount(owner, dot(normals, a - middles[:, owner]), count) / 6.0
        return volumes + self._others, normals

    def _at_vertices(self, normals):
        """A third of the area of the triangles about every vertex, as vectors: the derivative of the volume."""
        return np.stack(
            [np.bincount(self._flat, np.tile(along / 6.0, 3), len(self.piece)) for along in normals]
        )

    def _lasting(self, first):
        """Pressures [Pa] without what keeps a volume that is far off, for a moment, with more than any skin holds."""
        return np.minimum(np.abs(first), np.abs(self._of.even) + self._most)

    def _law(self, volume):
        """Energy W [J], W' = -p [Pa] and W'' [Pa/m^3] of every piece."""
        of = self._of
        set_energy, set_first, set_second = (
            np.where(of.pressure >= 0.0, blown, sucked)
            for blown, sucked in zip(*self._ways(volume), strict=True)
        )
        size, kept = np.abs(of.even), np.where(of.bulk > 0.0, of.volume, 1.0)
        off = volume / kept - of.share
        energy = size * set_energy + 0.5 * of.bulk * kept * off**2
        return energy, of.even * set_first + of.bulk * off, size * set_second + of.bulk / kept

    def _ways(self, volume):
        """Remaining work of a positive and of a negative pressure in every piece, see `_work`."""
        return _work(volume, _FULL * self._of.room), _work(-volume, -_EMPTY * self._of.room)


def _work(volume, most):
    """Remaining work of a pressure of 1 Pa, and its derivatives: beyond `most` it falls to zero within as much."""
    fall = np.abs(most)
    left = np.clip((most + fall - volume) / fall, 0.0, None)
    whole = left >= 1.0
    energy = np.where(whole, fall * (left - 0.5), 0.5 * fall * left**2)
    return energy, -np.minimum(left, 1.0), np.where(whole | (left == 0.0), 0.0, 1.0 / fall)


def _square(vectors):
    return dot(vectors, vectors)
