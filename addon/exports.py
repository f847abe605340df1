# SPDX-License-Identifier: GPL-3.0-or-later
"""Baked objects to other programs, through Blender's own exporters.

These write where nothing is of anybody's: what they made is put in its place afterwards, by `core.output_files`.
"""

import json
import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

import bpy

from ..core import output_files
from ..core.file_kinds import Kind, archive_of, beginning
from ..core.regular_file import open_regular
from . import bakes, output_nodes
from .mesh_io import MeshError

_USD = (beginning("a USD file", b"PXR-USDC", b"#usda"), archive_of("a USD package", ".usdc", ".usda", ".usd"))
# A glTF document is read whole: of what is longer nobody knows the parts.
_LONGEST_DOCUMENT = 1 << 28


def _document(file):
    """The JSON of a glTF file with others beside it, a dict; raises ValueError where it is none."""
    file.seek(0)
    found = json.loads(file.read(_LONGEST_DOCUMENT))
    if not isinstance(found, dict):
        raise ValueError("it is no glTF document")
    return found


def _parts(path):
    """Names of the buffers and images that a .gltf file has beside it, a set; empty where there is no such file."""
    try:
        with open_regular(path, os.O_RDONLY) as file:
            document = _document(file)
    except (OSError, ValueError, RecursionError):
        return set()
    groups = [group for name in ("buffers", "images") if isinstance(group := document.get(name), list)]
    names = [part.get("uri") for group in groups for part in group if isinstance(part, dict)]
    return {unquote(name) for name in names if isinstance(name, str)}


def _part(known):
    """Kind of a file that only its name says is a part of another."""
    return Kind("a part of the glTF file of before", lambda file: known)


class Format:
    """A file format: how it is called, its file name extensions, the usual one first, and which exporter writes it.

    kind: of its files, which a new one may take the place of. remedy: what to do where this Blender does not have the
    exporter.
    """

    id: str
    label: str
    description: str
    extensions: tuple[str, ...]
    kind: Kind
    remedy = "use a Blender that was built with it, as those of blender.org are"

    @property
    def extension(self):
        """The usual one."""
        return self.extensions[0]

    def named(self, filepath):
        """The file that is written for a path, which may lack the extension."""
        return filepath if filepath.lower().endswith(self.extensions) else filepath + self.extension

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

    def put(self, path, *what):
        """Have `write` make the file of a path; raises Refused where it must not take its place, OSError."""
        made = output_files.partial(path)
        try:
            self.write(str(made), *what)
            output_files.put(made, path, self.kind)
        finally:
            made.unlink(missing_ok=True)


class Gltf(Format):
    """Shape keys become morph targets, their values weights sampled in every frame."""

    id = "GLTF"
    label = "glTF"
    description = "Morph targets with animated weights, from a bake to Shape Keys or Principal Shapes (.glb)"
    extensions = (".glb", ".gltf")
    kind = Kind("a glTF file", lambda file: file.read(4) == b"glTF" or "asset" in _document(file))
    remedy = "enable the add-on 'glTF 2.0 format'"

    def available(self):
        """Whether the add-on is enabled."""
        return hasattr(bpy.types, "EXPORT_SCENE_OT_gltf")

    def put(self, path, *what):
        """As of any format; what a .gltf file has beside it takes the place of what that of before had alone."""
        if path.suffix.lower() != ".gltf":
            super().put(path, *what)
            return
        before, room = _parts(path), output_files.partial(path).with_suffix("")
        room.mkdir()
        try:
            self.write(str(room / path.name), *what)
            # What names the others last.
            made = sorted(room.iterdir(), key=lambda file: file.name == path.name)
            kinds = {
                file: self.kind if file.name == path.name else _part(file.name in before) for file in made
            }
            for file in made:
                output_files.check_replaceable(path.with_name(file.name), kinds[file])
            for file in made:
                output_files.put(file, path.with_name(file.name), kinds[file])
        finally:
            shutil.rmtree(room, ignore_errors=True)

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
        """That modifiers below Hooke cannot be applied to morph targets, nor weights below 0 be relied on."""
        own = output_nodes.find(obj)
        below = list(obj.modifiers)[obj.modifiers.find(own.name) + 1 :] if own is not None else []
        names = [
            f"'{modifier.name}'" for modifier in below if modifier.show_render and modifier.type != "ARMATURE"
        ]
        without = f"glTF holds the mesh of '{obj.name}' without {', '.join(names)}: morph targets come before modifiers"
        baked = {item.name for item in obj.hooke.bake.items if item.kind == "KEY"}
        signed = any(key.name in baked and key.slider_min < 0.0 for key in obj.data.shape_keys.key_blocks)
        below_zero = (
            f"the bake of '{obj.name}' has weights below 0, which most readers take for 0: bake it anew"
        )
        return [without] * bool(names) + [below_zero] * signed

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
    extensions = (".abc",)
    kind = beginning("an Alembic file", b"Ogawa", b"\x89HDF\r\n\x1a\n")

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
    extensions = (".usdc", ".usd", ".usda", ".usdz")
    kind = Kind("a USD file", lambda file: any(usd.recognises(file) for usd in _USD if file.seek(0) == 0))

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

    filepath: file to write, with the extension or without; objects: what to export, the selected objects or those of
    the scene. Raises MeshError as `check`, where what exists there is of another kind, and where the exporter fails.
    """
    check(form, objects)
    path = Path(FORMATS[form].named(filepath)).absolute()
    if not path.parent.is_dir():
        raise MeshError(f"the folder {path.parent} does not exist: create it or choose another")
    baked = [obj for obj in objects if obj.type == "MESH" and obj.hooke.bake.exists]
    first = min(obj.hooke.bake.frame_start for obj in baked)
    last = max(obj.hooke.bake.frame_end for obj in baked)
    try:
        output_files.check_replaceable(path, FORMATS[form].kind)
        with _playing(scene, first, last):
            FORMATS[form].put(path, selected, first, last)
    except output_files.Refused as error:
        raise MeshError(str(error)) from error
    except (RuntimeError, OSError) as error:
        raise MeshError(f"Blender could not write {path}: {str(error).strip()}") from error
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
