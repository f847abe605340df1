# SPDX-License-Identifier: GPL-3.0-or-later
"""What farm.py does, from its words to its exit status."""

import contextlib
import signal
import sys
from collections import Counter
from pathlib import Path

from environments import NoInterpreter, SetUpFailed
from system_packages import MissingPackage

from hooke.core.file_kinds import BLEND
from hooke.core.output_files import Refused, check_replaceable

from . import (
    arguments,
    command_words,
    contact_sheet,
    fingerprint,
    local_blender,
    output_folder,
    publishing,
    run,
    tables,
)
from .blender_process import NoBlender
from .farm import Farm
from .progress import Progress
from .wedge import WedgeError

DONE, FAILED, WRONG = 0, 1, 2


def main(words):
    """Run a farm, or put a variant's settings back; returns the exit status."""
    # A batch system's or a shutdown's way of saying Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        command, options = arguments.command_of(words)
        return (_apply if command == "apply" else _bake)(options)
    except (WedgeError, output_folder.NotOurs, Refused) as error:
        print(f"farm: {error}", file=sys.stderr)
        return WRONG
    except (NoBlender, NoInterpreter, SetUpFailed, MissingPackage, run.SchedulerGone) as error:
        print(f"farm: {error}", file=sys.stderr)
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        print(f"farm: {named}{error.strerror or error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("farm: interrupted before anything was begun", file=sys.stderr)
    return FAILED


def _bake(options):
    digests = _digests(options.wedge.files)
    # Before Blender starts, or is even installed.
    output_folder.check_free(options.output, options.wedge.files)
    _ask(len(options.wedge), options.yes)
    blender = local_blender.command(options.blender)
    wedge = local_blender.with_words(options.wedge, blender)
    with output_folder.opened(options.output, wedge.identity()) as room:
        output_folder.sweep(options.output)
        made_with = fingerprint.of_hooke(fingerprint.HOOKE), options.pictures, options.size
        variants = list(wedge.variants(digests, *made_with))
        output_folder.check_variants(options.output, variants)
        # A cluster's machines have a Blender of their own, unless one is named.
        named = options.blender if options.scheduler else command_words.join(blender)
        options.wedge = wedge
        return _worked(Farm(options, room, variants, digests, named), options)


def _digests(files):
    """Checksum of each file's content; raises WedgeError for one that is not there."""
    special = next((file for file in files if Path(file).exists() and not Path(file).is_file()), None)
    if special is not None:
        raise WedgeError(f"{special} is no file: give a .blend file")
    try:
        return {file: fingerprint.of_file(file) for file in files}
    except OSError as error:
        raise WedgeError(f"{error.filename} cannot be read ({error.strerror}): give a .blend file") from error


def _ask(count, yes):
    """Ask before more variants than a slip of the hand should begin; raises WedgeError where the answer is no."""
    if count <= arguments.MANY or yes:
        return
    if sys.stdin is not None and sys.stdin.isatty():
        answer = input(f"farm: these are {count:,} variants. Begin? [y/N] ")
        if answer.strip().lower() in ("y", "yes"):
            return
        raise WedgeError("nothing was begun")
    raise WedgeError(f"these are {count:,} variants: give --yes if that is meant, or fewer values")


def _worked(farm, options):
    """Bake what is missing; write tables and contact sheet whatever happened; returns the exit status."""
    progress = Progress(len(farm.variants), farm.statuses["done"], farm.statuses["unusable"], options.each)
    reason = ""
    try:
        for record in farm.work(progress):
            progress.end(record)
    except KeyboardInterrupt:
        reason = "interrupted"
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except run.SchedulerGone as error:
        reason = str(error)
    except run.DiskFull as error:
        reason = f"{error}; free space"
    output_folder.sweep(options.output)
    progress.show(last=True)
    rows = farm.rows()
    for sentence in tables.same(rows):
        print(f"farm: {sentence}", file=sys.stderr, flush=True)
    tables.write(options.output, rows)
    sheets = contact_sheet.write(options.output, options.wedge.axes, rows, options.numbers, options.size)
    return _summary(rows, reason, options.output, sheets)


def _summary(rows, reason, output, sheets):
    statuses = Counter(row["status"] for row in rows)
    done = statuses.pop("done", 0)
    left = ", ".join(f"{count} {status}" for status, count in statuses.items())
    if not reason and not left:
        print(f"farm: all {done} variants are done: {sheets[0]}", flush=True)
        return DONE
    again = "; the same command goes on from there" if reason or statuses.keys() - {"unusable"} else ""
    because = f"{reason}: " if reason else ""
    settled = "; what is unusable is tried again once its folder is removed" if "unusable" in statuses else ""
    print(
        f"farm: {because}{done} of {len(rows)} variants are done, {left or 'none missing'} ({output / 'table.csv'})"
        f"{again}{settled}",
        file=sys.stderr,
        flush=True,
    )
    return FAILED


def _apply(options):
    """Put a variant's settings into the artist's file; returns the exit status."""
    record = _chosen(options.folder, options.variant)
    file, words = options.file or record["file"], record["arguments"]
    check_replaceable(Path(file), BLEND)
    status = local_blender.apply(local_blender.command(options.blender), file, record["object"], words)
    if status == 0:
        print(
            f"farm: '{record['object']}' in {file} now has {' '.join(words) or 'the same settings'}",
            flush=True,
        )
    return status


def _chosen(folder, named):
    """The record of a variant by its number or its folder's name; raises WedgeError."""
    if output_folder.wedge_of(folder) is None:
        raise WedgeError(f"{folder} has no results of a farm: give the --output of one")
    for path in sorted(Path(folder).iterdir()):
        record = publishing.record_of(path)
        with contextlib.suppress(KeyError):
            if named.rstrip("/\\") == path.name or (named.isdecimal() and record["number"] == int(named)):
                return record
    raise WedgeError(f"there is no variant {named} in {folder}: contact_sheet.png shows their numbers")
