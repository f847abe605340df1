# SPDX-License-Identifier: GPL-3.0-or-later
"""Hooke beside others: each module is a subject with tables(options), a generator of `measuring.measured.Measured`."""
