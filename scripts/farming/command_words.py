# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of a command that is named in one text, and the text of some words, as shells of the system write it."""

import os
import shlex
from pathlib import Path


def split(text, system=os.name):
    """The words of a text; one that is a file as it stands is one word. system: as `os.name` has it.

    Raises ValueError where a quotation does not end.
    """
    if text.strip() and Path(text).is_file():
        return [text]
    if system != "nt":
        return shlex.split(text)
    # Windows' backslash divides folders, and its quotation mark is the double one.
    words = shlex.shlex(text, posix=True)
    words.whitespace_split, words.escape, words.quotes, words.commenters = True, "", '"', ""
    return list(words)


def join(words, system=os.name):
    """A text whose words these are."""
    if system != "nt":
        return shlex.join(words)
    return " ".join(word if word and not set(word) & set(" \t") else f'"{word}"' for word in words)
