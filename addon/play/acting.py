# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings a session to the scene's frame: gathers the Facts, has them decided upon, and acts on the Decision."""

import sys

import bpy

from .. import cache_files, mesh_io, preflight, sections
from ..mesh_io import MeshError
from .freshness import LOOK, RESTART, TUNE, WAIT, Facts, decide
from .joined import Joined
from .lost import Damaged, Lost, Otherwise
from .object_cache import ANY, NONE
from .reading import AROUND, ENTERING
from .tuned import Tuned


def settle(session, inputs, *, live=True, begins=False, edited=False):
    """Act on the Decision about the frame of some inputs, and on another one where that fails; returns the last.

    live, edited: see Facts; begins: whether the start frame is to be simulated, not only captured.
    Raises MeshError, and what ends a simulation: SimulationDiverged, ValueError, which CacheError is.
    """
    if not edited and _index(inputs) == 0 and not inputs.where.scene.frame_subframe:
        session.read_before.clear()
        capture(session, inputs)
    found, lost, tried = None, None, frozenset()
    while True:
        facts = _facts(session, inputs, Facts(live=live, begins=begins, edited=edited, lost=lost))
        facts = facts._replace(found=found, tried=tried)
        decision = decide(facts)
        if decision.action is LOOK:
            session.cache.taken_up_at = session.cache.taken_up_at if lost is None else ANY
            found = take_up(session, inputs, facts.index)
            continue
        try:
            {TUNE: _tune, WAIT: _wait}.get(decision.action, _show)(session, inputs, facts, decision)
            return decision
        except Lost as error:
            # What was found in the cache is believed once.
            found = None if lost is None else False
            lost, tried = error, tried | {decision.action}


def capture(session, inputs):
    """Take the start from inputs of the start frame; raises MeshError and has none."""
    session.hint = session.problem = ""
    session.take.start = session.take.failure = None
    obj = inputs.where.obj
    for member in inputs.objects if isinstance(inputs, Joined) else [obj]:
        preflight.check_object(member)
    session.take.start = inputs.start = inputs.only(ENTERING)
    mesh_io.clear_positions(obj.data)


def take_up(session, inputs, index):
    """Have frames from disk if they were made from these inputs; returns whether there are such; index: see
    `Take.adopt`."""
    session.cache.stale = len(session.take) or session.cache.stale
    found = session.cache.hand_to(session.take, inputs, index)
    if found:
        session.problem = ""
    return found


def _index(inputs):
    return inputs.where.scene.frame_current - inputs.where.obj.hooke.frame_start


def _facts(session, inputs, asked):
    """The Facts, but what was tried; asked: those that are known before."""
    settings, scene, take = inputs.where.obj.hooke, inputs.where.scene, session.take
    index, last = _index(inputs), settings.frame_end - settings.frame_start
    facts = asked._replace(
        index=index,
        last=last,
        first=settings.frame_start,
        between=bool(scene.frame_subframe),
        begins=not asked.edited and _begins(inputs, index, take, asked.begins),
        count=len(take),
        tuned=session.tuned is not None,
    )
    if index < 0 and not asked.edited:
        return facts
    if facts.count:
        changed = tuple(take.changed(inputs, thorough=asked.edited or facts.begins))
        facts = facts._replace(changed=changed, stepped=() if changed else _stepped(take, inputs, facts))
    else:
        facts = facts._replace(changed=tuple(session.cache.changed))
    if facts.tuned and not facts.between:
        facts = _tuned(session, inputs, facts)
    stale = facts.count and (facts.changed or facts.stepped)
    if asked.live and not facts.between and (stale or asked.lost is not None):
        session.read_before.clear()
        gone = asked.lost is not None and not isinstance(asked.lost, Otherwise)
        facts = facts._replace(goes_on=session.seen.goes_on(inputs, min(index, last), take, gone))
    return facts


def _begins(inputs, index, take, begins):
    if index == 0:
        return begins or sections.starts_elsewhere(inputs.where.obj)
    return index == 1 and take.start is not None and inputs.names(ENTERING) <= take.start.names(ENTERING)


def _stepped(take, inputs, facts):
    """What a kept frame was given and is other now."""
    if facts.between or not 0 < facts.index < facts.count:
        return ()
    if not facts.edited:
        return tuple(take.stepped(facts.index, inputs))
    try:
        return tuple(take.entered(facts.index, inputs))
    except MeshError:
        # It is not evaluated just now; should it stay so, the next frame says why.
        return ()


