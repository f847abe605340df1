# SPDX-License-Identifier: GPL-3.0-or-later
"""Pleats: edges whose faces keep an angle, which an attribute of the edges has in degrees."""

import numpy as np

from ...core import Pleating
from .. import mesh_io
from .solid_objects import is_filled


def names(obj):
    """Names of the attributes of numbers on the edges of an object, a list."""
    return [attribute.name for attribute in obj.data.attributes if _is_angle(attribute)]


def has_pleats(obj):
    """Whether the attribute that pleats are in is there, and the object is one that may have any."""
    return not is_filled(obj.hooke) and _is_angle(obj.data.attributes.get(obj.hooke.pleats))


def read_pleats(obj):
    """Angles of an object's edges [degrees], float64, shape (edge_count,), 0 of no pleat; shape (0,) without any."""
    if not has_pleats(obj):
        return np.zeros(0)
    angles = mesh_io.read_numbers(obj.data.attributes[obj.hooke.pleats], np.float32)
    return np.nan_to_num(angles.astype(np.float64), posinf=0.0, neginf=0.0)


def pleating(settings):
    """The core's Pleating of an object's settings, Object.hooke, or None."""
    obj = settings.id_data
    degrees = read_pleats(obj)
    pleated = np.flatnonzero(degrees)
    if not len(pleated):
        return None
    edges = mesh_io.read_edges(obj.data)[pleated]
    angles = _turned(degrees[pleated], settings.pleat_share)
    # Of the settings' millinewtons.
    return Pleating(edges, angles, 1e-3 * settings.pleat_stiffness, settings.pleat_time)


def angles_over_time(settings, network, share):
    """Angles at rest of a network's pleats [rad], a callable t -> array; share: Track of Folded."""
    obj, count = settings.id_data, network.vertex_count
    keys = _keys(mesh_io.read_edges(obj.data), count)
    order = np.argsort(keys)
    own = order[np.searchsorted(keys[order], _keys(network.pleats.vertices[:, :2], count))]
    degrees = read_pleats(obj)[own]
    return lambda t: _turned(degrees, share(t)[0])


def _is_angle(attribute):
    return attribute is not None and (attribute.domain, attribute.data_type) == ("EDGE", "FLOAT")


def _turned(degrees, share):
    """Angles at rest [rad], at most half a turn."""
    return np.radians(np.clip(share * degrees, -180.0, 180.0))


def _keys(edges, count):
    return edges.min(axis=1, initial=count).astype(np.int64) * count + edges.max(axis=1, initial=0)
