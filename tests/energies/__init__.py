# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks whose energy, momentum and rest are specified by tests, and measured at length by the lab."""
