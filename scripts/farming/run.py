# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands the variants of a wedge to Dask's scheduler and takes their results in."""

import contextlib
import io
import logging
import os
import queue
import secrets
import shutil
import time
import zipfile
from pathlib import Path

import dask
import distributed
from dask.system import CPU_COUNT
from distributed.system import MEMORY_LIMIT

from . import publishing, task
from .on_worker import TOPIC, Shipment, bake_task, clean

# A worker that dies takes no bake's blame: those that end their bake by want of memory end Blender, not the worker.
_ALLOWED_DEATHS = 50
# What calls to a scheduler raise that is gone or about to go.
_GONE = (OSError, distributed.CancelledError, distributed.TimeoutError, RuntimeError, ValueError)
# Ctrl-C in the terminal reaches the workers too, but is for the farm, which then ends them.
_DEAF = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
# Results that are taken in at once.
_AT_ONCE = 100
# How long to wait for a scheduler to answer.
CONNECT = "10s"
# How long a worker of this machine may take to come back before another is started in its place, and how often to look
# for such [s]; how often to try to start all of them.
_LOST, _LOOK, _STARTS = "60s", 5.0, 3


class SchedulerGone(Exception):
    """There is no scheduler, or no longer; the message says which and what to do."""


class DiskFull(Exception):
    """There is no space for results; the message says where."""


