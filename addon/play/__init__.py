# SPDX-License-Identifier: GPL-3.0-or-later
"""From a scene's frame to an object's shown frame: inputs, take, session, handlers."""
