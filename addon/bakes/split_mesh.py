# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that come apart where they tear, in the place of those that an object had, which are kept."""

from collections.abc import Sequence

import bmesh
import bpy
import numpy as np

from ...core.mesh_splitting import split
from .. import mesh_io

# Says of a mesh that a bake made it.
_TAG = "hooke_split"
# Modifiers that are bound to the vertices that there were.
_BOUND = frozenset({"CORRECTIVE_SMOOTH", "HOOK", "LAPLACIANDEFORM", "MESH_DEFORM", "SURFACE_DEFORM"})


class SplitFrames(Sequence):
    """Frames of a mesh with those of the doubles of its vertices, of a Splitting, after them."""

    def __init__(self, frames, splitting):
        self._frames, self._splitting = frames, splitting

    def __len__(self):
        return len(self._frames)

    def __getitem__(self, index):
        return self._splitting.positions(index, self._frames[index])


def splitting_of(obj, frames, torn):
    """The Splitting of an object's mesh over its frames, or None where nothing of it parts.

    torn: callable number of a frame -> mask of the faces that are torn, or None.
    """
    masks = (torn(index) for index in range(len(frames)))
    return split(mesh_io.read_polygons(obj.data), masks, frames[0])


def put(obj, splitting):
    """Give an object a copy of its mesh with doubled vertices; the record keeps the mesh that it had."""
    record, whole = obj.hooke.bake, obj.data
    parted = whole.copy()
    parted.name, parted[_TAG] = f"{whole.name} Split", True
    item = record.items.add()
    item.kind, item.name = "MESH", parted.name
    record.whole_mesh = whole
    obj.data = parted
    # Frames hold what keys do, and keys are of the vertices that there were.
    if parted.shape_keys is not None:
        name = parted.shape_keys.name
        obj.shape_key_clear()
        # Blender 4.2 forgets them without removing them: undo would count them among what the file holds.
        left = [keys for keys in bpy.data.shape_keys if keys.name == name and keys.library is None]
        bpy.data.batch_remove(left)
    mesh_io.remove_attributes(parted)
    _double(parted, splitting)


def take_back(obj):
    """Give an object the mesh that it had before `put` again, and remove the split one if it has no other user."""
    record, parted = obj.hooke.bake, obj.data
    if record.whole_mesh is None:
        return
    obj.data, record.whole_mesh = record.whole_mesh, None
    if parted.users == 0 and parted.get(_TAG):
        bpy.data.meshes.remove(parted)


def keep(obj):
    """Leave the split mesh with an object for ever, and the one that it had before in the file, on its own."""
    record = obj.hooke.bake
    if record.whole_mesh is not None:
        record.whole_mesh.use_fake_user = True
        record.whole_mesh = None


def warnings(obj, splitting):
    """Sentences about what a bake made of an object's mesh, and about what has to be bound to it again, a list."""
    record = obj.hooke.bake
    if splitting is None:
        return [f"nothing of '{obj.name}' has torn, so its mesh is not split"]
    count = len(splitting)
    doubled = "1 vertex is" if count == 1 else f"{count:,} vertices are"
    made = (
        f"'{obj.name}' has the mesh '{obj.data.name}' now, of which {doubled} doubled where it tears; "
        f"'{record.whole_mesh.name}' is kept, and comes back with Clear Bake"
    )
    names = [f"'{modifier.name}'" for modifier in obj.modifiers if modifier.type in _BOUND]
    bound = f"{', '.join(names)} of '{obj.name}' may have to be bound again: its mesh has more vertices"
    return [made] + [bound] * bool(names)


def torn_sentence(obj, torn, count):
    """That a bake of so many frames keeps the faces of what has torn, in a list; torn: as of `splitting_of`."""
    mask = torn(count - 1) if count else None
    if mask is None or not mask.any():
        return []
    faces = int(mask.sum())
    gone = "1 face of it has" if faces == 1 else f"{faces:,} faces of it have"
    return [
        f"the bake of '{obj.name}' keeps its mesh as it is, and {gone} torn: they are drawn out between what has "
        "parted. Bake to a Mesh Cache with Split Mesh to open them"
    ]


def _double(mesh, splitting):
    """Give torn faces of a mesh the doubles of their vertices, which come after all others, with all that they have."""
    polygons = mesh_io.read_polygons(mesh)
    starts = np.cumsum(polygons.sizes) - polygons.sizes
    face = np.repeat(np.arange(len(starts)), polygons.sizes)
    changed = np.unique(face[splitting.corners != polygons.corners])
    built = bmesh.new()
    try:
        built.from_mesh(mesh)
        vertices, faces = list(built.verts), list(built.faces)
        bare = [not edge.link_faces for edge in built.edges]
        vertices += [built.verts.new(vertices[source].co, vertices[source]) for source in splitting.sources]
        for number in changed:
            corners = splitting.corners[starts[number] : starts[number] + polygons.sizes[number]]
            _replace(built, faces[number], [vertices[corner] for corner in corners])
        _remove_bare(built, bare)
        built.to_mesh(mesh)
    finally:
        built.free()
    mesh.update()


def _replace(built, face, vertices):
    """Put a face of other vertices in the place of one, with its attributes and those of its corners and sides."""
    other = built.faces.new(vertices, face)
    corners = list(zip(list(other.loops), list(face.loops), strict=True))
    for made, before in [(corner.edge, before.edge) for corner, before in corners]:
        if made != before:
            made.copy_from(before)
    # Blender loses the users of copied data-blocks: these are not used any more.
    for corner, before in corners:
        corner.copy_from(before)
    built.faces.remove(face)


def _remove_bare(built, bare):
    """Remove the edges that no face has any more; bare: mask of those that had none before."""
    for edge in [each for each in built.edges if each.index >= 0 and not each.link_faces]:
        if not bare[edge.index]:
            built.edges.remove(edge)
