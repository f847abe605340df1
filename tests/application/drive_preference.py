# SPDX-License-Identifier: GPL-3.0-or-later
"""In Blender: enable or disable the extension, as the last argument says, and save the preferences."""

import sys

import bpy

switch = {"enable": bpy.ops.preferences.addon_enable, "disable": bpy.ops.preferences.addon_disable}[
    sys.argv[-1]
]
switch(module="bl_ext.user_default.hooke")
bpy.ops.wm.save_userpref()
print('{"saved": true}', flush=True)
