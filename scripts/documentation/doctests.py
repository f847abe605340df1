# SPDX-License-Identifier: GPL-3.0-or-later
"""What griffe asks of docstrings before the site shows them: examples are blocks of code, arguments items of a list."""

import re

import griffe

# An example, from its first prompt to the next empty line.
EXAMPLE = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
# The beginning of a line about arguments, attributes or keys: one name or several, and a colon.
NAMES = re.compile(r"^([a-z_]\w*(?:, [a-z_]\w*)*): ")
# Between two of them on one line.
BETWEEN = re.compile(r";\s+(?=[a-z_]\w*(?:, [a-z_]\w*)*: )")


class Doctests(griffe.Extension):
    """Puts examples into fences, since a prompt begins a quotation in Markdown, and lines of arguments into lists."""

    def on_object(self, *, obj: griffe.Object, **_) -> None:
        """Change the docstring of an object, if it has one."""
        if obj.docstring is not None:
            parts = map(_listed, obj.docstring.value.split("\n\n"))
            obj.docstring.value = EXAMPLE.sub(
                lambda found: f"```pycon\n{found[0].rstrip()}\n```", "\n\n".join(parts)
            )


def _listed(paragraph: str) -> str:
    """A paragraph, whose lines from the first that begins with names on are a list."""
    lines = paragraph.split("\n")
    first = next((number for number, line in enumerate(lines) if NAMES.match(line)), None)
    if first is None or paragraph.startswith(">>> "):
        return paragraph
    lines[first:] = BETWEEN.sub("\n", "\n".join(lines[first:])).split("\n")
    items = [NAMES.sub(r"- **\1**: ", line) for line in lines[first:]]
    # "Raises" ends the list.
    end = next((number for number, line in enumerate(items) if line.startswith("Raises ")), len(items))
    parts = ["\n".join(lines[:first]), "\n".join(map(str.strip, items[:end])), "\n".join(items[end:])]
    return "\n\n".join(part for part in parts if part)
