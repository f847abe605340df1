# SPDX-License-Identifier: GPL-3.0-or-later
# Garment leather of 0.8 mm: 0.6 kg/m². Bending: that with which it drapes as soft leathers do, by 47 to 70 % of the
# ring in the test of Cusick. Stretch and shear: modulus 0.05 GPa, Poisson's ratio 0.4. Damping and strands are chosen
# by eye.
import bpy

settings = bpy.context.object.hooke

settings.stretch_stiffness = 40000.0
settings.shear_stiffness = 14300.0
settings.bending_rigidity = 50.0
settings.area_density = 0.6
settings.damping_ratio = 0.1
settings.bending_damping = 0.0
settings.keep_shape = True
settings.line_stiffness = 10000.0
settings.line_density = 0.1
settings.line_bending = 5.0
settings.breaking_strain = 0.4
settings.fill_stiffness = 0.0
settings.fill_density = 1000.0
settings.fill_poisson = 0.25
settings.fill_loss = 0.1
settings.measure = "AREA"
settings.material_name = "Leather"
