# SPDX-License-Identifier: GPL-3.0-or-later
# Charmeuse. Weight: 16 momme of 4.34 g/m². The rest is chosen by eye, below the cotton.
import bpy

settings = bpy.context.object.hooke

settings.stretch_stiffness = 4000.0
settings.shear_stiffness = 30.0
settings.bending_rigidity = 4.0
settings.area_density = 0.069
settings.damping_ratio = 0.0
settings.line_stiffness = 4000.0
settings.line_density = 0.03
settings.breaking_strain = 0.25
settings.fill_stiffness = 0.0
settings.fill_density = 1000.0
settings.measure = "AREA"
settings.material_name = "Silk"
