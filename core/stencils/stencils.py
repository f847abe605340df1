# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs between weighted points."""

from dataclasses import dataclass, fields, replace
from itertools import combinations

import numpy as np

from ..incidence import Incidence
from ..quantities import check_indices, frozen, quantity

# Rounding of a coordinate in single precision, with one for the arithmetic that it came from.
_SINGLE = 2.0 * 2.0**-23
# Names of quantities in messages.
_NAMES = {"stiffness": "stiffness", "rest_lengths": "rest length"}


@dataclass(frozen=True, eq=False)
class Stencils:
    """Springs that pull a weighted sum of points, u = sum of w_i x_i, to a rest length L: energies k/2 (|u| - L)^2.

    An edge is the stencil of weights 1 and -1; 1, -2, 1 along a line measures how it bends. Weights that sum to zero
    keep momentum, and one law of length keeps angular momentum.

    vertices: indices, shape (count, width); weights: shape (count, width), 0 where a stencil has fewer vertices. A
        weight has the unit that makes u what is measured: none for a length [m], 1/m^2 for a curvature [1/m].
    stiffness: k > 0, energy over u squared, scalar or shape (count,): [N/m] for lengths, [N m^3] for curvatures.
    rest_lengths: L >= 0, in the unit of u; damping: >= 0, along u, stiffness times seconds.

    Raises ValueError naming the first entry that is out of its range.
    """

    vertices: np.ndarray
    weights: np.ndarray
    stiffness: np.ndarray
    rest_lengths: np.ndarray | float = 0.0
    damping: np.ndarray | float = 0.0

    def __post_init__(self):
        vertices, weights = np.asarray(self.vertices), np.array(self.weights, dtype=np.float64)
        if vertices.ndim != 2 or vertices.dtype.kind not in "iu" or weights.shape != vertices.shape:
            raise ValueError(
                f"stencils have vertices of shape {vertices.shape} of {vertices.dtype} and weights of shape "
                f"{weights.shape}: give whole numbers and weights of one shape, a row a stencil"
            )
        if not np.isfinite(weights).all():
            raise ValueError(
                f"stencil {np.argwhere(~np.isfinite(weights))[0][0]} has a weight that is not finite: its vertices lie "
                "too close together, merge them"
            )
        own = {
            "vertices": frozen(vertices.astype(np.intp)),
            "weights": frozen(weights),
            "stiffness": quantity("stiffness", self.stiffness, "stencil", len(vertices)),
            "rest_lengths": quantity("rest length", self.rest_lengths, "stencil", len(vertices)),
            "damping": quantity("damping", self.damping, "stencil", len(vertices)),
        }
        for name, array in own.items():
            object.__setattr__(self, name, array)

    @classmethod
    def none(cls):
        """No stencils."""
        return cls(np.empty((0, 2), dtype=np.intp), np.empty((0, 2)), np.empty(0))

    @classmethod
    def of_edges(cls, edges, stiffness, rest_lengths, damping):
        """The springs along edges, shape (count, 2), as stencils."""
        return cls._checked(edges, np.tile([1.0, -1.0], (len(edges), 1)), stiffness, rest_lengths, damping)

    @classmethod
    def _checked(cls, *arrays):
        """Stencils of arrays that have been checked: networks are made in every substep, of parts of others."""
        made = object.__new__(cls)
        for field, array in zip(fields(cls), arrays, strict=True):
            object.__setattr__(made, field.name, array)
        return made

    def _arrays(self):
        return tuple(getattr(self, field.name) for field in fields(self))

    @classmethod
    def joined(cls, several):
        """All stencils of several, one after the other."""
        several = [stencils for stencils in several if len(stencils)]
        if len(several) < 2:
            return several[0] if several else cls.none()
        width = max(stencils.width for stencils in several)
        arrays = zip(*(stencils._arrays() for stencils in several), strict=True)
        return cls._checked(*(np.concatenate([_padded(array, width) for array in of]) for of in arrays))

    def __len__(self):
        return len(self.vertices)

    @property
    def width(self):
        """Most vertices that one joins."""
        return self.vertices.shape[1]

    def broken_by(self, edges, vertex_count):
        """Mask of those of which one of some edges joins two vertices."""
        low, high = np.sort(edges, axis=1).T
        cut = np.zeros(len(self), dtype=bool)
        for one, other in combinations(self.vertices.T, 2):
            keys = np.minimum(one, other) * vertex_count + np.maximum(one, other)
            cut |= np.isin(keys, low * vertex_count + high)
        return cut

    def links(self):
        """Pairs of vertices that show which ones are joined, shape (link_count, 2); those that are broken join none."""
        joined = self.weights != 0.0
        first = self.vertices[np.arange(len(self)), joined.argmax(axis=1)]
        rows, columns = np.nonzero(joined)
        return np.column_stack([first[rows], self.vertices[rows, columns]])

    def check(self, vertex_count):
        """Raise ValueError where one names a vertex that is none of so many."""
        check_indices("stencil", self.vertices, vertex_count)

    def changed(self, stiffness=None, rest_lengths=None):
        """The same vertices and weights with other stiffness or rest lengths; None for those of now."""
        given = {"stiffness": stiffness, "rest_lengths": rest_lengths}
        checked = {
            name: quantity(_NAMES[name], values, "stencil", len(self))
            for name, values in given.items()
            if values is not None
        }
        return self._checked(*(checked.get(field.name, getattr(self, field.name)) for field in fields(self)))

    def chosen(self, rows):
        """Some of them, by their indices or a mask."""
        return self._checked(*(array[rows] for array in self._arrays()))

    def without(self, broken):
        """The same, of which some, by a mask, do nothing any more: their weights are zero."""
        return replace(
            self,
            weights=np.where(broken[:, None], 0.0, self.weights),
            rest_lengths=np.where(broken, 0.0, self.rest_lengths),
            damping=np.where(broken, 0.0, self.damping),
        )

    def renumbered(self, numbers):
        """The same between other vertices: `numbers` has the new index of each."""
        return self._checked(numbers[self.vertices], *self._arrays()[1:])

    def incidence(self, vertex_count):
        """Their Incidence in a network of so many vertices."""
        return Incidence(self.vertices, vertex_count, self.weights)

    def at_rest(self, points, keep_shape):
        """The same with rest lengths as the points have them [m], or of none where shapes are not kept.

        What single precision, in which points come from files, may have put there is none.
        """
        lengths = self.lengths(points)
        # Coordinates are rounded one without the other: errors add up as their squares do.
        rounding = _SINGLE * np.abs(points).max(initial=0.0) * np.linalg.norm(self.weights, axis=1)
        return replace(self, rest_lengths=np.where(keep_shape & (lengths > rounding), lengths, 0.0))

    def lengths(self, x):
        """|u| of each at x, shape (count,)."""
        u = self.incidence(len(x)).differences(x)
        return np.sqrt(np.einsum("ij,ij->i", u, u))

    def energies(self, x):
        """Energy of each at x [J], shape (count,)."""
        # From a place nearby: far from the origin rounding would be as large as what little bends.
        return 0.5 * self.stiffness * (self.lengths(x - x[0]) - self.rest_lengths) ** 2

    def damped(self, ratio, masses):
        """The same with the damping that makes each such a share of critical, with the masses [kg] that it moves."""
        moved = 1.0 / np.maximum((self.weights**2 / masses[self.vertices]).sum(axis=1), np.finfo(float).tiny)
        return replace(self, damping=2.0 * ratio * np.sqrt(self.stiffness * moved))

    def second_derivative(self, vertex_count):
        """A^T diag(k) A [N/m], SciPy CSR: all of it where they are linear."""
        weights = self.incidence(vertex_count).matrix()
        return (weights.T.multiply(self.stiffness) @ weights).tocsr()

    @property
    def linear(self):
        """Which have a constant second derivative, k in all directions: those of no rest length and no damping."""
        return (self.rest_lengths == 0.0) & (self.damping == 0.0)


def _padded(array, width):
    """Rows of `width` entries: vertices repeat the first, with a weight of zero."""
    if array.ndim == 1 or array.shape[1] == width:
        return array
    missing = (len(array), width - array.shape[1])
    more = np.broadcast_to(array[:, :1], missing) if array.dtype.kind == "i" else np.zeros(missing)
    return np.concatenate([array, more], axis=1)
