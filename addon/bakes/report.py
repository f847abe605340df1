# SPDX-License-Identifier: GPL-3.0-or-later
"""The report of a bake from the command line, for programs."""

import hashlib
import json
import sys

import bpy
import numpy as np

from ...core import output_files
from ...core.file_kinds import marked_json
from ...core.solvers.linear import backends
from ..version import VERSION

# The mark of a report in a JSON file: another report may replace such a file.
_FORMAT = {"format": "hooke report"}
REPORT = marked_json("a report of Hooke's", **_FORMAT)


def figures(obj, running, milliseconds, strain):
    """The simulation and its settings, as a dict.

    running: the object's Session; milliseconds: of every frame that was simulated; strain: the largest of all frames.
    """
    settings = obj.hooke
    total = settings.frame_end - settings.frame_start + 1
    network, simulation = running.network, running.take.simulation
    last = simulation.diagnostics() if simulation is not None else {}
    return {
        "object": obj.name,
        "frames": total,
        "frames_from_cache": total - 1 - len(milliseconds),
        "frame_start": settings.frame_start,
        "frame_end": settings.frame_end,
        "ms_per_frame": float(np.median(milliseconds)) if milliseconds else 0.0,
        "vertices": len(obj.data.vertices),
        "springs": len(network.springs) if network is not None else 0,
        "largest_strain": strain,
        # Mean share of their stiffness that springs were carried with.
        "stiffness_share": running.take.noted(total - 1, "share", 1.0),
        "frames_checksum": _checksum(running.frames[:total]),
        # At the last frame [J]; None where every frame came from the cache.
        "energies": {name: last.get(name) for name in ("kinetic", "elastic", "potential", "total")},
        "integrator": settings.integrator,
        "effort": settings.effort,
        "substeps": settings.substeps,
        "iterations": settings.iterations,
        "acceleration": settings.acceleration,
    }


def _checksum(frames):
    """Checksum of all positions, as text."""
    found = hashlib.sha256()
    for positions in frames:
        found.update(np.ascontiguousarray(positions).data)
    return found.hexdigest()


def entry(found, mode, baked):
    """`figures` with those of a Baked, made in a mode."""
    return found | {
        "mode": mode,
        "shapes": baked.shapes,
        "largest_error": baked.largest_error,
        "cache_file": baked.cache_file or None,
    }


def write(path, entries, output):
    """Write entries of what was saved into output as JSON, the only one with the rest; raises Refused, OSError."""
    found = entries[0] if len(entries) == 1 else {"objects": entries}
    found = {**_FORMAT, **found, "output": str(output), "versions": _versions()}
    output_files.write(path, (json.dumps(found, indent=2) + "\n").encode(), REPORT)


def _versions():
    versions = {
        "hooke": VERSION,
        "blender": bpy.app.version_string,
        "python": sys.version.split()[0],
        "numpy": np.__version__,
    }
    if backends():
        import scipy

        versions["scipy"] = scipy.__version__
        versions["linear_solver"] = backends()[0].name
    return versions
