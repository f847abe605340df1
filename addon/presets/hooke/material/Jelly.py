# SPDX-License-Identifier: GPL-3.0-or-later
# Firm jelly, of a kind that keeps its shape at the size of furniture: modulus is chosen by eye (a table jelly has
# 10 kPa, and is as large as a hand), density and Poisson's ratio are about water's. Gelatine's loss factor is 0.1 to
# 0.3.
import bpy

settings = bpy.context.object.hooke

settings.stretch_stiffness = 600.0
settings.shear_stiffness = 300.0
settings.bending_rigidity = 5000.0
settings.area_density = 2.0
settings.damping_ratio = 0.05
settings.bending_damping = 0.0
settings.keep_shape = True
settings.line_stiffness = 200.0
settings.line_density = 0.2
settings.line_bending = 1.0
settings.breaking_strain = 3.0
settings.fill_stiffness = 300.0
settings.fill_density = 1000.0
settings.fill_poisson = 0.48
settings.fill_loss = 0.2
settings.measure = "AREA"
settings.material_name = "Jelly"
