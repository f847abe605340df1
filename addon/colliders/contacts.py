# SPDX-License-Identifier: GPL-3.0-or-later
"""The core's contacts of the colliders that were read."""

from functools import partial
from operator import add

import numpy as np

from ...core.contacts import CONTACTS
from .reading import DEFORMING_ARRAYS, RIGID_ARRAYS
from .settings import SHAPES

# Friction of Blender's Collision settings with which a collider has that of the simulated object.
_USUAL_FRICTION = 5.0
# Friction of 100 holds on a slope of 89.4 degrees. With more, measured steps find no balance.
_MOST_FRICTION = 100.0
# How much a rigid collider's size may change before it counts as another [share].
_RIGID = 1e-3

# Shapes that are the mesh itself, with a grid of distances: made in a second, and quicker than a search at every look.
_MESHES = ("AUTO", "MESH")

_SHAPE_OF = {number: name for name, number in SHAPES.items()}


def contacts(surroundings, friction, thickness, restitution):
    """Contacts of all colliders by their names in quotes.

    surroundings: as `reading.read` of every collider in turn, with Tracks; friction, thickness [m]: of the simulated
    object, as a Collider takes them; restitution: of it.
    Raises ValueError where a collider cannot have its shape.
    """
    entries, made = list(surroundings.items()), {}
    while entries:
        title, settings = entries[0]
        shape, outer, slip, bounce, inside, switched = settings.tolist()
        count = DEFORMING_ARRAYS if _SHAPE_OF[int(shape)] == "DEFORMING" else RIGID_ARRAYS
        count += bool(switched)
        arrays, entries = [value for _, value in entries[1:count]], entries[count:]
        name = title.removeprefix("settings of ")
        common = {
            "friction": _of(friction, partial(_slipping, slip)),
            "thickness": _of(thickness, partial(add, outer)),
            "restitution": max(restitution, bounce),
            "inside": bool(inside),
        }
        if switched:
            common["acts"] = _switch(arrays.pop())
        try:
            made[name] = _contact(name, _SHAPE_OF[int(shape)], arrays, common)
            made[name].name = name
            _check_inside(made[name])
        except ValueError as error:
            bounds = _SHAPE_OF[int(shape)] in _PRIMITIVES
            instead = ", or choose Automatic as its Shape" if bounds else ""
            raise ValueError(f"{name} cannot collide as it is set: {error}{instead}") from error
    return made


def between(surfaces, bodies, meeting):
    """The contact of simulated objects that collide with each other.

    surfaces: of each object what it is as a collider, see `reading.read_own`, friction and thickness [m], as a Collider
    takes them; bodies: number of the object of every particle; meeting: which objects collide.

    Two keep the mean of what each would keep from the other, and have the mean friction.
    """
    counts = np.bincount(bodies)
    thickness = [_of(kept, partial(add, float(own[0]))) for own, _, kept in surfaces]
    friction = [_of(of_one, partial(_slipping, float(own[1]))) for own, of_one, _ in surfaces]
    thickness, friction = (_of_all(of, counts) for of in (thickness, friction))
    return CONTACTS["SELF_COLLISION"](thickness, friction, bodies=bodies, meeting=meeting)


def _of(given, function):
    """A function of a value; where the value is a callable of t, so is the result."""
    return (lambda t: function(given(t))) if callable(given) else function(given)


def _slipping(slip, friction):
    """The coefficient of an object's friction and that of a collider, of Blender's."""
    return np.minimum(friction * slip / _USUAL_FRICTION, _MOST_FRICTION)


def _of_all(several, counts):
    """Values of several objects' particles, of so many each, one after the other; a callable where any of them is."""

    def at(t):
        values = [of_one(t) if callable(of_one) else of_one for of_one in several]
        return np.concatenate([np.broadcast_to(*of_one) for of_one in zip(values, counts, strict=True)])

    return at if any(map(callable, several)) else at(0.0)


def _contact(name, shape, arrays, common):
    if shape == "DEFORMING":
        triangles, points = arrays
        return CONTACTS["DEFORMING_MESH"](points, triangles, **common)
    triangles, points, motion = arrays
    scale = _scale(motion.first)
    points = points.astype(np.float64) @ scale.T
    common["pose"] = _pose(name, motion, scale)
    if shape in _MESHES:
        return CONTACTS["MESH"](points, triangles, **common)
    low, high = points.min(axis=0), points.max(axis=0)
    return CONTACTS[shape](**_PRIMITIVES[shape]((low + high) / 2, high - low), **common)


def _check_inside(contact):
    """Raise ValueError for a container that has no inside."""
    if contact.inside and not getattr(contact, "solid", True):
        raise ValueError(
            "it is open and has no inside to keep anything in: close it, or turn off Keep Inside, since both of its "
            "sides stop things"
        )


def _switch(track):
    """Callable t -> whether a collider is on; the state at the start of a frame holds for the frame."""
    return lambda t: track.between(t)[0][0] > 0.0


def _plane(center, size):
    return {"point": center, "normal": (0.0, 0.0, 1.0)}


def _sphere(center, size):
    return {"radius": size.max() / 2, "center": center}


def _capsule(center, size):
    longest = int(size.argmax())
    radius = np.delete(size, longest).max() / 2
    half = np.zeros(3)
    half[longest] = size[longest] / 2 - radius
    return {"radius": radius, "start": center - half, "end": center + half}


def _box(center, size):
    return {"size": size, "center": center}


_PRIMITIVES = {"PLANE": _plane, "SPHERE": _sphere, "CAPSULE": _capsule, "BOX": _box}


def _scale(matrix):
    """Scale and shear of a matrix, before its rotation: symmetric, shape (3, 3), negative where it mirrors."""
    u, sizes, v = np.linalg.svd(matrix[:3, :3])
    return np.sign(np.linalg.det(u @ v)) * (v.T @ (sizes[:, None] * v))


def _pose(name, motion, scale):
    """Callable t -> rigid matrix of a collider whose points are scaled already."""
    unscaled = np.eye(4)
    unscaled[:3, :3] = np.linalg.inv(scale)

    def pose(t):
        _, coming, _ = motion.between(t)
        turned = (coming @ unscaled)[:3, :3]
        if not np.abs(turned.T @ turned - np.eye(3)).max() <= _RIGID:
            raise ValueError(
                f"{name} changes its size while it collides as a rigid shape: choose Deforming Mesh as its Shape, in "
                "its Collision physics"
            )
        return motion(t) @ unscaled

    return pose
