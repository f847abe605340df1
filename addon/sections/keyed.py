# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings that keys or drivers change: read in every frame, and functions of time to the simulation."""

import numpy as np

from ...core.forces import Peaking, Scaled
from ..bakes.curves import animated_paths, peak

# Quantities of a network that its settings make, and that may change.
_MADE = ("stiffness", "damping", "stencil_stiffness", "goal_stiffness", "goal_damping")


class Keyed:
    """Settings of an object as they are at one time.

    settings: Object.hooke; values: of those that keys change, by name; tracks: the same as functions of time, Tracks
    of one number each, or {}.
    """

    def __init__(self, settings, values, tracks):
        self._settings, self._values, self.tracks = settings, values, tracks

    def __getattr__(self, name):
        values = self.__dict__["_values"]
        return values[name] if name in values else getattr(self.__dict__["_settings"], name)


def keyed_names(obj, animatable):
    """Which of the animatable settings keys or drivers change, in their order."""
    if obj.animation_data is None:
        return []
    paths = animated_paths(obj)
    return [name for name in animatable if f"hooke.{name}" in paths]


def read(obj, depsgraph, names):
    """Values of some settings in the frame that is evaluated, float64 of shape (1,) each, by what people call them."""
    evaluated = obj if depsgraph is None else obj.evaluated_get(depsgraph)
    return {_said(name): np.array([getattr(evaluated.hooke, name)], dtype=np.float64) for name in names}


def tracks_of(around):
    """Tracks by the setting's name, of what was `read` and became Tracks."""
    return {said.replace(" ", "_"): track for said, track in around.items()}


def at_start(settings, tracks):
    """Keyed settings at the start."""
    return Keyed(settings, {name: float(track.first[0]) for name, track in tracks.items()}, tracks)


def over_time(settings, name):
    """The Track of a setting that keys change, else None."""
    return settings.tracks.get(name) if isinstance(settings, Keyed) else None


def scaled(settings, forces, names):
    """Forces times the keyed values of some settings; the forces were made with values of 1."""
    tracks = [track for track in (over_time(settings, name) for name in names) if track is not None]
    if not tracks:
        return forces
    obj = settings.id_data
    peaks = [peak(obj, f"hooke.{name}") for name in names if over_time(settings, name) is not None]

    def factor(t):
        return max(float(np.prod([track(t)[0] for track in tracks])), 0.0)

    # Of drivers nothing is known beforehand.
    largest = None if None in peaks else max(float(np.prod(peaks)), 0.0)
    return [Scaled(force, factor if largest is None else Peaking(factor, largest)) for force in forces]


class Remade:
    """Quantities of a network that is made anew of settings, and maps, wherever their values are others.

    make: values by name, and weights by name -> SpringNetwork; tracks: Tracks by name; weights: callables t -> array by
    name.
    """

    def __init__(self, make, tracks, weights):
        self._make, self._tracks, self._weights = make, tracks, weights
        self._of: tuple[dict, dict] | None = None
        self._found: dict = {}

    def quantities(self):
        """Callables t -> array by name, as of `SpringNetwork.changed`."""
        return {name: lambda t, name=name: self._at(t)[name] for name in _MADE}

    def _at(self, t):
        values = {name: float(track(t)[0]) for name, track in self._tracks.items()}
        weights = {name: of(t) for name, of in self._weights.items()}
        if self._of is None or values != self._of[0] or not _same(weights, self._of[1]):
            network = self._make(values, weights)
            self._found = {name: getattr(network, name) for name in _MADE}
            self._of = values, weights
        return self._found


def _same(weights, others):
    return all(np.array_equal(of, others[name]) for name, of in weights.items())


def _said(name):
    return name.replace("_", " ")
