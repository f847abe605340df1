# SPDX-License-Identifier: GPL-3.0-or-later
"""How an object becomes one that Hooke simulates, and how it is none any more."""

from .. import bakes, cache_files, output_nodes, preflight, sections
from ..play import sessions
from ..readout import remedies


def add_hooke(scene, obj):
    """Simulate an object: settings from the scene, output modifier, first sessions.

    Raises MeshError if it cannot be simulated.
    """
    preflight.check_object(obj)
    settings = obj.hooke
    if output_nodes.find(obj) is None:
        output_nodes.add(obj)
    if not settings.enabled:
        settings.frame_start, settings.frame_end = scene.frame_start, scene.frame_end
        if not settings.pin_group:
            settings.pin_group = remedies.pin_group(obj)
    if not settings.cache_id:
        settings.cache_id = cache_files.new_id(obj)
    sections.add_settings(settings)
    settings.enabled = True


def remove_hooke(obj):
    """Stop simulating an object, and remove Hooke's data; returns sentences about its bake, a list."""
    sessions.drop(obj)
    told = bakes.forget(obj)
    output_nodes.remove(obj)
    obj.hooke.enabled = False
    obj.hooke.property_unset("cache_id")
    sections.remove_settings(obj.hooke)
    return told
