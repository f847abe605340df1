# SPDX-License-Identifier: GPL-3.0-or-later
"""Icons of Blender's that mean something of their own here."""

# Of what is good to know, and takes no tick.
HINT = "LIGHT"
