# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact as stencils of weighted points: what is near, when it would meet, and what that costs in energy."""
