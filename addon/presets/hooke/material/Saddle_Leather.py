# SPDX-License-Identifier: GPL-3.0-or-later
# 1 mm thick, unsplit and stiff; modulus 0.1 GPa and 900 kg/m³ within the ranges of Ashby, Materials Selection in
# Mechanical Design; bending E t³/(12 (1 − ν²)). Poisson's ratio 0.4, damping and strands are chosen by eye.
import bpy

settings = bpy.context.object.hooke

settings.stretch_stiffness = 100000.0
settings.shear_stiffness = 36000.0
settings.bending_rigidity = 9900.0
settings.area_density = 0.9
settings.damping_ratio = 0.1
settings.bending_damping = 0.0
settings.keep_shape = True
settings.line_stiffness = 10000.0
settings.line_density = 0.1
settings.line_bending = 50.0
settings.breaking_strain = 0.4
settings.fill_stiffness = 0.0
settings.fill_density = 1000.0
settings.fill_poisson = 0.25
settings.fill_loss = 0.1
settings.measure = "AREA"
settings.material_name = "Saddle Leather"
