# SPDX-License-Identifier: GPL-3.0-or-later
"""Seams: edges that border no face and pull two borders of faces together."""

from dataclasses import dataclass, fields, replace

import numpy as np

from ..listed import distinct_rows
from ..quantities import number
from ..topology import connected_parts
from .stencils import Stencils

# Stiffness of a seam's spring over the stiffest at its ends: what is sewn gives no more way than what it is sewn to.
_FIRM = 4.0
# With a largest force it is softer until it is closed: it pulls with that where it lags behind by what it would close
# in so much of a second, at least by the distance of a closed one.
_LAG = 1.0 / 12.0
# Distance below which a seam is closed [m], and the length of a spring that is [m]: of none it would be another matrix.
CLOSED, _SHORTEST = 1e-3, 1e-9


@dataclass(frozen=True)
class Sewing:
    """How seams close.

    time: in which their lengths shrink evenly to zero [s]; force: largest force of a seam until it is closed [N], 0 for
    no limit.

    Raises ValueError for a quantity out of its range.
    """

    time: float = 1.0
    force: float = 0.0

    def __post_init__(self):
        number("closing time of seams", self.time, "s")
        number("largest force of seams", self.force, "N")


@dataclass(frozen=True, eq=False)
class Seams:
    """The seams of a network, which are among its stencils.

    stencils: their places among these, shape (count,); gaps: lengths at the start [m]; firm: stiffness of closed ones
    [N/m]; times [s] and forces [N]: as in Sewing, of each.
    """

    stencils: np.ndarray
    gaps: np.ndarray
    firm: np.ndarray
    times: np.ndarray
    forces: np.ndarray

    @classmethod
    def none(cls):
        """No seams."""
        return cls(np.empty(0, dtype=np.intp), *(np.empty(0) for _ in range(4)))

    @classmethod
    def of(cls, points, edges, springs, stiffness, before, sewing):
        """Seams along edges, shape (count, 2), after so many stencils, and their Stencils.

        springs: along edges, shape (spring_count, 2), of a stiffness each [N/m].
        """
        stiffest = np.zeros(len(points))
        np.maximum.at(stiffest, springs, np.broadcast_to(stiffness, len(springs))[:, None])
        gaps = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
        firm = _FIRM * np.maximum(stiffest[edges].max(axis=1), np.finfo(float).tiny)
        lag = np.maximum(_LAG * gaps / max(sewing.time, _LAG), CLOSED)
        soft = np.minimum(firm, sewing.force / lag) if sewing.force > 0.0 else firm
        places, weights = before + np.arange(len(edges)), np.tile([1.0, -1.0], (len(edges), 1))
        times, forces = (np.full(len(edges), value) for value in (sewing.time, sewing.force))
        lengths = np.maximum(gaps, _SHORTEST)
        return cls(places, gaps, firm, times, forces), Stencils(edges, weights, soft, lengths)

    @classmethod
    def joined(cls, several):
        """Several Seams as those of one network, which has all their stencils one after the other."""
        several = [cls.none(), *several]
        names = (field.name for field in fields(cls))
        return cls(*(np.concatenate([getattr(of, name) for of in several]) for name in names))

    def __len__(self):
        return len(self.stencils)

    def after(self, count):
        """The same after so many more stencils."""
        return replace(self, stencils=self.stencils + count)

    def drawn(self, stencils, x, passed):
        """Rest lengths and stiffness of all stencils for the frame that ends so long after the start [s].

        Lengths shrink evenly. A seam that its largest force cannot close that far keeps the length at which it pulls
        with that force. A seam at its final length that lags behind by less than that force is closed, and stays
        closed.

        stencils: the present ones; x: positions [m].
        """
        own = stencils.chosen(self.stencils)
        share = np.divide(passed, self.times, out=np.ones(len(self)), where=self.times > 0.0)
        wanted = np.maximum(self.gaps * (1.0 - np.minimum(share, 1.0)), _SHORTEST)
        lengths, limited = own.lengths(x), self.forces > 0.0
        # A thread pulls and does not push: what begins closer, as in a saved pose, goes on from there.
        wanted = np.minimum(wanted, np.maximum(lengths, _SHORTEST))
        closed = limited & (own.stiffness == self.firm) & (share >= 1.0)
        lag = self.forces / own.stiffness
        closes = limited & ~closed & (share >= 1.0) & (lengths < np.maximum(lag, CLOSED))
        # It goes on with the force that it has, and is drawn together from there.
        bearing = np.minimum(own.stiffness * np.maximum(lengths - own.rest_lengths, 0.0), self.forces)
        shorter = np.where(closes, lengths - bearing / self.firm, own.rest_lengths) - CLOSED
        open_still = np.where(limited, np.maximum(wanted, lengths - lag), wanted)
        found, firm = np.array(stencils.rest_lengths), np.array(stencils.stiffness)
        found[self.stencils] = np.where(closed | closes, np.maximum(shorter, _SHORTEST), open_still)
        firm[self.stencils] = np.where(closes, self.firm, own.stiffness)
        return found, firm

    def ends(self, stencils):
        """The two vertices of each seam, shape (count, 2)."""
        return stencils.vertices[self.stencils, :2]

    def open(self, stencils, x):
        """How many are farther apart than a closed one at x [m]."""
        return int((stencils.chosen(self.stencils).lengths(x) >= CLOSED).sum())


