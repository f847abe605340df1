# SPDX-License-Identifier: GPL-3.0-or-later
"""Baked objects to other programs, through Blender's own exporters."""

from contextlib import contextmanager
from pathlib import Path

import bpy

from . import bakes, output_nodes
from .mesh_io import MeshError


class Format:
    """A file format: how it is called, its file name extension, and which exporter writes it.

    remedy: what to do where this Blender does not have the exporter.
    """

    id: str
    label: str
    description: str
    extension: str
    remedy = "use a Blender that was built with it, as those of blender.org are"

    def available(self):
        """Whether this Blender has the exporter."""
        raise TypeError(f"{type(self).__name__} does not say whether it is available: a format must")

    def check(self, obj):
        """Raise MeshError if the format cannot hold the object's bake."""

    def warnings(self, obj):
        """Sentences about what the format leaves out of the object, as a list."""
        return []

    def scene_warnings(self, scene):
        """Sentences about what the format does otherwise than the scene, as a list."""
        return []

    def write(self, filepath, selected, first, last):
        """Export the frames first to last: the selected objects, or all."""
        raise TypeError(f"{type(self).__name__} writes nothing: a format must")


class Gltf(Format):
    """Shape keys become morph targets, their values weights sampled in every frame."""

    id = "GLTF"
    label = "glTF"
    description = "Morph targets with animated weights, from a bake to Shape Keys or Principal Shapes (.glb)"
    extension = ".glb"
    remedy = "enable the add-on 'glTF 2.0 format'"

    def available(self):
        """Whether the add-on is enabled."""
        return hasattr(bpy.types, "EXPORT_SCENE_OT_gltf")

    def check(self, obj):
        """Raise MeshError unless the bake is shape keys from frame 0 on."""
        mode = bakes.mode_of(obj)
        if not mode.in_shape_keys:
            others = " or ".join(other.label for other in bakes.MODES.values() if other.in_shape_keys)
            raise MeshError(
                f"'{obj.name}' is baked to a {mode.label}, which glTF cannot hold: bake to {others}"
            )
        if obj.hooke.bake.frame_start < 0:
            raise MeshError(
                f"the bake of '{obj.name}' begins at frame {obj.hooke.bake.frame_start}, but Blender's glTF exporter "
                "leaves out what is before frame 0: bake from frame 0 or later"
            )

    def warnings(self, obj):
        """That modifiers below Hooke cannot be applied to morph targets."""
        own = output_nodes.find(obj)
        below = list(obj.modifiers)[obj.modifiers.find(own.name) + 1 :] if own is not None else []
        names = [
            f"'{modifier.name}'" for modifier in below if modifier.show_render and modifier.type != "ARMATURE"
        ]
        if not names:
            return []
        return [
            f"glTF holds the mesh of '{obj.name}' without {', '.join(names)}: morph targets come before modifiers"
        ]

    def scene_warnings(self, scene):
        """That the file plays too fast or slow where the frame rate has a base."""
        base = scene.render.fps_base
        if base == 1.0:
            return []
        return [
            f"Blender's glTF exporter multiplies by the frame rate's base of {base:g} instead of dividing: the file "
            f"plays {base * base:.4g} times as fast, so set the base to 1 where that matters"
        ]

    def write(self, filepath, selected, first, last):
        """Write one animation, of the scene as it plays: the actions alone would leave drivers and parents out."""
        bpy.ops.export_scene.gltf(
            filepath=filepath,
            export_format="GLTF_SEPARATE" if filepath.lower().endswith(".gltf") else "GLB",
            use_selection=selected,
            export_apply=False,
            export_animation_mode="SCENE",
            export_anim_scene_split_object=False,
            export_force_sampling=True,
            export_frame_step=1,
            export_morph=True,
            export_morph_animation=True,
            # Keyframes it would drop are those that change little, not those that change nothing.
            export_optimize_animation_size=False,
        )


class Alembic(Format):
    """The evaluated mesh of every frame."""

    id = "ALEMBIC"
    label = "Alembic"
    description = "The evaluated mesh of every frame, from any bake (.abc)"
    extension = ".abc"

    def available(self):
        """Whether Blender was built with it."""
        return bpy.app.build_options.alembic

    def write(self, filepath, selected, first, last):
        """Write the frames at once, not in a job."""
        bpy.ops.wm.alembic_export(
            filepath=filepath, start=first, end=last, selected=selected, as_background_job=False
        )


class Usd(Format):
    """The evaluated mesh of every frame, as points sampled over time."""

    id = "USD"
    label = "USD"
    description = "The evaluated mesh of every frame, from any bake (.usdc)"
    extension = ".usdc"

    def available(self):
        """Whether Blender was built with it."""
        return bpy.app.build_options.usd

    def write(self, filepath, selected, first, last):
        """Write points: USD's own blend shapes and skeletons would leave other modifiers out."""
        bpy.ops.wm.usd_export(
            filepath=filepath,
            selected_objects_only=selected,
            export_animation=True,
            export_shapekeys=False,
            export_armatures=False,
        )


FORMATS: dict[str, Format] = {form.id: form for form in (Gltf(), Alembic(), Usd())}


def check(form, objects):
    """Raise MeshError with the reason if a format, an id of FORMATS, cannot be written of these objects."""
    baked = [obj for obj in objects if obj.type == "MESH" and obj.hooke.bake.exists]
    if not baked:
        raise MeshError("nothing to export is baked: select a baked object, or bake the selected one")
    if not FORMATS[form].available():
        raise MeshError(f"this Blender has no exporter to {FORMATS[form].label}: {FORMATS[form].remedy}")
    for obj in baked:
        FORMATS[form].check(obj)


def write(form, filepath, scene, objects, selected=True):
    """Export a format, an id of FORMATS, over the frames of the objects' bakes; returns warnings as a list.

    objects: what to export, the selected objects or those of the scene.
    Raises MeshError as `check`, and where the exporter fails.
    """
    check(form, objects)
    folder = Path(filepath).absolute().parent
    if not folder.is_dir():
        raise MeshError(f"the folder {folder} does not exist: create it or choose another")
    baked = [obj for obj in objects if obj.type == "MESH" and obj.hooke.bake.exists]
    first = min(obj.hooke.bake.frame_start for obj in baked)
    last = max(obj.hooke.bake.frame_end for obj in baked)
    with _playing(scene, first, last):
        try:
            FORMATS[form].write(filepath, selected, first, last)
        except RuntimeError as error:
            raise MeshError(f"Blender could not write {filepath}: {str(error).strip()}") from error
    warnings = [sentence for obj in baked for sentence in FORMATS[form].warnings(obj)]
    return warnings + FORMATS[form].scene_warnings(scene)


@contextmanager
def _playing(scene, first, last):
    """The scene's range set to some frames, and everything as before afterwards."""
    before = scene.frame_start, scene.frame_end, scene.frame_current, scene.use_preview_range
    scene.frame_start, scene.frame_end, scene.use_preview_range = first, last, False
    try:
        yield
    finally:
        scene.frame_start, scene.frame_end, frame, scene.use_preview_range = before
        scene.frame_set(frame)
