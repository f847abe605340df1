# SPDX-License-Identifier: GPL-3.0-or-later
"""One variant, from its settings to its folder: baked, reported and pictured. Knows nothing of Dask."""

import errno
import json
import os
import re
import shutil
import signal
import socket
import time
from pathlib import Path

from . import attempts, blender_process, publishing

# What a task can come to; only what failed may go better another time or elsewhere.
DONE, UNUSABLE, FAILED, FULL = "done", "unusable", "failed", "disk full"
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_PROGRESS = re.compile(r"hooke: frame -?\d+, (\d+) %")
_PICTURES = "picture.png"


def bake(spec, wanted=lambda: True, told=lambda share: None):
    """Bake a variant into its folder, unless it is there; returns its record, a dict with status and error.

    spec: dict of `Variant.spec`. wanted: whether somebody still waits, else blender_process.Unwanted is raised; told:
    called with the share of the frames that is simulated, 0 to 1.
    """
    final, work = Path(spec["output"], spec["name"]), Path(spec["work"], spec["key"])
    if publishing.is_done(final, spec["key"]):
        return publishing.record_of(final)
    made = None
    try:
        attempt = attempts.begin(work)
        made = final.with_name(f".{final.name}.{attempt.name}")
        made.mkdir(parents=True)
        record = _made(spec, made, attempt, wanted, told)
        publishing.write_record(made, record)
        record = publishing.publish(made, final)
    except (OSError, blender_process.NoBlender) as error:
        full = isinstance(error, OSError) and error.errno in _FULL
        return unmade(spec, f"{error}") | {"status": FULL if full else FAILED}
    finally:
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)
    if record["status"] in (DONE, UNUSABLE):
        attempts.end(work)
    return record


def unmade(spec, error):
    """The record of a variant of which there is nothing yet, and why."""
    names = ("key", "name", "number", "file", "object", "settings", "arguments")
    known = {name: spec[name] for name in names}
    return known | {
        "status": FAILED,
        "error": error,
        "worker": "",
        "machine": socket.gethostname(),
        "times": {},
    }


def _made(spec, folder, attempt, wanted, told):
    """Bake into a folder and picture it; returns the record."""
    record = unmade(spec, "") | {"attempts": attempts.count(attempt.parent)}
    blender = blender_process.command(spec["blender"])
    blend, report = folder / Path(spec["file"]).name, folder / "report.json"
    words = ["--object", spec["object"], *spec["arguments"], "--output", str(blend), "--report", str(report)]
    request = {
        "file": spec["input"],
        "arguments": words,
        "cache": str(attempt / "cache"),
        "fingerprint": spec["fingerprint"],
    }
    lines = []

    def read(line):
        lines.append(line)
        found = _PROGRESS.match(line)
        if found:
            told(int(found[1]) / 100)

    with open(folder / "log.txt", "w", encoding="utf-8") as log:
        began = time.perf_counter()
        status = blender_process.run(blender, "bake", request, attempt, log, wanted, read)
        record["times"]["bake"] = round(time.perf_counter() - began, 3)
        if status != 0:
            return record | _failure(status, lines)
        figures = _relative(report, folder)
        record |= {"status": DONE, "error": "", "report": figures}
        began = time.perf_counter()
        problem = _picture(spec, figures, blend, attempt, log, wanted)
        record["times"]["picture"] = round(time.perf_counter() - began, 3)
    return record | {"picture": "" if problem else _PICTURES, "picture_error": problem}


def _failure(status, lines):
    """Status and sentence of a bake that ended with an exit status other than 0."""
    said = [line for line in lines if line.startswith("hooke: ")] or [line for line in lines if line.strip()]
    sentence = said[-1].removeprefix("hooke: ") if said else f"it ended with status {status} and said nothing"
    if status < 0:
        sentence = (
            f"it was ended by {signal.Signals(-status).name}: if that was for want of memory, give --memory what a "
            "bake takes, for fewer at a time"
        )
    if any(os.strerror(number) in sentence for number in _FULL):
        return {"status": FULL, "error": sentence}
    return {"status": UNUSABLE if status == 2 else FAILED, "error": sentence}


def _relative(report, folder):
    """The report of a bake, whose paths are made relative to its folder, which is to be renamed."""
    figures = json.loads(report.read_text(encoding="utf-8"))
    for name in ("output", "cache_file"):
        if figures[name] is not None:
            figures[name] = Path(figures[name]).relative_to(folder).as_posix()
    report.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return figures


def _picture(spec, figures, blend, attempt, log, wanted):
    """Render some frames side by side; returns why there are none, or ""."""
    first, last, count = figures["frame_start"], figures["frame_end"], spec["pictures"]
    frames = sorted({round(first + (last - first) * (number + 1) / count) for number in range(count)})
    if not frames:
        return "no pictures were asked for"
    picture = blend.with_name(_PICTURES)
    request = {
        "file": str(blend),
        "object": spec["object"],
        "frames": frames,
        "start": first,
        "picture": str(picture),
        "size": spec["size"],
        "threads": spec["threads"],
    }
    status = blender_process.run(
        blender_process.command(spec["blender"]), "picture", request, attempt, log, wanted
    )
    return (
        ""
        if status == 0 and picture.is_file()
        else "the picture could not be rendered: log.txt has the reason"
    )
