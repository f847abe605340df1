# SPDX-License-Identifier: GPL-3.0-or-later
# Flexible polymer foam of very low density: modulus 0.3 to 1 MPa, 16 to 35 kg/m³ and Poisson's ratio 0.23 to 0.33, of
# Ashby, Materials Selection in Mechanical Design. Damping is chosen by eye; what encloses nothing is 5 mm of it.
import bpy

settings = bpy.context.object.hooke

settings.stretch_stiffness = 1500.0
settings.shear_stiffness = 600.0
settings.bending_rigidity = 3300.0
settings.area_density = 0.15
settings.damping_ratio = 0.2
settings.bending_damping = 0.0
settings.keep_shape = True
settings.line_stiffness = 100.0
settings.line_density = 0.01
settings.line_bending = 1.0
settings.breaking_strain = 1.5
settings.fill_stiffness = 300.0
settings.fill_density = 30.0
settings.fill_poisson = 0.3
settings.fill_loss = 0.3
settings.measure = "AREA"
settings.material_name = "Sponge"
