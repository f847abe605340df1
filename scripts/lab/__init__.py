# SPDX-License-Identifier: GPL-3.0-or-later
"""The integrator lab: experiments that measure the core and draw what they found, one file for each."""
