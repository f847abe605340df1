# SPDX-License-Identifier: GPL-3.0-or-later
# Charmeuse. Weight: 16 momme of 4.34 g/m². Bending: that with which it drapes as silks do, by 20 to 40 % of the ring
# in the test of Cusick. Stretch, shear and strands are chosen by eye.
import bpy

settings = bpy.context.object.hooke

settings.stretch_stiffness = 4000.0
settings.shear_stiffness = 30.0
settings.bending_rigidity = 1.5
settings.area_density = 0.069
settings.damping_ratio = 0.0
settings.bending_damping = 0.0
settings.keep_shape = True
settings.line_stiffness = 4000.0
settings.line_density = 0.03
settings.line_bending = 0.02
settings.breaking_strain = 0.25
settings.fill_stiffness = 0.0
settings.fill_density = 1000.0
settings.fill_poisson = 0.25
settings.fill_loss = 0.1
settings.measure = "AREA"
settings.material_name = "Silk"
