# SPDX-License-Identifier: GPL-3.0-or-later
# Weight: 14 oz/yd². Stretch, shear and bending: sample A of Journal of Textiles 2016, 4614168, table 5, by the
# Kawabata system: 5.5 % at 490 N/m, 2.18 gf/cm per degree, 0.172 gf cm²/cm. Strands are chosen by eye.
import bpy

settings = bpy.context.object.hooke

settings.stretch_stiffness = 8900.0
settings.shear_stiffness = 122.0
settings.bending_rigidity = 16.9
settings.area_density = 0.475
settings.damping_ratio = 0.0
settings.line_stiffness = 9000.0
settings.line_density = 0.1
settings.breaking_strain = 0.25
settings.fill_stiffness = 0.0
settings.fill_density = 1000.0
settings.measure = "AREA"
settings.material_name = "Denim"
