# SPDX-License-Identifier: GPL-3.0-or-later
"""The notes beside frames: figures of the simulation that made them, so that the status is the same from the cache.

A file may contain anything, so a note of a wrong type counts as no note.
"""

import base64
import zlib
from math import inf, isfinite
from typing import NamedTuple

import numpy as np

from ...core.contacts import Squeezed
from ...core.diagnostics import enough_substeps, stable_dt
from .shared_simulation import stiffness_share

# Of sentences that a file may have put there.
_MOST_SENTENCES, _LONGEST, _ICONS = 50, 1000, ("ERROR", "INFO", "LIGHT")
# Of whole numbers that Blender's properties hold.
_MOST_WHOLE = 2**31 - 1
# Least volume over area^(3/2) of a body that is more than a shell: a ball has 0.094, a box of 1 by 1 by 0.05 m 0.015.
_BULKY = 0.01


class Begun(NamedTuple):
    """A simulation at its first frame.

    springs: their number; held: whether pins, or contacts with other objects, may hold it; bends: whether its Bending
    and its inside act; room: enclosed volume [m^3], 0 for shells; step, stable: its step and the largest stable one
    [s], inf if any is stable; enough: substeps that are stable, None if none are, see `enough_substeps`; doubts:
    sentences about settings that are rarely meant, each with its icon and ids of remedies, which come from a file.
    """

    springs: int = 0
    held: bool = True
    bends: bool = True
    room: float = 0.0
    step: float = 0.0
    stable: float = inf
    enough: int | None = None
    doubts: tuple[tuple[str, str, tuple[str, ...]], ...] = ()


def begun(simulation, doubts):
    """The first frame's note on a simulation, or on an Unprepared one, for JSON: see Begun."""
    method, system = simulation.integrator, simulation.system
    found = {
        "springs": len(simulation.network.springs),
        "held": bool(len(system.network.pinned) > 0 or system.contacts.keep_out),
        "bends": bool(method.bends or not _stencils_or_inside(simulation.network)),
        "room": _room(simulation.network),
        "doubts": [[doubt.text, doubt.icon, *doubt.remedies] for doubt in doubts],
    }
    # Methods that are stable at any step need no estimates that take long.
    if isfinite(method.stability_limit):
        found["step"] = simulation.dt / simulation.substeps
        found["stable"] = float(stable_dt(simulation.network, method.stability_limit, method.damping_limit))
        found["enough"] = enough_substeps(simulation.network, method, simulation.dt)
    return found


def _stencils_or_inside(network):
    """How much there is that methods without bending leave out."""
    return len(network.stencils) + len(network.enclosures)


def read_begun(note):
    """The Begun of the first frame's note."""
    found = note.get("begun") if isinstance(note, dict) else None
    if not isinstance(found, dict):
        return Begun()
    return Begun(
        _whole(found.get("springs")) or 0,
        found.get("held") is not False,
        found.get("bends") is not False,
        _number(found.get("room"), 0.0),
        _number(found.get("step"), 0.0),
        _number(found.get("stable"), inf),
        _whole(found.get("enough")),
        tuple(_doubts(found.get("doubts"))),
    )


def _doubts(found):
    """Sentences, the icons that they are told with, and ids of remedies."""
    for words in found[:_MOST_SENTENCES] if isinstance(found, list) else []:
        if isinstance(words, list) and len(words) > 1 and all(isinstance(word, str) for word in words):
            text, icon, *remedies = words
            if icon in _ICONS:
                yield text[:_LONGEST], icon, tuple(remedies)


