# SPDX-License-Identifier: GPL-3.0-or-later
"""Doubtful settings of an object's contacts."""

from typing import NamedTuple

import numpy as np


class Doubt(NamedTuple):
    """A sentence on what is rarely meant, the icon that it is told with, and ids of remedies.

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
    return told + [_held(name, np.flatnonzero(mask)) for name, mask in held.items() if mask.any()]


def _held(name, those):
    """On vertices that pins beside them hold inside of what is called so, or outside of a container."""
    what = "1 vertex is" if len(those) == 1 else f"{len(those):,} vertices are"
    return Doubt(
        f"{what} held in {name} by the pins beside them, and not kept out of it; move them, or choose another group",
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
    """A sentence on vertices that begin inside of what is called so, or outside of a container."""
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