def seam_edges(surface):
    """Edges that border no face and join vertices on borders of faces, a mask of the edges of a Surface."""
    loose, bordering = _loose_and_bordering(surface)
    return bordering[surface.edges].all(axis=1) & loose


def tying_edges(surface):
    """Masks of the edges that tie faces together and are no seams, and of those of them in chains that could be one
    seam each.

    They end inside of faces instead of at borders, or have a vertex in between. A chain from border to border without a
    branch could be one edge.
    """
    rest, chain, held, _, crooked = _chains(surface)
    ties = held >= 2
    found, joinable = (np.zeros(len(surface.edges), dtype=bool) for _ in range(2))
    found[rest] = ties[chain]
    joinable[rest] = (ties & (held == 2) & ~crooked)[chain]
    return found, joinable


def hanging_edges(surface):
    """Mask of the edges in chains from a border of faces to a free end: strands, or unfinished seams."""
    rest, chain, held, undone, _ = _chains(surface)
    found = np.zeros(len(surface.edges), dtype=bool)
    found[rest] = ((held == 1) & undone)[chain]
    return found


def _chains(surface):
    """Loose edges that are no seams, ascending, and the chain of each: they go on at vertices without faces.

    Then of each chain: how many vertices of faces it ends at, whether it goes from a border into the air, and whether
    it branches or ends off the borders.
    """
    loose, bordering = _loose_and_bordering(surface)
    rest = np.flatnonzero(loose & ~bordering[surface.edges].all(axis=1))
    ends, on_faces = surface.edges[rest], np.zeros(len(bordering), dtype=bool)
    on_faces[surface.polygons.corners] = True
    at_faces = on_faces[ends]
    uses = np.bincount(ends.ravel(), minlength=len(bordering))
    # An end at a face is one of its own.
    apart = ends.copy()
    apart[at_faces] = len(bordering) + np.arange(at_faces.sum())
    chain = connected_parts(apart, len(bordering) + int(at_faces.sum()))[apart[:, 0]]
    count = int(chain.max(initial=-1)) + 1
    of_ends = np.repeat(chain, 2).reshape(-1, 2)
    # A loop that comes back to its vertex ends at one.
    corners = len(bordering)
    held = np.bincount(np.unique(of_ends[at_faces] * corners + ends[at_faces]) // corners, minlength=count)
    off, single, branched = at_faces & ~bordering[ends], uses[ends] == 1, uses[ends] > 2
    at_borders, free, crooked = (
        np.bincount(chain, which.any(axis=1), count) > 0
        for which in (at_faces & ~off, ~at_faces & single, off | (~at_faces & branched))
    )
    return rest, chain, held, at_borders & free, crooked


def _loose_and_bordering(surface):
    """Edges that are no side of a face, and vertices on borders of faces, two masks."""
    sides = np.sort(surface.polygons.sides(), axis=1)
    found, times = distinct_rows(sides, return_counts=True)
    count = int(max(surface.edges.max(initial=-1), sides.max(initial=-1))) + 1
    bordering = np.zeros(count, dtype=bool)
    bordering[found[times == 1]] = True
    keys = np.sort(surface.edges, axis=1) @ [count, 1]
    return ~np.isin(keys, found @ [count, 1]), bordering


def sewn_triangles(triangles, edges, vertex_count):
    """The triangles, and those that fill the strips between borders that edges sew, wound like each other.

    triangles: shape (count, 3); edges: of the seams, shape (seam_count, 2).
    """
    sides = _borders(triangles, vertex_count)
    piece = connected_parts(np.concatenate([triangles[:, :2], triangles[:, 1:]]), vertex_count)
    known = np.sort(sides[:, 0] * vertex_count + sides[:, 1])
    one, other, ends = _strips(sides, edges, vertex_count)
    # Strips whose far side is a border one way round: against the near side pieces agree, along it they do not.
    ahead, back = (np.isin(a * vertex_count + b, known) for a, b in (ends, ends[::-1]))
    strips = ahead | back | (ends[0] == ends[1])
    one, other, ends, agree = one[strips], other[strips], ends[:, strips], ~back[strips]
    turned = _turned(piece, one, ends[0], agree | (ends[0] == ends[1]), vertex_count)
    faces = triangles.copy()
    flipped = turned[triangles[:, 0]]
    faces[flipped] = faces[flipped][:, ::-1]
    # Near sides as they are wound now; far ends belong to their own.
    swap = turned[one]
    start, end = np.where(swap, other, one), np.where(swap, one, other)
    far_start, far_end = np.where(swap, ends[0], ends[1]), np.where(swap, ends[1], ends[0])
    quads = np.column_stack([end, start, far_start, far_end])
    _, first = distinct_rows(np.sort(quads, axis=1), return_index=True)
    quads = quads[np.sort(first)]
    filled = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    proper = (filled[:, 0] != filled[:, 1]) & (filled[:, 1] != filled[:, 2]) & (filled[:, 2] != filled[:, 0])
    return np.concatenate([faces, filled[proper]])


def _borders(triangles, count):
    """Sides of one triangle alone, as they are wound, shape (border_count, 2)."""
    sides = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    low, high = np.sort(sides, axis=1).T
    _, inverse, times = np.unique(low * count + high, return_inverse=True, return_counts=True)
    return sides[times[inverse.ravel()] == 1]


def _strips(sides, edges, count):
    """Border sides with seams at both ends: both ends, and the far ends of the seams of the second and the first.

    One for every pair of seams.
    """
    both = np.concatenate([edges, edges[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    rows = np.arange(len(sides))
    ends: list[np.ndarray] = []
    for column in (1, 0):
        low, high = (np.searchsorted(both[:, 0], sides[rows, column], side) for side in ("left", "right"))
        counts = high - low
        starts = np.repeat(high - np.cumsum(counts), counts) + np.arange(counts.sum())
        rows = np.repeat(rows, counts)
        ends = [np.repeat(end, counts) for end in ends]
        ends.append(both[starts, 1])
    return sides[rows, 0], sides[rows, 1], np.array(ends, dtype=np.intp).reshape(2, -1)


def _turned(piece, one, other, agree, count):
    """Mask of the vertices of pieces that have to be wound the other way, so that sewn pieces agree."""
    a, b = piece[one], piece[other]
    links = np.concatenate(
        [
            np.column_stack([a, np.where(agree, b, b + count)]),
            np.column_stack([a + count, np.where(agree, b + count, b)]),
        ]
    )
    labels = connected_parts(links, 2 * count)
    return (labels[:count] > labels[count:])[piece]
