# SPDX-License-Identifier: GPL-3.0-or-later
# Natural rubber: modulus 2 MPa, 925 kg/m³ and Poisson's ratio 0.5, of which 0.49 is the most here, of Ashby, Materials
# Selection in Mechanical Design. Damping is chosen by eye; what encloses nothing is 2 mm of it.
import bpy

settings = bpy.context.object.hooke

settings.stretch_stiffness = 4000.0
settings.shear_stiffness = 1333.0
settings.bending_rigidity = 1780.0
settings.area_density = 1.85
settings.damping_ratio = 0.1
settings.bending_damping = 0.0
settings.keep_shape = True
settings.line_stiffness = 100.0
settings.line_density = 0.05
settings.line_bending = 1.0
settings.breaking_strain = 3.0
settings.fill_stiffness = 2000.0
settings.fill_density = 925.0
settings.fill_poisson = 0.49
settings.fill_loss = 0.1
settings.measure = "AREA"
settings.material_name = "Rubber"
