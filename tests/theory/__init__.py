# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies whose motion is known on paper: specified by tests, and measured at length by the lab."""
