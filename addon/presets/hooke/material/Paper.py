# SPDX-License-Identifier: GPL-3.0-or-later
# Office paper of 80 g/m² and 0.1 mm: Young's modulus 3 GPa, of Ashby, Materials Selection in Mechanical Design;
# bending E t³/12, stretch E t. Shear of Poisson's ratio 0.3. Strands are chosen by eye.
import bpy

settings = bpy.context.object.hooke

settings.stretch_stiffness = 300000.0
settings.shear_stiffness = 115000.0
settings.bending_rigidity = 250.0
settings.area_density = 0.08
settings.damping_ratio = 0.02
settings.bending_damping = 0.0
settings.keep_shape = True
settings.line_stiffness = 5000.0
settings.line_density = 0.05
settings.line_bending = 0.1
settings.breaking_strain = 0.02
settings.fill_stiffness = 0.0
settings.fill_density = 1000.0
settings.fill_poisson = 0.25
settings.fill_loss = 0.1
settings.measure = "AREA"
settings.material_name = "Paper"
