# SPDX-License-Identifier: GPL-3.0-or-later
"""Enclosed volumes of closed surfaces: their pressure, and the volume that they keep."""

from dataclasses import dataclass, replace

import numpy as np

from ..quantities import any_number, frozen, number, quantity
from ..topology import connected_parts

# A surface with less than this share of the largest volume of its area is flat: it has no volume to keep.
_FLAT = 1e-3
# Of a factor, beside its mean: less is what sums of equal ones leave.
_ROUNDING = 1e-12

# Fields of Enclosures with an entry for each piece, and for each triangle beside its corners.
_ARRAYS = "room", "volume", "pressure", "bulk", "share", "mean", "factor", "area"


@dataclass(frozen=True, eq=False)
class Inside:
    """The inside of the closed faces of a mesh.

    pressure: above that outside [Pa], below 0 for suction; bulk_modulus: pressure over the relative change of volume
    [Pa], 0 for none: air that cannot escape has 1e5, that of the atmosphere; volume_share: kept volume over that at
    rest.
    factor: of the pressure, not of the bulk modulus, at least 0, scalar or shape (vertex_count,); a triangle has the
    mean of its corners; varies: whether the factor changes with time.

    Raises ValueError for a quantity out of its range.
    """

    pressure: float = 0.0
    bulk_modulus: float = 0.0
    volume_share: float = 1.0
    factor: float | np.ndarray = 1.0
    varies: bool = False

    def __post_init__(self):
        if not np.isfinite(any_number("pressure", self.pressure)):
            raise ValueError(f"pressure is {self.pressure} Pa: it must be finite")
        number("bulk modulus", self.bulk_modulus, "Pa")
        number("share of the volume", self.volume_share, above=0.0)


@dataclass(frozen=True, eq=False)
class Enclosures:
    """Closed pieces of a surface, each with the energy of what is inside.

    Of a volume V that is integral of -p dV: p is `pressure` less bulk (V/V_0 - share). Nothing is blown up or emptied
    without end: beyond eight times `room`, as far as a balloon of linear springs holds any pressure, `pressure` falls
    to zero at twice of that, and what sucks ends likewise below a hundredth of it.

    Where `factor` is not the same all over a piece, its mean counts in that energy; what the pressure is beside that
    mean has none, see `EnclosureOperators.uneven`.

    triangles: wound outwards, shape (triangle_count, 3); owner: number of the piece of each; factor: of the pressure
    on each, area: at rest [m^2], shape (triangle_count,) each; varies: whether the factor changes with time.
    room: the largest volume that the piece's area can enclose, a ball's [m^3]; volume: V_0 [m^3]; pressure [Pa]; bulk
    [Pa]; share; mean: of the factor over the area at rest; shape (count,) each.
    left_out: how many pieces are open, and how many closed ones are wound both ways; turned: how many of the others
    were wound inwards.
    """

    triangles: np.ndarray
    owner: np.ndarray
    room: np.ndarray
    volume: np.ndarray
    pressure: np.ndarray
    bulk: np.ndarray
    share: np.ndarray
    factor: np.ndarray
    mean: np.ndarray
    area: np.ndarray
    varies: bool = False
    left_out: tuple[int, int] = (0, 0)
    turned: int = 0

    @classmethod
    def none(cls):
        """No piece."""
        nothing = np.empty(0)
        triangles, owner = np.empty((0, 3), dtype=np.intp), np.empty(0, dtype=np.intp)
        return cls(
            triangles, owner, **dict.fromkeys(_ARRAYS, nothing), varies=False, left_out=(0, 0), turned=0
        )

    @classmethod
    def of(cls, points, triangles, inside):
        """The closed pieces of triangles at rest at `points` [m], which may be wound in or out.

        Raises ValueError where no piece is closed, or one whose volume is to be kept is flat, and for a factor out of
        its range.
        """
        count = len(points)
        of_vertices = quantity("factor of the pressure", inside.factor, "vertex", count)
        piece = _pieces(triangles, count)
        closed, alike = _closed(triangles, piece, count)
        chosen = closed & alike
        left_out = int((~closed).sum()), int((closed & ~alike).sum())
        if not chosen.any():
            raise ValueError(_nothing_closed(left_out))
        inner = chosen[piece]
        triangles, owner = triangles[inner], (np.cumsum(chosen) - 1)[piece[inner]]
        triangles, volume, areas, turned = _outward(points, triangles, owner)
        factor = of_vertices[triangles].mean(axis=1)
        room = np.bincount(owner, areas) ** 1.5 / (6.0 * np.sqrt(np.pi))
        flat = np.flatnonzero(volume <= _FLAT * room)
        if inside.bulk_modulus > 0.0 and len(flat):
            raise ValueError(
                "there is no volume to keep: what is closed is flat at rest; give it a pressure and keep no volume"
            )
        pressure, bulk, share = (
            np.full(len(room), float(value))
            for value in (inside.pressure, inside.bulk_modulus, inside.volume_share)
        )
        of_pieces = room, volume, pressure, bulk, share, factor, _mean(owner, areas, factor)
        return cls(triangles, owner, *of_pieces, areas, inside.varies, left_out, turned)

    @classmethod
    def joined(cls, several):
        """All pieces of several, one after the other."""
        several = [cls.none(), *several]
        starts = np.cumsum([0, *(len(of) for of in several[:-1])])
        return cls(
            np.concatenate([of.triangles for of in several]),
            np.concatenate([of.owner + start for of, start in zip(several, starts, strict=True)]),
            left_out=(sum(of.left_out[0] for of in several), sum(of.left_out[1] for of in several)),
            turned=sum(of.turned for of in several),
            varies=any(of.varies for of in several),
            **{name: np.concatenate([getattr(of, name) for of in several]) for name in _ARRAYS},
        )

    def __len__(self):
        return len(self.room)

    @property
    def even(self):
        """The pressure that is set, on the mean over each piece [Pa], shape (count,)."""
        return self.pressure * self.mean

    @property
    def beside_mean(self):
        """The factor of each triangle less the mean of its piece, shape (triangle_count,)."""
        return self.factor - self.mean[self.owner]

    @property
    def is_uneven(self):
        """Whether the pressure differs, or may, from place to place."""
        return self.varies or bool(
            (np.abs(self.beside_mean) > _ROUNDING * self.factor.max(initial=0.0)).any()
        )

    def renumbered(self, numbers):
        """The same between other vertices: `numbers` has the new index of each."""
        return replace(self, triangles=numbers[self.triangles])

    def part(self, numbers, free):
        """What of the triangles some particles move: `numbers` has their indices in the part, -1 for what is in none.

        free: mask of those that move, by these indices.
        """
        inner = numbers[self.triangles]
        chosen = (inner >= 0).all(axis=1)
        chosen[chosen] = free[inner[chosen]].any(axis=1)
        of_triangles = {name: getattr(self, name)[chosen] for name in ("owner", "factor", "area")}
        return replace(self, triangles=inner[chosen], **of_triangles)

    def changed(self, pressure=None, volume_share=None, factor=None):
        """With another pressure [Pa], or share of the volume, each one value or one a piece; None for that of now.

        factor: of the pressure, one value or one a triangle.
        Raises ValueError for values that are not finite, shares that are not above 0, and factors below 0.
        """
        found = self
        if pressure is not None:
            values = np.array(np.broadcast_to(pressure, len(self)), dtype=np.float64)
            if not np.isfinite(values).all():
                raise ValueError(f"pressure is {pressure} Pa: it must be finite")
            found = replace(found, pressure=frozen(values))
        if volume_share is not None:
            share = quantity("share of the volume", volume_share, "piece", len(self), above=0.0)
            found = replace(found, share=share)
        if factor is not None:
            factor = quantity("factor of the pressure", factor, "triangle", len(self.triangles))
            found = replace(found, factor=factor, mean=_mean(self.owner, self.area, factor, len(self)))
        return found

    def skin(self, vertex_count):
        """Mask of the vertices that enclose something, shape (vertex_count,)."""
        found = np.zeros(vertex_count, dtype=bool)
        found[self.triangles] = True
        return found


