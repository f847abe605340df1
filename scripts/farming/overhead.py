# SPDX-License-Identifier: GPL-3.0-or-later
"""What the farm itself takes for a task: handed out and taken in, with nothing left to bake."""

import json
import tempfile
import time
from pathlib import Path

from dask.sizeof import sizeof
from distributed.protocol.pickle import dumps

from . import publishing, run, tools
from .on_worker import bake_task
from .wedge import Axis, Wedge


def measure(count, workers, scheduler):
    """Send so many variants that are done already through a cluster; returns figures by name."""
    axis = Axis(
        "number",
        tuple(str(number) for number in range(count)),
        tuple((f"--number={n}",) for n in range(count)),
    )
    wedge = Wedge((__file__,), ("Cloth",), (axis,), ("--frames=1-250",))
    with tempfile.TemporaryDirectory() as name:
        room = Path(name, ".farm")
        tools.unpack(tools.packed(), room / "tools")
        places = {"room": str(room), "tools": str(room / "tools"), "input": __file__}
        places |= {"output": name, "work": str(room / "work")}
        specs = {}
        for variant in wedge.variants({__file__: ""}):
            specs[variant.number] = _spec(variant, places)
            folder = Path(name, variant.name)
            folder.mkdir()
            record = {**specs[variant.number], "status": "done", "times": {}}
            (folder / publishing.RECORD).write_text(json.dumps(record), encoding="utf-8")
        with run.connected(scheduler, workers) as client:
            began, processor = time.perf_counter(), time.process_time()
            taken_in = sum(1 for _ in run.results(client, specs, name, 0, lambda number, share: None))
            seconds, processor = time.perf_counter() - began, time.process_time() - processor
        message = len(dumps((bake_task, specs[1])))
        return {
            "tasks": taken_in,
            "workers": workers,
            "seconds": seconds,
            "ms_per_task": 1e3 * seconds / count,
            "processor_ms_per_task": 1e3 * processor / count,
            "tasks_per_second": count / seconds,
            "bytes_per_task_sent": message,
            "spec_bytes": sizeof(specs[1]),
        }


def _spec(variant, places):
    known = {name: getattr(variant, name) for name in ("number", "name", "key", "file", "object", "settings")}
    rest = {"arguments": list(variant.words), "shared": places, "farm": "measure", "tools": "", "shipped": ""}
    rest |= {"fingerprint": "0.1.0-0123456789abcdef", "blender": "python3", "pictures": 3, "size": [200, 200]}
    return known | rest | {"threads": 1}
