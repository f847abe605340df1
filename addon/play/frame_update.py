# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings a session to the scene's frame: gathers the Facts, has them decided upon, and acts on the Decision."""

from contextlib import suppress

import bpy

from .. import cache_files, mesh_io, preflight, sections
from ..console import warn
from ..mesh_io import MeshError
from . import attributes
from .frame_errors import FrameError, OtherSurroundings
from .freshness import LOOK, RESTART, TUNE, WAIT, Facts, decide
from .joint_inputs import Joined
from .lazy_values import AROUND, ENTERING, SCENE
from .object_cache import ANY
from .tuned_simulation import Tuned


def settle(session, inputs, live=True, begins=False, edited=False):
    """Act on the Decision about the frame of some inputs, and on another one where that fails; returns the last.

    live, edited: see Facts; begins: whether the start frame is to be simulated, not only captured.
    Raises MeshError, and what ends a simulation: SimulationDiverged, ValueError, which CacheError is.
    """
    settings, scene = inputs.where.obj.hooke, inputs.where.scene
    first, between = settings.frame_start, bool(scene.frame_subframe)
    index = scene.frame_current - first
    if index == 0 and not (edited or between):
        capture(session, inputs)
    begins = not edited and _begins(session, inputs, index, begins)
    if index:
        session.at_start = None
    facts = Facts(index, settings.frame_end - first, between, edited, live, begins, first=first)
    while True:
        facts = _gathered(session, inputs, facts)
        decision = decide(facts)
        if decision.action is LOOK:
            facts = facts._replace(found=take_up(session, inputs, index, again=facts.lost is not None))
            continue
        try:
            {TUNE: _tune, WAIT: _wait}.get(decision.action, _show)(session, inputs, facts, decision)
            _compared(session, facts)
            return decision
        except FrameError as error:
            # Frames found in the cache are checked once.
            found, lost = None if facts.lost is None else False, _explained(error, inputs)
            facts = facts._replace(found=found, lost=lost, tried=facts.tried | {decision.action})


def _compared(session, facts):
    """Ask no more for what was edited, unless the frame is beyond the kept ones or between two, or these are stale."""
    count = len(session.take)
    within = not facts.between and 0 <= facts.place <= count and not facts.changed
    if within or not count:
        session.edited = session.moved = False
    if within and facts.place == session.take.sure and not facts.stepped:
        session.take.sure += 1


def capture(session, inputs):
    """Take the start from inputs of the start frame; raises MeshError and has none."""
    session.read_before.clear()
    session.hint = session.problem = ""
    session.take.start = session.take.failure = session.at_start = None
    obj = inputs.where.obj
    for member in inputs.objects if isinstance(inputs, Joined) else [obj]:
        preflight.check_object(member)
    session.take.start = inputs.start = inputs.only(ENTERING)
    # Objects that moved before are at their new places. Edited ones may still differ from the frames' inputs.
    session.at_start, session.moved = _of_the_mesh(inputs), False
    mesh_io.clear_positions(obj.data)


def take_up(session, inputs, index, again=False):
    """Have frames from disk if they were made from these inputs; returns whether there are such.

    index: see `Take.adopt`; again: whether to look though that was in vain before.
    """
    cache = session.cache
    cache.stale = len(session.take) or cache.stale
    cache.taken_up_at = ANY if again else cache.taken_up_at
    found = cache.hand_to(session.take, inputs, index)
    session.problem = "" if found else session.problem
    return found


def _of_the_mesh(inputs):
    """Checksums of the meshes' arrays in every frame."""
    return {
        name: sum_ for name, sum_ in inputs.checksums(SCENE).items() if name.endswith(("counts", "points"))
    }


def _begins(session, inputs, index, begins):
    """Whether the simulation can begin here: at the start frame, or right after it was shown.

    What was edited in between was not seen there: it is another start unless all is where it was.
    """
    if index == 0:
        return begins or sections.starts_elsewhere(inputs.where.obj)
    if index != 1 or session.at_start is None or session.at_start != _of_the_mesh(inputs):
        return False
    start = session.take.start
    return inputs.names(ENTERING) <= start.names(ENTERING) and not (
        session.moved and inputs.changed(ENTERING, start.checksums(ENTERING))
    )


def _explained(lost, inputs):
    """The same, and why it is so, where what is gone is still there and its section knows why it does not act."""
    if not (isinstance(lost, OtherSurroundings) and lost.gone):
        return lost
    told = [sentence for sentence in sections.findings(inputs.where)[1] if sentence.startswith(lost.gone)]
    if not told:
        return lost
    what, _, why = told[0].partition(": ")
    frame = inputs.where.scene.frame_current
    return OtherSurroundings(f"{what} from frame {frame} on", f"{why}; {lost.remedy}", what, lost.gone)


