# SPDX-License-Identifier: GPL-3.0-or-later
# A fleece. Weight and bending as measured by Wang, O'Brien and Ramamoorthi 2011, "Data-Driven Elastic Models for
# Cloth". Stretch, shear and strands are chosen by eye.
import bpy

settings = bpy.context.object.hooke

settings.stretch_stiffness = 800.0
settings.shear_stiffness = 250.0
settings.bending_rigidity = 59.5
settings.area_density = 0.224
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
settings.material_name = "Sparkle Sweat"