def _tuned(session, inputs, facts):
    """Facts with whether tuned frames reach to this one, and were made from what was read."""
    index = min(facts.index, facts.last)
    follows = index > 1 and index - session.tuned.index in (0, 1) and not isinstance(inputs, Joined)
    fits = follows and session.tuned.fits(inputs)
    inputs.start = session.take.start
    if not fits:
        # What was read of the mesh may be of vertex groups that other settings named.
        session.read_before.clear()
    return facts._replace(tuned=follows, fits=fits)


def _show(session, inputs, facts, decision):
    """KEEP, STEP or RESTART."""
    obj, take, index = inputs.where.obj, session.take, decision.index
    session.tuned = None
    if facts.edited:
        return
    if facts.between or index < 0:
        place = index + inputs.where.scene.frame_subframe
        if place < 0:
            mesh_io.clear_positions(obj.data)
        elif len(take):
            mesh_io.write_positions(obj.data, session.shown.at(place))
        return
    moved = sections.starts_elsewhere(obj)
    if decision.action is RESTART:
        session.forget()
        take.begin(inputs, moved)
    session.hint = ""
    if facts.index == 0 and not moved:
        if facts.begins:
            # Damaged or not, it is about to be read.
            take.kept(0)
        positions = inputs["pose"]
    else:
        positions = _frame(session, inputs, index)
        mesh_io.write_positions(obj.data, session.shown.eased(index, positions))
    if facts.live:
        session.seen.note(inputs, index, positions)


def _frame(session, inputs, index):
    """Positions of a frame of the take; where it cannot be simulated the last one is shown, and that is raised."""
    obj, take = inputs.where.obj, session.take
    cache_files.bound(take.frames)
    reason, simulates = take.memory_reason, index == len(take)
    try:
        if simulates:
            mesh_io.check_scale(obj, inputs["matrix"], inputs.where.scene.frame_current)
        positions = take.frame(index, inputs)
    except Lost:
        raise
    except Exception:
        if simulates:
            mesh_io.write_positions(obj.data, session.shown.at(len(take) - 1))
        raise
    if take.memory_reason != reason and bpy.app.background:
        told = f"'{obj.name}' is kept in memory from frame {obj.hooke.frame_start + index} on"
        print(f"hooke: {told}: {take.memory_reason}", file=sys.stderr, flush=True)
    return positions


def _tune(session, inputs, facts, _decision):
    obj, take = inputs.where.obj, session.take
    if facts.between:
        return
    if not facts.tuned:
        _let_go(session, facts)
        why, short = facts.lost, ""
        if why is None:
            edit = take.otherwise(inputs, inputs.values(AROUND))
            short = edit.short if edit is not None else ""
        elif not isinstance(why, Otherwise):
            why, short = None, "The cached frames are gone"
        present = session.seen.present(inputs, take)
        session.tuned = Tuned(session.seen.place, why, short, take.start, present)
    if len(take) or not facts.tuned:
        session.forget()
    # After the range's end the newest one stays.
    if facts.edited or min(facts.index, facts.last) == session.tuned.index:
        return
    positions = session.tuned.step(inputs)
    session.hint = session.problem = ""
    mesh_io.write_positions(obj.data, positions)
    session.seen.note(inputs, facts.index, positions)


def _wait(session, inputs, facts, decision):
    session.tuned = None
    if decision.index:
        session.hint = "" if session.problem else decision.reason
        mesh_io.write_positions(inputs.where.obj.data, session.shown.at(decision.index - 1))
        return
    _let_go(session, facts)
    if decision.ends:
        session.forget()
        session.problem = decision.reason
    elif len(session.take) or facts.lost is not None:
        session.forget(decision.reason)
    else:
        # What kept it from starting is worth more than that it did not start.
        session.hint = "" if session.problem else decision.reason


def _let_go(session, facts):
    """Take the frames up no more, or only at the frame where they were found to be stale."""
    session.cache.changed = list(facts.changed or facts.stepped)
    if isinstance(facts.lost, Damaged):
        session.cache.reject()
    elif facts.lost is not None and not isinstance(facts.lost, Otherwise):
        session.cache.taken_up_at = NONE
    elif facts.stepped:
        session.cache.taken_up_at = facts.index