def _gathered(session, inputs, facts):
    """Facts about the kept frames, compared with the inputs that were read."""
    take, tuned, count = session.take, session.tuned, len(session.take)
    within, changed = min(facts.place, facts.last), session.cache.changed
    stepped: list[str] = []
    follows, fits, goes_on = tuned is not None, False, False
    if count and (facts.place >= 0 or facts.edited):
        anew = facts.edited or session.edited
        changed = take.changed(inputs, thorough=anew or facts.begins)
        if 0 < facts.place < min(count, facts.last + 1) and not (changed or facts.between):
            # Objects that are not evaluated yet are reported at the next frame, if they still are not.
            with suppress(*[MeshError] * facts.edited):
                stepped = [] if facts.edited else take.stepped(facts.place, inputs)
                stepped = list(dict.fromkeys(stepped + (take.entered(facts.place, inputs) if anew else [])))
            if count > facts.place == take.sure and not (stepped or facts.edited):
                # Compared with all that enters it, it is true, whatever the keys of other frames are.
                stepped = take.entered(facts.place, inputs)
        elif session.moved and facts.place == count and not (changed or facts.between):
            # The frame before was not seen with what was edited: it is as it was where nothing moved since.
            stepped = take.entered(count - 1, inputs)
    if follows and not facts.between:
        follows = within > 1 and within - tuned.index in (0, 1) and not isinstance(inputs, Joined)
        fits = follows and tuned.fits(inputs)
        inputs.start = take.start
    stale = facts.lost is not None or (count and (changed or stepped))
    if stale or (follows and not fits):
        # The mesh may have been read for vertex groups that other settings named.
        session.read_before.clear()
    unsure = take.sure is not None and facts.place == count > take.sure
    if (stale or unsure) and facts.live and not facts.between:
        goes_on = session.last_shown.goes_on(inputs, within, take, facts.lost)
    return facts._replace(
        kept=len(take),
        changed=(*changed,),
        stepped=(*stepped,),
        sure=take.sure,
        goes_on=goes_on,
        tuned=follows,
        fits=fits,
    )


def _show(session, inputs, facts, decision):
    """KEEP, STEP or RESTART."""
    obj, take = inputs.where.obj, session.take
    session.tuned = None
    if facts.edited:
        session.hint = decision.reason or session.hint
        return
    if facts.between or facts.place < 0:
        session.show_kept(obj, inputs.where.scene)
        return
    moved = sections.starts_elsewhere(obj)
    if decision.action is RESTART:
        session.forget()
        take.begin(inputs, moved)
    session.hint = ""
    positions = _frame(session, inputs, decision.place) if facts.place or facts.begins else inputs["pose"]
    if facts.place or moved:
        torn = session.displayed.torn(decision.place, len(obj.data.polygons))
        attributes.put(session, obj, session.displayed.eased(decision.place, positions), torn)
    else:
        attributes.store(session, obj, positions)
    if facts.live:
        session.last_shown.note(inputs, decision.place, positions)


def _frame(session, inputs, index):
    """Positions of a frame of the take; where it cannot be simulated the last one is shown, and that is raised."""
    obj, take = inputs.where.obj, session.take
    cache_files.bound(take.frames)
    reason, newest = take.memory_reason, len(take) - 1
    try:
        if index > newest:
            mesh_io.check_scale(obj, inputs["matrix"], inputs.where.scene.frame_current)
        positions = take.frame(index, inputs)
    except Exception as error:
        if index > newest and not isinstance(error, FrameError):
            torn = session.displayed.torn(newest, len(obj.data.polygons))
            attributes.put(session, obj, session.displayed.at(newest), torn)
        raise
    if take.memory_reason != reason and bpy.app.background:
        told = f"'{obj.name}' is kept in memory from frame {obj.hooke.frame_start + index} on"
        warn(f"hooke: {told}: {take.memory_reason}")
    return positions


def _tune(session, inputs, facts, _decision):
    take, why = session.take, facts.lost
    if facts.between:
        return
    if not facts.tuned:
        _let_go(session, facts)
        edit = _explained(take.otherwise(inputs, inputs.values(AROUND)), inputs) if why is None else None
        short = edit.short if edit is not None else ""
        if why is not None and not isinstance(why, OtherSurroundings):
            why, short = None, "The cached frames are gone"
        present = session.last_shown.present(inputs, take)
        session.tuned = Tuned(session.last_shown.place, why, short, take.start, present)
    if len(take):
        session.forget()
    # After the range's end the newest one stays.
    if not facts.edited and min(facts.place, facts.last) > session.tuned.index:
        positions = session.tuned.step(inputs)
        session.hint = session.problem = ""
        obj = inputs.where.obj
        attributes.put(session, obj, positions, session.tuned.torn(len(obj.data.polygons)))
        session.last_shown.note(inputs, facts.place, positions)


def _wait(session, inputs, facts, decision):
    session.tuned = None
    if decision.place:
        obj, last = inputs.where.obj, decision.place - 1
        torn = session.displayed.torn(last, len(obj.data.polygons))
        attributes.put(session, obj, session.displayed.at(last), torn)
    else:
        _let_go(session, facts)
        if len(session.take) or facts.lost is not None:
            session.forget()
    if decision.ends:
        session.problem = decision.reason
    # The reason that it did not start says more than the fact.
    session.hint = "" if session.problem else decision.reason


def _let_go(session, facts):
    """Take the frames up no more, or only at the frame where they were found to be stale."""
    session.cache.changed = [*(facts.changed or facts.stepped)]
    if facts.lost is not None and not isinstance(facts.lost, OtherSurroundings):
        session.cache.reject()
    elif facts.stepped or facts.lost is not None:
        session.cache.taken_up_at = facts.place
