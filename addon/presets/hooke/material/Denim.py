# SPDX-License-Identifier: GPL-3.0-or-later
# 11 oz. Weight and bending as measured by Wang, O'Brien and Ramamoorthi 2011, "Data-Driven Elastic Models for Cloth".
# Stretch and shear: sample A of Journal of Textiles 2016, 4614168, table 5, by the Kawabata system: 5.5 % at 490 N/m,
# 2.18 gf/cm per degree. Strands are chosen by eye.
import bpy

settings = bpy.context.object.hooke

settings.stretch_stiffness = 8900.0
settings.shear_stiffness = 122.0
settings.bending_rigidity = 64.2
settings.area_density = 0.324
settings.damping_ratio = 0.0
settings.bending_damping = 0.0
settings.keep_shape = True
settings.line_stiffness = 9000.0
settings.line_density = 0.1
settings.line_bending = 0.2
settings.breaking_strain = 0.25
settings.fill_stiffness = 0.0
settings.fill_density = 1000.0
settings.fill_poisson = 0.25
settings.fill_loss = 0.1
settings.measure = "AREA"
settings.material_name = "Denim"
