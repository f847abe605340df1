# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the directions of what is in patches of a surface differ."""

import numpy as np

from ..axes import cross, dot
from .outlines import columns

# Directions of the elements that differ by less than this [rad] leave no room for a fold that touches itself: at pi
# they would be two plies on each other.
_OPEN = 0.7 * np.pi

_LEAST = 1e-150


class Cones:
    """Directions of the elements of leaves, and of all larger patches: a mean, and the angle that holds all of them.

    elements: arrays of corners; of_elements: the leaf of each; count: of leaves.
    """

    def __init__(self, elements, of_elements, count):
        self._count, self._kinds = count, []
        for corners, of_leaf in zip(elements, of_elements, strict=True):
            own, starts, counts = np.unique(np.sort(of_leaf), return_index=True, return_counts=True)
            of_own = np.argsort(of_leaf, kind="stable")[columns(starts, counts)]
            self._kinds.append((corners.T[:, of_own], own))

    def at(self, x, levels):
        """Axes, shape (3, patch_count), and angles [rad] by level at positions x [m], shape (3, particle_count)."""
        axes, angles = np.zeros((3, self._count)), np.zeros(self._count)
        for corners, own in self._kinds:
            if len(own) == 0:
                continue
            if len(corners) == 1:
                # Points lie as they like.
                angles[own] = np.pi
                continue
            a, *others = (x.take(corner, axis=1) for corner in corners)
            n = _unit(cross(*(of - a for of in others)) if len(others) == 2 else others[0] - a)
            mean = _unit(n.sum(axis=1))
            axes[:, own], angles[own] = mean, _angle(dot(mean[:, None], n).min(axis=0))
        angles[levels[-1].loose] = np.pi
        found = [(axes, angles)]
        for level in levels[-2::-1]:
            within = axes.take(level.groups, axis=1)
            axes = _unit(within.sum(axis=1))
            angles = (_angle(dot(axes[:, None], within)) + angles[level.groups]).max(axis=0)
            angles[level.loose] = np.pi
            found.append((axes, angles))
        return found[::-1]


def _angle(cosine):
    return np.arccos(np.clip(cosine, -1.0, 1.0))


def _unit(vectors):
    return vectors / np.maximum(np.sqrt(dot(vectors, vectors)), _LEAST)


def folded(cones, i, j):
    """Mask of pairs of patches whose directions turn far from each other at any end."""
    folded = np.zeros(len(i), dtype=bool)
    for axes, angles in cones:
        folded |= _angle(dot(axes[:, i], axes[:, j])) + angles[i] + angles[j] > _OPEN
    return folded
