# SPDX-License-Identifier: GPL-3.0-or-later
"""What `lab` and `benchmark` share: how they measure, keep what they found, and write and draw it into docs/."""