def local_size(memory, most):
    """Number of bakes at a time that this machine's cores and memory have room for, at least 1.

    memory: what a bake takes [bytes]; most: number of bakes there are.
    """
    return max(1, min(CPU_COUNT, int(MEMORY_LIMIT // memory), most))


@contextlib.contextmanager
def connected(address, workers):
    """A Client of the scheduler at an address, or where that is None of a cluster on this machine.

    Raises SchedulerGone.
    """
    _silence()
    with dask.config.set(
        {
            "distributed.scheduler.allowed-failures": _ALLOWED_DEATHS,
            "distributed.nanny.pre-spawn-environ": {"OMP_NUM_THREADS": max(1, CPU_COUNT // workers)},
            "distributed.deploy.lost-worker-timeout": _LOST,
            "distributed.worker.preload": [_DEAF],
        }
    ):
        if address is None:
            with (
                _local_cluster(workers) as cluster,
                distributed.Client(cluster, set_as_default=False) as client,
            ):
                yield client
            return
        try:
            client = distributed.Client(address, timeout=CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise SchedulerGone(
                f"there is no Dask scheduler at {address}: start one with `dask scheduler`, or leave --scheduler out "
                "for a farm on this machine"
            ) from error
        with client:
            yield client


def _silence():
    """Let the farm's own sentences be all there is: Dask tells every lost connection at length."""
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _local_cluster(workers):
    """A LocalCluster; raises SchedulerGone where its workers are killed whenever they start."""
    reason: Exception | None = None
    for _ in range(_STARTS):
        try:
            return distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                memory_limit=0,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
        except RuntimeError as error:
            reason = error
    raise SchedulerGone(
        f"this machine's workers end as soon as they start ({reason}): try fewer --workers"
    ) from reason


def _replace_lost(client):
    """Start workers of this machine again whose guardians died or gave up."""
    cluster = client.cluster
    if cluster is not None and len(cluster.workers) < len(cluster.worker_spec):
        cluster.scale(len(cluster.worker_spec))


@contextlib.contextmanager
def shipped(client, farm, tools, archive, files):
    """Have the workers of a running cluster, also those to come, hold files that they may not see otherwise."""
    name = f"hooke-farm-{farm}"
    client.register_plugin(Shipment(farm, tools, archive, files), name=name)
    finished = False
    try:
        yield
        finished = True
    finally:
        # Workers that are gone have nothing to be cleaned.
        with contextlib.suppress(*_GONE):
            client.unregister_worker_plugin(name)
            if finished:
                client.run(clean, farm, on_error="ignore")


def results(client, specs, output, retries, told):
    """Generator of the records of variants, in the order they come, each published in its folder.

    specs: by number; told: called with number and share of the variants at work, and with None several times a
    second. What fails is tried again, elsewhere if there is an elsewhere. Raises SchedulerGone, DiskFull; close it to
    cancel the rest.
    """
    finished: queue.SimpleQueue = queue.SimpleQueue()
    client.subscribe_topic(TOPIC, lambda event: finished.put(event[1]))
    tries: dict[int, int] = dict.fromkeys(specs, 1)
    futures: dict[int, distributed.Future] = {}
    token, looked = secrets.token_hex(4), time.monotonic()

    def submit(numbers, **where):
        keys = [f"bake-{token}-{number}-{tries[number]}" for number in numbers]
        made = client.map(
            bake_task, [specs[n] for n in numbers], key=keys, pure=False, batch_size=2000, **where
        )
        for number, future in zip(numbers, made, strict=True):
            futures[number] = future
            future.add_done_callback(lambda future, number=number: finished.put((number, future)))

    try:
        submit(list(specs))
        while futures:
            events = _next(finished)
            for share in (event for event in events if isinstance(event, dict)):
                if share["number"] in futures:
                    told(share["number"], share["share"])
            told(None, 0.0)
            if time.monotonic() - looked > _LOOK:
                looked = time.monotonic()
                _replace_lost(client)
            ended = [
                event for event in events if isinstance(event, tuple) and futures.get(event[0]) is event[1]
            ]
            for number, record in _records(client, specs, dict(ended), output):
                del futures[number]
                if record["status"] in (task.FAILED, task.FULL) and tries[number] <= retries:
                    tries[number] += 1
                    submit([number], **_elsewhere(client, record.get("worker")))
                else:
                    yield record
    finally:
        with contextlib.suppress(*_GONE):
            client.cancel(list(futures.values()), force=True)
            client.unsubscribe_topic(TOPIC)


def _next(finished):
    """What came since the last time, a list; waits a little where that is nothing."""
    events = []
    try:
        events.append(finished.get(timeout=0.25))
        while len(events) < _AT_ONCE:
            events.append(finished.get_nowait())
    except queue.Empty:
        pass
    return events


def _records(client, specs, futures, output):
    """Generator of what became of futures, by number: (number, record)."""
    if any(future.status in ("cancelled", "lost") for future in futures.values()):
        raise SchedulerGone("the scheduler is gone")
    well = [number for number, future in futures.items() if future.status == "finished"]
    try:
        # One question for all of them: asking for each takes longer than all else.
        gathered = dict(zip(well, client.gather([futures[number] for number in well]), strict=True))
    except (distributed.CancelledError, distributed.TimeoutError, OSError):
        gathered = {}
    for number, future in futures.items():
        record = gathered.pop(number, None) or _record(client, specs[number], future)
        if "folder" in record:
            record = _received(record, output) | {"worker": record["worker"]}
        if record["status"] == task.FULL and record.pop("shared", False):
            raise DiskFull(record["error"])
        yield number, record


def _record(client, spec, future):
    """What became of a future that has to be asked for alone."""
    try:
        return future.result()
    except (distributed.CancelledError, distributed.TimeoutError, OSError) as error:
        if client.status != "running":
            raise SchedulerGone("the scheduler is gone") from error
        return task.unmade(spec, f"{error}")
    except Exception as error:
        # Whatever a worker may raise: it is this variant's alone.
        return task.unmade(spec, f"{type(error).__name__}: {error}")


def _received(record, output):
    """Publish a folder that came as the bytes of a zip file; returns its record."""
    final = Path(output, record["name"])
    made = final.with_name(f".{final.name}.{secrets.token_hex(4)}")
    try:
        with zipfile.ZipFile(io.BytesIO(record["folder"])) as archive:
            archive.extractall(made)
        return publishing.publish(made, final)
    except OSError as error:
        raise DiskFull(f"{final} cannot be written ({os.strerror(error.errno or 0)})") from error
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _elsewhere(client, worker):
    """Where to try again what failed on a worker: on others, if there are any."""
    others = [address for address in client.scheduler_info(n_workers=-1)["workers"] if address != worker]
    return {"workers": others, "allow_other_workers": True} if others else {}
