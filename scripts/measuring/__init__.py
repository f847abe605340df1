# SPDX-License-Identifier: GPL-3.0-or-later
"""What `lab` and `benchmark` share: subjects, how they measure, and the tables that they write into docs/."""