def made(simulation):
    """Every frame's note on the simulation that made it, for JSON.

    strain: largest stretch; share: mean effective stiffness, in parts of the springs' own; beyond: the largest
    stretch of a spring beyond its stretch at full stiffness, at the same tension; residual: how far from solved the
    step is, if that slows the motion; volume [m^3], of closed surfaces; pressure [Pa], the mean by volume;
    open_seams: their number; torn: torn faces, if there are any, see `read_torn`.
    """
    network, x = simulation.network, simulation.state.x
    strains, shares = network.strains(x), stiffness_share(simulation)
    found = {
        "strain": float(strains.max(initial=0.0)),
        "share": float(shares.mean()) if len(shares) else 1.0,
        "beyond": float((np.maximum(strains, 0.0) * (1.0 - shares[network.stretchable])).max(initial=0.0)),
        "residual": _residual(simulation),
    }
    if network.enclosure_operators is not None:
        found |= _inside(network.enclosure_operators, x)
    elif network.surface.closed:
        found["volume"] = network.surface.volume(x)
    if len(network.seams):
        found["open_seams"] = float(network.seams.open(network.stencils, x))
    if network.broken.any():
        found["torn"] = packed(network.tearing.torn_faces(network.broken))
    if (without_room := simulation.squeezed()) is not None:
        found["squeezed"] = list(without_room)
    return found


def _inside(operators, x):
    """Volume of all that is inside closed faces [m^3], and the mean pressure in it [Pa]."""
    rows = np.ascontiguousarray(x.T)
    volumes = np.maximum(operators.volumes(rows), 0.0)
    whole = float(volumes.sum())
    pressure = float(operators.pressures(rows) @ volumes) / whole if whole > 0.0 else 0.0
    return {"volume": whole, "pressure": pressure}


def packed(mask):
    """A mask as text: bits, eight in a byte, compressed, in Base64."""
    return base64.b64encode(zlib.compress(np.packbits(mask).tobytes())).decode("ascii")


def read_torn(frames, index, count):
    """Mask of the faces, so many, that are torn in a frame; None where its note tells of none."""
    found = noted(frames, index, "torn")
    if not isinstance(found, str):
        return None
    size, unpacking = -(-count // 8), zlib.decompressobj()
    try:
        packed = unpacking.decompress(base64.b64decode(found, validate=True), size + 1)
    except (ValueError, zlib.error):
        return None
    if len(packed) != size or not unpacking.eof:
        return None
    return np.unpackbits(np.frombuffer(packed, dtype=np.uint8), count=count).astype(bool)


def read_squeezed(frames, until):
    """The first frame up to one that has particles without room between two colliders, and its Squeezed; or None."""
    for index in range(min(until + 1, len(frames))):
        found = noted(frames, index, "squeezed")
        if not (isinstance(found, list) and len(found) == 4):
            continue
        count, into, by, room = found
        if _whole(count) and isinstance(into, str) and isinstance(by, str) and _number(room, -1.0) >= 0.0:
            return index, Squeezed(count, into[:_LONGEST], by[:_LONGEST], room)
    return None


def read_number(frames, index, name, otherwise):
    """A number of a frame's note, another one where it has none."""
    return _number(noted(frames, index, name), otherwise)


def noted(frames, index, name):
    """A value of a frame's note, which a file may have put there, or None."""
    note = frames.notes[index]
    return note.get(name) if isinstance(note, dict) else None


def _room(network):
    """What closed faces hold inside [m^3], or 0 of a shell, as of cloth with two sides."""
    surface = network.surface
    if not surface.closed:
        return 0.0
    area, volume = surface.polygons.areas(network.points).sum(), surface.volume(network.points)
    return volume if volume > _BULKY * area**1.5 else 0.0


def _residual(simulation):
    """How far from solved the newest step is.

    At the start nothing has moved yet. Where springs are carried no stiffer than the iterations can do justice to, what
    is left unsolved is trembling, and no lag.
    """
    integrator = simulation.integrator
    if simulation.state.t <= 0.0 or getattr(integrator, "carried_stiffness", "ALL") == "ATTAINABLE":
        return 0.0
    return float(integrator.residual())


def _number(value, otherwise):
    found = isinstance(value, float) and isfinite(value)
    return value if found else otherwise


def _whole(value):
    found = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_WHOLE
    return value if found else None
