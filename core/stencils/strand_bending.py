# SPDX-License-Identifier: GPL-3.0-or-later
"""How a strand bends: its curvature at every vertex between two of its edges."""

import numpy as np

from .stencils import Stencils

# Cosine of the angle between two edges of a vertex with more than two, from which down they are one strand that goes
# on: a turn of less than 60 degrees.
_GOES_ON = -0.5
# A vertex with more edges than this is a hub that none goes on through: their pairs would grow with the square.
_HUB = 64


def strand_bending(points, strands, rigidity, held):
    """Stencils of the curvature of strands [1/m], without rest lengths.

    At a vertex between edges of lengths a and b the energy is B/2 k^2 (a + b)/2 with k the turn of the direction over
    (a + b)/2; what a pin holds whole cannot bend, and the other edge turns alone. Where more than two edges meet, as
    at the knots of a net, each goes on in the one that is straightest.

    points [m], shape (vertex_count, 3); strands: edges, shape (count, 2); rigidity: B [N m^2]; held: mask of the
    vertices that pins hold, shape (vertex_count,).
    """
    middle, first, second = _goes_on(points, strands)
    ends = np.column_stack([first, second])
    lengths = np.linalg.norm(points[ends] - points[middle][:, None], axis=2)
    bends = ~(held[ends] & held[middle][:, None])
    kept = bends.any(axis=1) & (lengths > 0.0).all(axis=1)
    middle, ends, lengths, bends = middle[kept], ends[kept], lengths[kept], bends[kept]
    way = 0.5 * (bends * lengths).sum(axis=1)
    weights = 1.0 / (lengths * way[:, None])
    stiffness = np.broadcast_to(rigidity, len(points))[middle] * way
    return Stencils(
        np.column_stack([middle, ends]),
        np.column_stack([-weights.sum(axis=1), weights]),
        np.maximum(stiffness, np.finfo(float).tiny),
    )


def _goes_on(points, strands):
    """Vertices with two edges of one strand, and the other ends of these: three arrays of one length."""
    middle, first, second, cosine, count = _pairs_of_edges(points, strands)
    straight = (cosine <= _GOES_ON) | (count == 2)
    middle, first, second, cosine = middle[straight], first[straight], second[straight], cosine[straight]
    order = np.lexsort((second, first, cosine))
    middle, first, second = middle[order], first[order], second[order]
    chosen = np.zeros(len(middle), dtype=bool)
    # In rounds: the straightest pair of each vertex, then the straightest of what is left of it.
    one, other = first + middle * len(points), second + middle * len(points)
    waiting = np.arange(len(middle))
    while len(waiting):
        _, straightest = np.unique(middle[waiting], return_index=True)
        new = waiting[straightest]
        chosen[new] = True
        taken = np.concatenate([one[new], other[new]])
        waiting = waiting[~(np.isin(one[waiting], taken) | np.isin(other[waiting], taken))]
    return middle[chosen], first[chosen], second[chosen]


def _pairs_of_edges(points, strands):
    """All pairs of edges at a vertex: it, their other ends, the cosine between them, and how many edges it has."""
    here = np.concatenate([strands[:, 0], strands[:, 1]])
    there = np.concatenate([strands[:, 1], strands[:, 0]])
    order = np.lexsort((there, here))
    here, there = here[order], there[order]
    ends = np.searchsorted(here, here, side="right")
    places, degrees = np.arange(len(here)), ends - np.searchsorted(here, here)
    after = np.where(degrees <= _HUB, ends - places - 1, 0)
    one = np.repeat(places, after)
    other = one + 1 + np.arange(len(one)) - np.repeat(np.cumsum(after) - after, after)
    directions = points[there] - points[here]
    directions /= np.maximum(np.linalg.norm(directions, axis=1), np.finfo(float).tiny)[:, None]
    cosine = np.einsum("ij,ij->i", directions[one], directions[other])
    return here[one], there[one], there[other], cosine, degrees[one]
