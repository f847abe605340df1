# SPDX-License-Identifier: GPL-3.0-or-later
"""glTF: morph targets, skins and nodes, each sampled over time."""

import json
import os
import shutil
from urllib.parse import unquote

import bpy

from ...core import output_files
from ...core.file_kinds import Kind
from ...core.regular_file import open_regular
from .. import bakes
from ..mesh_io import MeshError
from . import gltf_limits
from .format import Format

# A glTF document is read whole: the parts of a longer one are unknown.
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
        """As of any format; files beside a .gltf replace only those that the previous .gltf had beside it."""
        if path.suffix.lower() != ".gltf":
            super().put(path, *what)
            return
        before, room = _parts(path), output_files.partial(path).with_suffix("")
        room.mkdir()
        try:
            self.write(str(room / path.name), *what)
            # Nodes that refer to others come last.
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
        skins = gltf_limits.old_skins(obj)
        if skins:
            raise MeshError(
                f"'{skins[0]}' of '{obj.name}' is turned off by the bake and has a rig, which would deform the bake "
                "again in the file: clear the bake and bake anew"
            )

    def warnings(self, obj, exported):
        """Limits of glTF, and a warning about weights below 0."""
        told = gltf_limits.differences(obj, exported)
        if obj.type != "MESH" or not obj.hooke.bake.exists:
            return told
        baked = {item.name for item in obj.hooke.bake.items if item.kind == "KEY"}
        keys = obj.data.shape_keys
        if keys is not None and any(key.name in baked and key.slider_min < 0.0 for key in keys.key_blocks):
            told.append(
                f"the bake of '{obj.name}' has weights below 0, which most readers take for 0: bake it anew"
            )
        return told

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
            # The first frame is at 0 s, whatever its number.
            export_anim_slide_to_zero=True,
            # Not the four strongest bones of each vertex alone.
            export_all_influences=True,
            export_morph=True,
            export_morph_animation=True,
            # Keyframes it would drop are those that change little, not those that change nothing.
            export_optimize_animation_size=False,
        )