def _mean(owner, area, factor, count=0):
    """Means of triangles' factors over the area of each piece, of at least so many."""
    total = np.bincount(owner, area, count)
    return np.bincount(owner, area * factor, count) / np.maximum(total, np.finfo(float).tiny)


def _pieces(triangles, count):
    """Number of the piece, joined by corners, of every triangle."""
    part = connected_parts(np.concatenate([triangles[:, :2], triangles[:, 1:]]), count)
    return np.unique(part[triangles[:, 0]], return_inverse=True)[1].ravel()


def _closed(triangles, piece, count):
    """Which pieces have two triangles at every side, and which of these are wound alike, masks."""
    sides = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    owner, pieces = np.tile(piece, 3), int(piece.max(initial=-1)) + 1
    ahead, back = sides[:, 0] * count + sides[:, 1], sides[:, 1] * count + sides[:, 0]
    either = np.minimum(ahead, back)
    found = []
    # Of both ways together two, and each way one.
    for keys, wanted in ((either, 2), (ahead, 1)):
        _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
        wrong = counts[inverse.ravel()] != wanted
        found.append(np.bincount(owner[wrong], minlength=pieces) == 0)
    return found


def _outward(points, triangles, owner):
    """The triangles wound outwards, volume of every piece [m^3], area of every triangle [m^2], and how many pieces
    were turned.
    """
    count = int(owner.max()) + 1
    corners = points[triangles]
    sums = np.column_stack([np.bincount(owner, along) for along in corners.mean(axis=1).T])
    middles = sums / np.bincount(owner)[:, None]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    volume = np.bincount(owner, np.einsum("ij,ij->i", normals, corners[:, 0] - middles[owner]), count) / 6.0
    areas = np.linalg.norm(normals, axis=1) / 2.0
    turned = (volume < 0.0)[owner]
    triangles = triangles.copy()
    triangles[turned] = triangles[turned][:, ::-1]
    return triangles, np.abs(volume), areas, int((volume < 0.0).sum())


def _nothing_closed(left_out):
    opened, both_ways = left_out
    if both_ways:
        return "what is inside needs faces that say where that is: they point both ways, recalculate normals outside"
    if not opened:
        return "what is inside needs closed faces, but there are no faces: set no pressure and keep no volume"
    what = "the surface is" if opened == 1 else f"all {opened} pieces are"
    return f"what is inside needs closed faces, but {what} open: fill the holes, or set no pressure and keep no volume"
