# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines for the console, which may lack the letters of a name, or not exist."""

import sys


def say(sentence, stream=None):
    """Print a sentence as one line to stdout, or another text stream, whatever letters that has.

    A Blender that Windows starts without a console has no streams: nobody reads it.
    """
    stream = sys.stdout if stream is None else stream
    if stream is not None:
        print(in_letters_of(stream, one_line(sentence)), file=stream, flush=True)


def warn(sentence):
    """Print a sentence as one line to stderr, as `say`."""
    if sys.stderr is not None:
        say(sentence, sys.stderr)


def in_letters_of(stream, text):
    """Text with the characters escaped that a stream's encoding lacks: a Windows code page has an alphabet or two."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def one_line(text):
    """Text in which line breaks and codes of terminals, which names may hold, are escaped."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text
    )
