# SPDX-License-Identifier: GPL-3.0-or-later
# Steel of 1 mm: 200 GPa and 7850 kg/m³, of Ashby, Materials Selection in Mechanical Design: stretch E A, bending E I.
# Damping, and the sheet's values, are chosen by eye.
import bpy

settings = bpy.context.object.hooke

settings.stretch_stiffness = 5000.0
settings.shear_stiffness = 100.0
settings.bending_rigidity = 10.0
settings.area_density = 0.136
settings.damping_ratio = 0.0
settings.bending_damping = 0.02
settings.keep_shape = True
settings.line_stiffness = 157000.0
settings.line_density = 0.0062
settings.line_bending = 9.8
settings.breaking_strain = 0.05
settings.fill_stiffness = 0.0
settings.fill_density = 1000.0
settings.fill_poisson = 0.25
settings.fill_loss = 0.1
settings.measure = "AREA"
settings.material_name = "Wire"
