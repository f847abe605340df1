# SPDX-License-Identifier: GPL-3.0-or-later
"""Decides whether a frame is kept, stepped, tuned, simulated anew from the start, or waited for.

`decide` alone takes this decision. It knows nothing of Blender, meshes and files: a session gathers the Facts, and
carries the Decision out.
"""

from enum import Enum, auto
from typing import NamedTuple

from .frame_errors import FrameError, OtherSurroundings, Unresumable
from .lazy_values import told

_MOVES = "What moves it changed"


class Action(Enum):
    """How a frame is shown.

    KEEP: the present frame stays. STEP: the next frame of the simulation. TUNE: a frame that continues from the shown
    one with the changed inputs, and is not kept. RESTART: a simulation from the start frame. WAIT: nothing, until
    another frame is shown. LOOK: nothing yet; the cache on disk is looked at first.
    """

    KEEP = auto()
    STEP = auto()
    TUNE = auto()
    RESTART = auto()
    WAIT = auto()
    LOOK = auto()


KEEP, STEP, TUNE, RESTART, WAIT, LOOK = Action


class Facts(NamedTuple):
    """The inputs of a frame compared with the kept frames. Places are counted from the start frame.

    place: of the frame; last: of the last one of the range; between: whether it lies after that frame, on a subframe.
    edited: whether an edit happened while the frame is shown; otherwise the frame was just changed.
    live: whether frames may be tuned, never in bakes and renders.
    begins: whether the simulation can begin here, at the start frame or with the step after it.

    kept: number of frames kept; changed: inputs that differ from those of the kept frames, or of those found on disk,
    in words; stepped: inputs of this step that differ from those of this frame; for the next one, from those of the
    newest.
    sure: how many of the kept frames are known to follow from the present keys, None for all.
    goes_on: whether the shown frame is this one or the one before, and can be continued; tuned: whether tuned frames
    reach that far; fits: whether the newest of these was made from the present inputs.
    found: whether the cache on disk has frames made from the present inputs, None before it was looked at.

    lost: why a frame could not be had as first decided; tried: the Actions that ended so.
    first: number of the start frame, for people.
    """

    place: int = 0
    last: int = 250
    between: bool = False
    edited: bool = False
    live: bool = True
    begins: bool = False
    kept: int = 0
    changed: tuple[str, ...] = ()
    stepped: tuple[str, ...] = ()
    sure: int | None = None
    goes_on: bool = False
    tuned: bool = False
    fits: bool = False
    found: bool | None = None
    lost: FrameError | None = None
    tried: frozenset[Action] = frozenset()
    first: int = 1

    @property
    def fresh(self):
        """Whether there are frames, and they were made from the inputs that were read."""
        return self.kept > 0 and not self.changed

    @property
    def unsure(self):
        """Whether any of the kept frames may follow from other keys than there are."""
        return self.sure is not None and self.sure < self.kept

    @property
    def within(self):
        """The place, or that of the range's end, which is shown after it."""
        return max(0, min(self.place, self.last))

    @property
    def furthest(self):
        """The place of the last frame that is shown: of two that are shown in between, the later one's."""
        return max(0, min(self.place + self.between, self.last, self.kept - 1))

    @property
    def tunes(self):
        """Whether a tuned frame is to be had."""
        return self.live and self.goes_on and TUNE not in self.tried


class Decision(NamedTuple):
    """An Action, and the place of the frame that is kept, made or waited for.

    why: what keeps it from being another one, a sentence, or ""; remedy: what to do, or ""; ends: whether the
    simulation ends here, since the start frame would lead here again.
    """

    action: Action
    place: int
    why: str = ""
    remedy: str = ""
    ends: bool = False

    @property
    def reason(self):
        """Both in one sentence."""
        return f"{self.why}: {self.remedy}" if self.why and self.remedy else self.why


