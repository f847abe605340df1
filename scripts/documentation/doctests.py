# SPDX-License-Identifier: GPL-3.0-or-later
"""What griffe asks of docstrings before the site shows them: examples with prompts are blocks of code."""

import re

import griffe

# An example, from its first prompt to the next empty line.
EXAMPLE = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)


class Doctests(griffe.Extension):
    """Puts examples into fences: in Markdown a prompt begins a quotation."""

    def on_object(self, *, obj: griffe.Object, **_) -> None:
        """Change the docstring of an object, if it has one with an example."""
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLE.sub(
                lambda found: f"```pycon\n{found[0].rstrip()}\n```", obj.docstring.value
            )
