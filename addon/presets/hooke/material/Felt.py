# SPDX-License-Identifier: GPL-3.0-or-later
# Wool felt of 2 mm: 200 kg/m³. Bending and all other values are chosen by eye: a strip of it sticks out by 12 cm.
import bpy

settings = bpy.context.object.hooke

settings.stretch_stiffness = 8000.0
settings.shear_stiffness = 2500.0
settings.bending_rigidity = 850.0
settings.area_density = 0.4
settings.damping_ratio = 0.05
settings.bending_damping = 0.0
settings.keep_shape = True
settings.line_stiffness = 5000.0
settings.line_density = 0.05
settings.line_bending = 0.1
settings.breaking_strain = 0.25
settings.fill_stiffness = 0.0
settings.fill_density = 1000.0
settings.fill_poisson = 0.25
settings.fill_loss = 0.1
settings.measure = "AREA"
settings.material_name = "Felt"
