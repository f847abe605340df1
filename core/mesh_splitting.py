# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh that comes apart where it tears: vertices doubled once for all frames, one with its double until it tears."""

import numpy as np

from .listed import distinct_rows
from .rotations import nearest_rotation
from .topology import connected_parts

# Of faces that never tear, and vertices that never part: after any frame.
NEVER = np.iinfo(np.intp).max


class Splitting:
    """Doubles of vertices with which torn faces let go of one side of the tear.

    A tear goes through faces, whose corners on both sides part. Corners of a torn face that sides join which border a
    whole face stay together. A torn face keeps the largest group of these, of equals the one with the first vertex, and
    gets doubles of its other corners: shared where it meets other torn faces that keep the same side. A double is where
    its vertex is until the last of its faces tears, and goes on with what these keep, turned as that turns.

    polygons: Polygons of the mesh; torn: number of the frame from which on each face is torn, NEVER for none, shape
    (face_count,); rest: positions at rest, shape (vertex_count, 3).

    sources: vertex that each is a double of, ascending; since: number of the frame from which on they part, shape
    (count,) each. corners: vertex of every face corner, those of doubles after all others, shape (corner_count,).
    """

    def __init__(self, polygons, torn, rest):
        self._rest, count = np.asarray(rest, dtype=np.float64), len(rest)
        face = np.repeat(np.arange(len(polygons.sizes)), polygons.sizes)
        parting = _parting(polygons, face, torn < NEVER, count)
        double = _shared(polygons, face, parting, count)
        numbers = np.unique(double[parting])
        self.corners = polygons.corners.copy()
        self.corners[parting] = count + np.searchsorted(numbers, double[parting])
        own = self.corners[parting] - count
        self.sources, self.since = (
            np.zeros(len(numbers), dtype=np.intp),
            np.zeros(len(numbers), dtype=np.intp),
        )
        self.sources[own] = polygons.corners[parting]
        np.maximum.at(self.since, own, torn[face[parting]])
        self._pairs = self._carried(polygons, face, parting, own, torn)

    def __len__(self):
        return len(self.sources)

    def positions(self, index, x):
        """Positions of all vertices, those of doubles last, of the dtype of x, in a frame by its number.

        x: of the mesh's own vertices, shape (vertex_count, 3).
        """
        doubles, apart = x[self.sources], np.flatnonzero(self.since <= index)
        if len(apart):
            doubles[apart] = self._going_on(np.asarray(x, dtype=np.float64))[apart]
        return np.concatenate([x, doubles])

    def _going_on(self, x):
        """Where every double goes on with what carries it."""
        double, carrier = self._pairs
        sizes = np.bincount(double, minlength=len(self))
        there, here = (self._sums(double, points[carrier]) / sizes[:, None] for points in (self._rest, x))
        arms = self._rest[carrier] - there[double], x[carrier] - here[double]
        products = np.einsum("ni,nj->nij", arms[1], arms[0]).reshape(-1, 9)
        turns = nearest_rotation(self._sums(double, products).reshape(-1, 3, 3))
        return here + np.einsum("nij,nj->ni", turns, self._rest[self.sources] - there)

    def _sums(self, double, rows):
        """Sums of rows of every double."""
        return np.column_stack([np.bincount(double, column, len(self)) for column in rows.T])

    def _carried(self, polygons, face, parting, own, torn):
        """Doubles, and what carries each: what its faces keep, and the corners of whole faces about that."""
        count, faces = len(self._rest), len(polygons.sizes)
        kept = np.flatnonzero(~parting & (torn[face] < NEVER))
        keepers = _joined(face[parting], own, face[kept], polygons.corners[kept], faces)
        whole = np.flatnonzero(torn[face] == NEVER)
        corners, of_corners = polygons.corners[whole], face[whole]
        about = _joined(keepers[1], keepers[0], corners, of_corners, count)
        wider = _joined(about[1], about[0], of_corners, corners, faces)
        # Of each pair once.
        return distinct_rows(np.concatenate([np.column_stack(keepers), np.column_stack(wider)])).T


def _parting(polygons, face, torn, count):
    """Mask of the corners of torn faces that become doubles."""
    starts = np.cumsum(polygons.sizes) - polygons.sizes
    following = np.arange(len(face)) + 1
    ends = np.cumsum(polygons.sizes)[face]
    following[following == ends] = starts[face[following == ends]]
    keys = _keys(polygons.sides(), count)
    holds = np.isin(keys, keys[~torn[face]])
    group = connected_parts(np.column_stack([np.arange(len(face)), following])[holds], len(face))
    sizes = np.bincount(group, minlength=len(face))
    first = np.full(len(face), count)
    np.minimum.at(first, group, polygons.corners)
    # The largest of every face, of equals the one of the first vertex.
    order = np.lexsort((first[group], -sizes[group], face))
    best = group[order[np.unique(face[order], return_index=True)[1]]]
    return torn[face] & (group != best[face])


def _shared(polygons, face, parting, count):
    """Number of the double of every corner: one for those of a vertex whose faces meet at a side of which both keep the
    other end.
    """
    corners, size = polygons.corners, len(face)
    starts = np.cumsum(polygons.sizes) - polygons.sizes
    place = np.arange(size)
    ahead = np.where(place + 1 == (starts + polygons.sizes)[face], starts[face], place + 1)
    # Every side as seen from both of its corners.
    here, other = np.concatenate([place, ahead]), np.concatenate([ahead, place])
    chosen = parting[here] & ~parting[other]
    here, other = here[chosen], other[chosen]
    keys = corners[here] * count + corners[other]
    order = np.argsort(keys, kind="stable")
    same = keys[order][1:] == keys[order][:-1]
    links = np.column_stack([here[order][:-1], here[order][1:]])[same]
    return connected_parts(links, size)


def _joined(keys, values, other_keys, other_values, count):
    """All pairs of values and others with the same key, two arrays; keys below count."""
    order = np.argsort(other_keys, kind="stable")
    starts = np.searchsorted(other_keys[order], np.arange(count + 1))
    sizes = (starts[1:] - starts[:-1])[keys]
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.repeat(values, sizes), other_values[order[np.repeat(starts[keys], sizes) + within]]


def _keys(pairs, count):
    """One number for each pair of vertices, whichever way round."""
    low, high = np.sort(pairs, axis=1).T
    return low * count + high


def split(polygons, torn, rest):
    """The Splitting of a mesh by masks of torn faces, one a frame, or None where nothing parts; see the class."""
    since = np.full(len(polygons.sizes), NEVER)
    for index, mask in enumerate(torn):
        if mask is not None:
            since[mask & (since == NEVER)] = index
    found = Splitting(polygons, since, rest)
    return found if len(found) else None