def decide(facts):
    """The Decision about a frame."""
    if facts.lost is not None:
        return _after_loss(facts)
    if facts.edited:
        return _after_edit(facts)
    if facts.between:
        return _between(facts)
    if facts.place < 1 and not facts.begins:
        # Up to the start frame the object's own pose is shown; there people ask which frames are cached.
        looks = facts.place == 0 and not facts.kept and facts.found is None
        return Decision(LOOK if looks else KEEP, facts.place)
    if facts.tuned and not (facts.fresh and facts.place <= facts.kept):
        return Decision(LOOK if facts.found is None and not facts.fits else TUNE, facts.place)
    if facts.fresh and not (facts.begins and facts.stepped):
        return _among_frames(facts)
    if facts.kept and facts.place > 1 and facts.tunes:
        return Decision(TUNE, facts.place, _why(facts))
    if facts.found is None:
        return Decision(LOOK, facts.place)
    # From the start on there is nothing to wait for.
    return _restart(facts) if facts.begins else _wait(facts)


def _among_frames(facts):
    newest, place, past = facts.kept - 1, facts.within, facts.place > facts.within
    # The frame itself is compared; where another is shown or gone on from, that was to be before.
    needed = place if place <= newest and not past else min(place, newest) + 1
    if facts.unsure and needed > facts.sure and not facts.stepped:
        goes_on = facts.tunes and facts.place == facts.kept
        return Decision(TUNE, place, _MOVES) if goes_on else _look_again(facts)
    if place > facts.kept or (past and place > newest):
        shown = f"Shows frame {facts.first + newest}, the last one simulated"
        return Decision(WAIT, facts.kept, shown, "play on from there")
    if not facts.stepped:
        return Decision(KEEP if place < facts.kept else STEP, place)
    return Decision(TUNE, facts.place, _why(facts)) if facts.tunes else _wait(facts)


def _look_again(facts):
    """Wait for the first frame that other keys than those it was made from may have changed."""
    return Decision(WAIT, max(1, facts.sure), _MOVES, f"go to frame {facts.first + facts.sure}, and play")


def _between(facts):
    """On a subframe nothing is simulated."""
    if facts.fresh and not facts.tuned and facts.unsure and facts.furthest >= facts.sure:
        return _look_again(facts)
    stale = facts.kept and facts.changed and not facts.tuned
    return _wait(facts) if stale else Decision(TUNE if facts.tuned else KEEP, facts.place)


def _after_edit(facts):
    """An edit keeps the shown frame, and the status says what happens next."""
    if facts.between or not (facts.changed or facts.stepped):
        again = _look_again(facts) if facts.unsure and facts.furthest >= facts.sure else None
        return Decision(KEEP, facts.place, *(again[2:4] if again else ()))
    if facts.tunes:
        return Decision(TUNE, facts.place, _why(facts))
    # At the start frame there is nothing to wait for.
    return _wait(facts) if facts.place else Decision(WAIT, 0)


def _after_loss(facts):
    """A kept frame cannot be read, or the simulation cannot go on from there."""
    if not facts.between and not isinstance(facts.lost, OtherSurroundings):
        if facts.live and facts.begins and RESTART not in facts.tried:
            return _restart(facts)
        # Another Blender may be writing the cache, and by now have what it lacks.
        if facts.found is None and (facts.live or isinstance(facts.lost, Unresumable)):
            return Decision(LOOK, facts.place)
        if facts.found and facts.fresh and not facts.stepped and facts.place <= facts.kept:
            return _among_frames(facts)
    return Decision(TUNE, facts.place, _why(facts)) if facts.tunes else _wait(facts)


def _restart(facts):
    return Decision(RESTART, facts.within, _why(facts))


def _wait(facts):
    """Wait for the start frame."""
    if isinstance(facts.lost, OtherSurroundings):
        return Decision(WAIT, 0, f"{facts.lost}", facts.lost.remedy, ends=True)
    why = _why(facts) or "Nothing is simulated up to here"
    return Decision(WAIT, 0, why, f"go to frame {facts.first}, and play")


def _why(facts):
    """What keeps the frames from being of use, a sentence, or "" where there are none."""
    if facts.lost is not None:
        return f"{facts.lost}"
    words = facts.changed or facts.stepped
    return told(words) if words else ""
