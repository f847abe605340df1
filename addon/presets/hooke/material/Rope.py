# SPDX-License-Identifier: GPL-3.0-or-later
# Polyamide of 10 mm: 62 g/m (EN ISO 1140). Its stiffness, its bending, with which 26 cm of it stick out, and the
# sheet's values are chosen by eye.
import bpy

settings = bpy.context.object.hooke

settings.stretch_stiffness = 9000.0
settings.shear_stiffness = 120.0
settings.bending_rigidity = 20.0
settings.area_density = 0.475
settings.damping_ratio = 0.05
settings.bending_damping = 0.0
settings.keep_shape = True
settings.line_stiffness = 20000.0
settings.line_density = 0.062
settings.line_bending = 1.3
settings.breaking_strain = 0.25
settings.fill_stiffness = 0.0
settings.fill_density = 1000.0
settings.fill_poisson = 0.25
settings.fill_loss = 0.1
settings.measure = "AREA"
settings.material_name = "Rope"
