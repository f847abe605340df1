# SPDX-License-Identifier: GPL-3.0-or-later
# Shirting. Weight: 4 oz/yd². Bending: that with which it covers 68 % of the ring in the test of Cusick, as cotton was
# measured to (Gan 1991), with Fine. Stretch, shear and strands are chosen by eye.
import bpy

settings = bpy.context.object.hooke

settings.stretch_stiffness = 5000.0
settings.shear_stiffness = 100.0
settings.bending_rigidity = 13.0
settings.area_density = 0.136
settings.damping_ratio = 0.0
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
settings.material_name = "Cotton"
