# SPDX-License-Identifier: GPL-3.0-or-later
"""Loose edges between faces, which sew where Sewing is on: else they are springs of their own length."""

import numpy as np

from ....core.listed import distinct_rows
from ....core.stencils import hanging_edges, seam_edges
from ....core.surface import Surface
from ... import preflight
from ...sections import is_filled
from ..complaint import Complaint


def open_seams(inputs):
    """Complaints about loose edges that join borders of faces side by side, or that Cloth on the object would sew.

    Of three and more: two may tie planks. With Sewing on, about there being none.
    """
    settings = inputs.where.obj.hooke
    if not len(inputs["polygons"].sizes) or is_filled(settings):
        return []
    if settings.sewing:
        surface = Surface(inputs["edges"], inputs["polygons"])
        if flaw := preflight.unsewn(surface):
            return [Complaint(*flaw)]
        if seam_edges(surface).any():
            return []
        text = "Sewing finds no seams: join the borders of two panels with edges that have no faces, or turn off Sewing"
        return [Complaint(text, (), "INFO")]
    surface = Surface(inputs["edges"], inputs["polygons"])
    bordering = np.zeros(inputs["counts"][0], dtype=bool)
    bordering[surface.polygons.corners] = True
    joining = surface.strands[bordering[surface.strands].all(axis=1)]
    meant = joining if _sews(inputs.where.obj) else joining[_rungs(joining, surface)]
    if not len(meant):
        return []
    text = (
        f"{len(meant):,} loose edges between faces are springs, no seams: they keep their lengths and do not pull "
        "together; turn on Sewing, or close the seam in the mesh (Merge)"
    )
    return [Complaint(text, ("SEWING",), "INFO", np.unique(meant))]


def hanging(inputs):
    """Complaints about strands that hang from borders where edges sew: they may be seams left undone."""
    if not (inputs.where.obj.hooke.sewing and len(inputs["polygons"].sizes)):
        return []
    surface = Surface(inputs["edges"], inputs["polygons"])
    loose, seams = surface.edges[hanging_edges(surface)], int(seam_edges(surface).sum())
    if not (len(loose) and seams):
        return []
    hang = "1 loose edge hangs" if len(loose) == 1 else f"{len(loose):,} loose edges hang"
    text = (
        f"{hang} free at one end, beside {seams:,} seams: join what is to be sewn to another border, or leave what is "
        "to hang"
    )
    return [Complaint(text, (), "INFO", np.unique(loose))]


def _sews(obj):
    cloths = [each for each in obj.modifiers if each.type == "CLOTH"]
    return any(cloth.settings.use_sewing_springs for cloth in cloths)


def _rungs(joining, surface):
    """Which of some edges stand beside others along the borders on both sides, where one is between two, a mask."""
    sides, times = distinct_rows(np.sort(surface.polygons.sides(), axis=1), return_counts=True)
    borders = sides[times == 1]
    borders = np.concatenate([borders, borders[:, ::-1]])
    borders = borders[np.argsort(borders[:, 0], kind="stable")]
    numbers, one, other = np.arange(len(joining)), joining[:, 0], joining[:, 1]
    # The vertices next to one end along the border, then those next to the other end.
    for _ in range(2):
        first, after = (np.searchsorted(borders[:, 0], one, side) for side in ("left", "right"))
        counts = after - first
        places = np.repeat(after - np.cumsum(counts), counts) + np.arange(counts.sum())
        numbers, one, other = np.repeat(numbers, counts), np.repeat(other, counts), borders[places, 1]
    most = 1 + joining.max(initial=0)
    known = _keys(joining[:, 0], joining[:, 1], most)
    beside = np.bincount(numbers[np.isin(_keys(one, other, most), known)], minlength=len(joining))
    return (beside > 0) & (beside > 1).any()


def _keys(one, other, most):
    """One number for each pair of vertices, whichever way round, of pairs of numbers below the most or none."""
    keys = np.minimum(one, other) * most + np.maximum(one, other)
    return np.where(np.maximum(one, other) < most, keys, -1)
