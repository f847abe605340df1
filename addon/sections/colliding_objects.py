# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that collide with each other: what must be the same of them, and the contact between them."""

from itertools import pairwise

from ...core import INTEGRATORS
from .. import colliders
from ..mesh_io import MeshError
from .collisions import surface
from .solver import shown_options

# Settings of which a system that is simulated as one can have one value only.
_SHARED = ("frame_start", "frame_end", "time_scale", "pre_roll", "gravity_weight", "integrator")
_SUBSTEPS = ("automatic_substeps", "substeps")


def together(where):
    """Objects that collide with each other, this one among them, in the scene's order; empty if none do."""
    return colliders.together(*where)


def meeting(objects, where):
    """Which of the objects collide, as rows of truth values."""
    return colliders.meeting(objects, where.scene, where.depsgraph).tolist()


def check_alike(objects):
    """Raise MeshError if objects that are simulated together differ in the settings that they share."""
    for one, other in pairwise(objects):
        for name in _shared(one):
            mine, theirs = getattr(one.hooke, name), getattr(other.hooke, name)
            if mine != theirs:
                label = _label(one, name)
                raise MeshError(
                    f"'{one.name}' and '{other.name}' collide with each other and are simulated as one, but {label} is "
                    f"{_said(one, name)} of '{one.name}' and {_said(other, name)} of '{other.name}': give both the "
                    "same, or turn off Collisions of one"
                )


def between(objects, maps, own, bodies, meets):
    """The contact between objects, see `colliders.between`.

    maps: as from `read_maps`, own: what each is as a collider; bodies: number of the object of every particle.
    """
    surfaces = [
        (of_one, *surface(obj.hooke, of_maps))
        for obj, of_maps, of_one in zip(objects, maps, own, strict=True)
    ]
    return colliders.between(surfaces, bodies, meets)


def _shared(obj):
    """Names of the settings that must be the same, what people choose by before what follows from it."""
    effort = ("effort",) if obj.hooke.integrator == "PROJECTIVE_DYNAMICS" else ()
    limited = INTEGRATORS[obj.hooke.integrator].stability_limit not in (0.0, float("inf"))
    substeps = _SUBSTEPS[:1] if limited and obj.hooke.automatic_substeps else _SUBSTEPS[not limited :]
    return (*_SHARED, *effort, *substeps, *shown_options(obj))


def _label(obj, name):
    labels = {"frame_start": "the first frame", "frame_end": "the last frame"}
    return labels.get(name) or obj.hooke.bl_rna.properties[name].name


def _said(obj, name):
    """A setting's value in words."""
    value, prop = getattr(obj.hooke, name), obj.hooke.bl_rna.properties[name]
    if prop.type == "ENUM":
        return prop.enum_items[value].name
    if prop.type == "BOOLEAN":
        return "on" if value else "off"
    return f"{value:g}"
