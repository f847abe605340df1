# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the tests whose examples Hypothesis draws: the same ones in every run, and no verdict by the clock.

HOOKE_EXAMPLES: how many times as many examples as a test states, 1 by default; 10 takes a few minutes. Where few cases
of every test run (`--cases`), a fifth.
"""

import os

from hypothesis import HealthCheck, settings

TIMES = float(os.environ.get("HOOKE_EXAMPLES", "1"))


def drawn(count):
    """Hypothesis' settings for so many examples."""
    return settings(
        max_examples=max(1, int(count * TIMES)),
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
