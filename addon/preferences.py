# SPDX-License-Identifier: GPL-3.0-or-later
"""Preferences of the extension: where frames are kept, how much memory they may take, threads, documentation."""

from pathlib import Path

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty

from ..core.kernels import CHOSEN
from ..core.kernels.threads import MOST

# The extension's own name, which is the parent of this package's.
_EXTENSION = __package__.rpartition(".")[0]


class HookePreferences(bpy.types.AddonPreferences):
    """Preferences of the extension."""

    bl_idname = _EXTENSION

    cache_place: EnumProperty(
        name="Cache",
        description="Where simulated frames are kept",
        items=[
            ("USER", "User Folder", "In the extension's own folder, one for every .blend file"),
            ("BESIDE", "Beside the File", "In a folder beside the .blend file, to move and share with it"),
            ("MEMORY", "Memory", "Nowhere on disk: frames end with the session, within the memory limit"),
        ],
        default="USER",
    )
    memory_limit: IntProperty(
        name="Memory Limit",
        description="Largest memory for the frames of one object when they are not kept on disk [MB]",
        default=1024,
        min=16,
        soft_max=16384,
    )

    threads: IntProperty(
        name="Threads",
        description="Threads of a simulation; 0 uses all cores, or the number in HOOKE_THREADS. The result is the "
        "same, bit for bit. During renders one thread is used",
        default=0,
        min=0,
        max=MOST,
        update=lambda _self, _context: use_threads(),
    )
    documentation: StringProperty(
        name="Documentation",
        description="Address of the documentation site, or its folder on disk (dist/site of a clone). Online Manual in "
        "the menu of a setting leads to its place there",
    )

    def draw(self, _context):
        """Draw them, the size of the user folder, and the library that computes."""
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "cache_place")
        column = layout.column()
        column.active = self.cache_place == "MEMORY"
        column.prop(self, "memory_limit", text="Memory Limit (MB)")
        users = user_folder("cache")
        if users is not None:
            row = layout.row()
            row.label(text=f"The user folder holds {_size(users) / 1e6:,.0f} MB")
            row.operator("hooke.delete_caches", icon="TRASH")
        layout.prop(self, "threads")
        layout.prop(self, "documentation")
        layout.label(text=calculating())


def cache_place():
    """ "USER", "BESIDE" or "MEMORY"."""
    found = _preferences()
    return found.cache_place if found is not None else "USER"


def memory_limit():
    """Most bytes that the frames of one object may take in memory."""
    found = _preferences()
    return 1e6 * (found.memory_limit if found is not None else 1024)


def documentation():
    """Address or folder of the documentation site, "" where none is named."""
    found = _preferences()
    return found.documentation if found is not None else ""


def use_threads(*, rendering=False):
    """Let simulations run on as many threads as are preferred, or on one while Blender renders on all."""
    found = _preferences()
    chosen = found.threads if found is not None else 0
    CHOSEN.threads.use(1 if rendering else chosen or None)


def calculating():
    """One line of what simulations are calculated by, and why that is not compiled."""
    words = f"Calculates with {CHOSEN.name}"
    return f"{words}: {CHOSEN.reason}" if CHOSEN.reason else words


def user_folder(name):
    """A folder in the extension's user folder, or None where Hooke is not installed as an extension."""
    try:
        return Path(bpy.utils.extension_path_user(_EXTENSION, path=name, create=True))
    except ValueError:
        return None


def name_beside(path):
    """Name of what lies beside a .blend file, for endings to follow.

    NAME.blend1, a backup, and NAME may lie beside NAME.blend too: a dot tells what is theirs apart.
    """
    return path.stem if path.suffix == ".blend" else f"{path.name}."


def _preferences():
    addon = bpy.context.preferences.addons.get(_EXTENSION)
    return addon.preferences if addon is not None else None


def _size(path):
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def register():
    """Register the preferences."""
    bpy.utils.register_class(HookePreferences)
    use_threads()


def unregister():
    """Unregister the preferences."""
    bpy.utils.unregister_class(HookePreferences)
