# SPDX-License-Identifier: GPL-3.0-or-later
# Soft parts of bodies: muscle and fat have 5 to 25 kPa, density and Poisson's ratio are about water's. How it jiggles,
# which it turns on, is chosen by eye.
import bpy

settings = bpy.context.object.hooke

settings.stretch_stiffness = 600.0
settings.shear_stiffness = 300.0
settings.bending_rigidity = 5000.0
settings.area_density = 2.0
settings.damping_ratio = 0.2
settings.bending_damping = 0.2
settings.keep_shape = True
settings.line_stiffness = 200.0
settings.line_density = 0.2
settings.line_bending = 1.0
settings.breaking_strain = 1.0
settings.fill_stiffness = 20.0
settings.fill_density = 1000.0
settings.fill_poisson = 0.45
settings.fill_loss = 0.4
settings.measure = "AREA"
settings.material_name = "Flesh"
settings.jiggle = True
settings.jiggle_frequency = 3.0
settings.jiggle_damping = 0.2
settings.jiggle_sags = False
