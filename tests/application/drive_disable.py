# SPDX-License-Identifier: GPL-3.0-or-later
"""In Blender: disable, enable and disable the extension, and print after each what of it is registered."""

import json

import bpy

MODULE = "bl_ext.user_default.hooke"


def registered():
    """What Blender holds of the extension."""
    lists = [getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)]
    handlers = [handler for entry in lists if isinstance(entry, list) for handler in entry]
    return {
        "handlers": sum(handler.__module__.startswith(MODULE) for handler in handlers),
        "settings": hasattr(bpy.types.Object, "hooke"),
        "classes": sorted(
            cls.__name__
            for base in (bpy.types.Operator, bpy.types.Panel, bpy.types.PropertyGroup)
            for cls in base.__subclasses__()
            if cls.__module__.startswith(MODULE) and cls.is_registered
        ),
        "operators": dir(bpy.ops.hooke),
    }


seen = {"while_enabled": registered()}
bpy.ops.preferences.addon_disable(module=MODULE)
seen["after_first_disable"] = registered()
bpy.ops.preferences.addon_enable(module=MODULE)
seen["while_enabled_again"] = registered()
bpy.ops.preferences.addon_disable(module=MODULE)
seen["after_second_disable"] = registered()
print(json.dumps(seen), flush=True)
