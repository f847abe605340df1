# SPDX-License-Identifier: GPL-3.0-or-later
"""What pictures of the lab share: `studio` has Cycles, lights and solids, `strip` puts pictures side by side."""
