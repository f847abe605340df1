# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a test waits for another process."""

# Seconds after which it hangs, however busy the machine is; less than what pytest gives a test in pyproject.toml, so
# that the test itself says for what it waited.
HANGS = 900.0
