# SPDX-License-Identifier: GPL-3.0-or-later
"""Which patches of a surface hang together, so that the directions within tell whether anything there can touch."""

import numpy as np

from ..topology import connected_parts


def joined(patches, corners, count):
    """Keys p * count + q, which rise, of patches that share a particle, or both do with a third one.

    patches: of every element, with the corners of each as an array of the same kind, by kinds; count: of the patches.
    """
    from scipy import sparse

    rows = np.concatenate(
        [np.repeat(of, of_kind.shape[1]) for of, of_kind in zip(patches, corners, strict=True)]
    )
    columns = np.concatenate([of_kind.ravel() for of_kind in corners])
    shape = count, columns.max(initial=0) + 1
    holds = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape)
    beside = holds @ holds.T
    near = (beside @ beside).tocoo()
    return np.sort(near.row.astype(np.intp) * count + near.col)


def loose(patches, corners, count):
    """Mask of patches whose elements do not hang together by particles that they share, of elements of one kind."""
    # A particle is another one in every patch.
    holders, inverse = np.unique(
        patches[:, None] * (corners.max(initial=0) + 1) + corners, return_inverse=True
    )
    inverse = inverse.reshape(corners.shape)
    links = np.column_stack([inverse[:, :-1].ravel(), inverse[:, 1:].ravel()])
    of_holder = connected_parts(links, len(holders))
    of_piece = np.zeros(of_holder.max(initial=-1) + 1, dtype=np.intp)
    of_piece[of_holder[inverse[:, 0]]] = patches
    return np.bincount(of_piece, minlength=count) > 1


def knotted(strands):
    """Mask of strands that share a particle with more than one other there, shape (strand_count, 2)."""
    ends = np.bincount(strands.ravel())
    return (ends[strands] > 2).any(axis=1)
