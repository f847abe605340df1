# SPDX-License-Identifier: GPL-3.0-or-later
"""The pre-flight: what will go wrong with an object, told before it is simulated, and where on its mesh."""

from typing import NamedTuple

import numpy as np

from .. import preflight
from ..play.start_preview import at_start
from .complaint import Complaint
from .complaints import before_all, of_start, of_what_does_not_act
from .ignored_settings import foreseen
from .remedies import REMEDIES


class Finding(NamedTuple):
    """A Complaint, the numbers of the vertices that it is about, and the remedy that mends it.

    vertices: none where it is about no part of the mesh; remedy: the id of one of REMEDIES that changed something when
    it was looked, or None; label: what its button says. others: pairs of both, of what else would mend it.
    """

    complaint: Complaint
    vertices: np.ndarray = np.empty(0, dtype=int)
    remedy: str | None = None
    label: str = ""
    others: tuple[tuple[str, str], ...] = ()


_told: dict[int, list[Finding]] = {}


def look(obj, scene):
    """Findings about an object, the most urgent first, a list; they are shown from now on."""
    found = [Finding(complaint) for complaint in before_all(obj)]
    try:
        preflight.check_object(obj)
        found += [Finding(Complaint(*flaw), flaw.vertices) for flaw in preflight.flaws(obj)]
        found += _of_start(obj, scene, found)
    except ValueError as error:
        # The cause may be a flaw of the mesh, which names its vertices.
        if not any(finding.complaint.icon == "ERROR" and len(finding.vertices) for finding in found):
            found.append(Finding(Complaint(str(error), ("LOCAL",))))
    found.sort(key=lambda finding: finding.complaint.rank)
    _told[obj.session_uid] = [_with_remedy(finding, obj, scene) for finding in found]
    return _told[obj.session_uid]


def told(obj):
    """Findings of the last look, or None where there was none."""
    return _told.get(obj.session_uid)


def _with_remedy(finding, obj, scene):
    known = [name for name in finding.complaint.remedies if name in REMEDIES]
    labels = [(name, label) for name in known if (label := REMEDIES[name].label(obj, scene))]
    if not labels:
        return finding
    (remedy, label), *others = labels
    return finding._replace(remedy=remedy, label=label, others=tuple(others))


def _of_start(obj, scene, found):
    with at_start(obj, scene) as first:
        depsgraph = first.inputs.where.depsgraph
        complaints = of_start(obj, scene, depsgraph, first.begun)
        complaints += of_what_does_not_act(first.inputs, complaints) + foreseen(first.inputs)
    where = {doubt.text: doubt.particles for doubt in first.doubts}
    known = {finding.complaint.remedies for finding in found if finding.complaint.remedies}
    return [
        Finding(complaint, where.get(complaint.text, np.asarray(complaint.vertices, dtype=int)))
        for complaint in complaints
        # A flaw of the mesh is reported once, with its vertices.
        if complaint.remedies not in known
    ]
