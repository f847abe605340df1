# SPDX-License-Identifier: GPL-3.0-or-later
# Polyethylene twine of 2 mm: 950 kg/m³ on its section. All other values are chosen by eye; 10 cm of its twine stick
# out.
import bpy

settings = bpy.context.object.hooke

settings.stretch_stiffness = 2000.0
settings.shear_stiffness = 5.0
settings.bending_rigidity = 1.0
settings.area_density = 0.1
settings.damping_ratio = 0.02
settings.bending_damping = 0.0
settings.keep_shape = True
settings.line_stiffness = 2000.0
settings.line_density = 0.003
settings.line_bending = 0.004
settings.breaking_strain = 0.25
settings.fill_stiffness = 0.0
settings.fill_density = 1000.0
settings.fill_poisson = 0.25
settings.fill_loss = 0.1
settings.measure = "AREA"
settings.material_name = "Net"
