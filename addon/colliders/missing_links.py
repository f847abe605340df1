# SPDX-License-Identifier: GPL-3.0-or-later
"""Possible colliders that are missing in their linked file: Blender has an empty of that name in their place."""


def missing(scene, chosen):
    """Sentences about what a scene's libraries lack, of a collection alone if one is chosen: a list.

    Nothing tells whether it would collide.
    """
    objects = scene.objects if chosen is None else set(chosen.all_objects).intersection(scene.objects)
    shown = [scene.collection if chosen is None else chosen]
    shown += [other.instance_collection for other in objects if other.instance_collection]
    collections = {within for one in shown for within in (one, *one.children_recursive) if within.is_missing}
    names = {other: f"'{other.name}'" for other in objects if other.is_missing}
    names |= {other: f"the collection '{other.name}'" for other in collections}
    return sorted(_sentence(block, name) for block, name in names.items())


def _sentence(block, name):
    return (
        f"{name} is missing in {block.library.filepath}, where it is linked from, and nothing collides with it: find "
        "that file (File > External Data > Find Missing Files), or delete what is missing"
    )
