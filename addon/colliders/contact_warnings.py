# SPDX-License-Identifier: GPL-3.0-or-later
"""Doubtful settings of an object's contacts."""

from typing import NamedTuple

import numpy as np

# Icon of a remark, which leaves the tick.
HINT = "LIGHT"


class Doubt(NamedTuple):
    """A sentence on a setting that is rarely meant, its icon, and ids of remedies.

    particles: which of the body's it is about, numbers of what touches.
    """

    text: str
    icon: str = "ERROR"
    remedies: tuple[str, ...] = ()
    particles: np.ndarray = np.empty(0, dtype=int)


def doubts(made, body):
    """Doubts about contacts that an object begins on the wrong side of, or that keep it farther away than it is wide.

    made: contacts by the names of their colliders in quotes; body: the object's Body.
    """
    network = (body.outside or body).network
    pinned = network.pins.astype(bool)
    held = {name: contact.held(network) & ~pinned for name, contact in made.items()}
    wrong = {name: _wrong(contact, network.points, ~(pinned | held[name])) for name, contact in made.items()}
    told = [
        Doubt(_begins_wrong(name, len(those), made[name].inside), particles=those)
        for name, those in wrong.items()
        if len(those)
    ]
    told += map(Doubt, _too_thick(made, network))
    count = int(pinned.sum())
    return told + [
        _held(made[name], network, np.flatnonzero(mask), count) for name, mask in held.items() if mask.any()
    ]


def _held(contact, network, those, pinned):
    """On vertices that so many pinned ones hold in a contact, outside of a container, or nearer than is kept."""
    distances = contact.near(network.points[those], 0.0, 0.0)[0]
    beyond = int((distances > 0.0 if contact.inside else distances < 0.0).sum())
    pins = "The pinned vertex holds" if pinned == 1 else f"The {pinned:,} pinned vertices hold"
    kept = 1e3 * float(np.max(contact.thickness))
    where = "outside" if contact.inside else "inside"
    near = (
        f"nearer than {kept:.2g} mm to {contact.name}, {beyond:,} of them {where}"
        if kept
        else f"{where} {contact.name}"
    )
    return Doubt(
        f"{pins} {len(those):,} beside {'it' if pinned == 1 else 'them'} {near}: these do not collide with it; move "
        "them, or choose another group",
        "INFO",
        particles=those,
    )


def _wrong(contact, x, free):
    """Numbers of free particles on the wrong side of a contact at the start, if it acts then; x: shape (count, 3)."""
    free = np.flatnonzero(free)
    if not contact.acts(0.0):
        return free[:0]
    distances = contact.near(x[free], 0.0, 0.0)[0]
    return free[distances > 0.0 if contact.inside else distances < 0.0]


def _begins_wrong(name, count, container):
    """A sentence on vertices that begin inside the named colliders, or outside of a container."""
    vertices, begin, come = (
        ("1 vertex", "begins", "comes") if count == 1 else (f"{count:,} vertices", "begin", "come")
    )
    if container:
        return f"{vertices} {begin} outside {name}, which keeps things inside, and {come} in slowly: put it around them"
    return f"{vertices} {begin} inside {name} and {come} out of it slowly: move them apart"


def _too_thick(made, network):
    """Sentences on contacts that keep an object farther away than it is wide, a list."""
    wide = float(np.ptp(network.points, axis=0).max())
    kept = {name: float(np.max(contact.thickness)) for name, contact in made.items()}
    return [
        f"{name} keeps it {most:.3g} m away, and the whole object is {wide:.3g} m wide: lower its Thickness or that of "
        f"{name}"
        for name, most in kept.items()
        if most > wide
    ]
