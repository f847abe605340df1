# SPDX-License-Identifier: GPL-3.0-or-later
"""A window of a Blender application, clicked with xdotool and asked what became of it.

Places are pixels from a region's upper left corner, at a resolution scale of 1.
"""

import itertools
import json
import os
import shutil
import subprocess
import textwrap
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from waiting import HANGS

WIDTH, HEIGHT = 1600, 900
# After each step the pointer rests for so long [s], and until Blender has answered twice: it may be drawing.
REST = 0.1
DRAGGED_IN = 10
# Of the play button, in the timeline's header, by Blender's major version.
PLAY = {4: (680, 13), 5: (619, 13)}

MISSING = [tool for tool in ("xdotool", "import") if shutil.which(tool) is None]
NEEDS_A_SCREEN = [
    pytest.mark.skipif(not os.environ.get("DISPLAY"), reason="there is no screen (DISPLAY)"),
    pytest.mark.skipif(bool(MISSING), reason=f"{' and '.join(MISSING)} not on this machine"),
]

REGION = """
area = max(
    (area for area in bpy.context.window_manager.windows[0].screen.areas if area.type == {area!r}),
    key=lambda area: area.width * area.height,
)
region = next(region for region in area.regions if region.type == {region!r})
"""


class Window:
    """A window with a new file; closed when it is left."""

    def __init__(self, application, folder):
        self._folder, self._numbers = folder, itertools.count(1)
        script = Path(__file__).with_name("drive_window.py")
        geometry = ["--window-geometry", "0", "0", str(WIDTH), str(HEIGHT)]
        # Whatever it prints would fill a pipe that nobody reads.
        self._printed = (folder / "printed.txt").open("w", encoding="utf-8")
        self._process = subprocess.Popen(
            [*application.command, *geometry, "--python", str(script), "--", str(folder)],
            env=application.environment,
            stdout=self._printed,
            stderr=subprocess.STDOUT,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_raised):
        if self._process.poll() is None:
            try:
                self.tell(
                    "bpy.app.timers.register(lambda: bpy.ops.wm.quit_blender() and None, first_interval=0.2)"
                )
                self._process.wait(HANGS)
            finally:
                self._process.kill()
        self._printed.close()

    def ask(self, expression):
        """The value of an expression within Blender, after what precedes its last line was run."""
        *before, last = textwrap.dedent(expression).strip().splitlines()
        return self.tell("\n".join([*before, f"answer = {last}"]))

    def tell(self, source):
        """Run Python within Blender; returns what it leaves in the name `answer`."""
        asked = self._folder / f"{next(self._numbers):05d}.asked"
        part = asked.with_suffix(".writing")
        part.write_text(source, encoding="utf-8")
        part.rename(asked)
        answered = asked.with_suffix(".json")
        self._wait_for(answered.exists, f"no answer to\n{source}")
        told = json.loads(answered.read_text(encoding="utf-8"))
        answered.unlink()
        assert "error" not in told, told["error"]
        return told["answer"]

    def until(self, expression):
        """Wait until an expression within Blender is true."""
        try:
            self._wait_for(lambda: self.ask(expression), f"never came true: {expression}")
        except AssertionError:
            self.picture(self._folder / "failed.png")
            print(f"what the window showed: {self._folder / 'failed.png'}")
            raise

    def _wait_for(self, happened, what):
        began = time.monotonic()
        while not happened():
            if self._process.poll() is not None:
                printed = Path(self._printed.name).read_text(encoding="utf-8", errors="replace")
                raise AssertionError(f"Blender ended: {printed}")
            assert time.monotonic() - began < HANGS, what
            time.sleep(0.03)

    def redraw(self):
        """Let Blender draw everything again."""
        self.tell("for area in bpy.context.window_manager.windows[0].screen.areas:\n    area.tag_redraw()")
        self._settle()

    def upper_left(self, area, region):
        """A region's upper left corner on the screen, as screens are measured: from the top. Blender's are not."""
        where = REGION.format(area=area, region=region) + "\nwindow = bpy.context.window_manager.windows[0]"
        left, top = self.ask(f"{where}\n(window.x + region.x, window.y + region.y + region.height)")
        return left, screen_size()[1] - top

    def click(self, area, region, place):
        """Click a place of a region."""
        self._move(area, region, place)
        _xdotool("mousedown", "1")
        self._settle()
        _xdotool("mouseup", "1")
        self._settle()

    def play(self):
        """Click the timeline's button that plays, or stops."""
        self.click("DOPESHEET_EDITOR", "HEADER", PLAY[self.ask("bpy.app.version[0]")])

    def go_to(self, frame):
        """Click a frame in the timeline's line of numbers."""
        across = self.ask(
            REGION.format(area="DOPESHEET_EDITOR", region="WINDOW")
            + f"region.view2d.view_to_region({frame}, 0, clip=False)[0]"
        )
        self.click("DOPESHEET_EDITOR", "WINDOW", (across, 12))
        self.until(f"bpy.context.scene.frame_current == {frame}")

    def drag(self, area, region, place, across):
        """Press at a place, go so many pixels to the right in small steps, and let go."""
        left, top = self._move(area, region, place)
        _xdotool("mousedown", "1")
        self._settle()
        for part in range(1, DRAGGED_IN + 1):
            _xdotool("mousemove", str(round(left + across * part / DRAGGED_IN)), str(top))
            self._settle()
        _xdotool("mouseup", "1")
        self._settle()

    def point(self, area, region, place):
        """Move the pointer to a place of a region."""
        self._move(area, region, place)

    def stroke(self, area, region, places):
        """Press at the first of some places, go through all others, and let go."""
        self._move(area, region, places[0])
        corner = self.upper_left(area, region)
        _xdotool("mousedown", "1")
        self._settle()
        for place in places[1:]:
            across, down = (round(start + at) for start, at in zip(corner, place, strict=True))
            _xdotool("mousemove", str(across), str(down))
            self._settle()
        _xdotool("mouseup", "1")
        self._settle()

    def scroll(self, area, region, turns):
        """Turn the mouse's wheel over a region, down, or up where turns are below 0."""
        width, height = self.ask(REGION.format(area=area, region=region) + "(region.width, region.height)")
        self._move(area, region, (width / 2, height / 2))
        _xdotool("click", "--repeat", str(abs(turns)), "--delay", "30", "5" if turns > 0 else "4")
        self._settle()

    def press(self, *keys):
        """Press keys one after another, or several at once with + between them, by their names in X."""
        for each in keys:
            _xdotool("key", each)
            self._settle()

    def write(self, text):
        """Type a text."""
        _xdotool("type", "--delay", "30", text)
        self._settle()

    def picture(self, path):
        """Keep a picture of the whole window."""
        self.redraw()
        subprocess.run(["import", "-window", "root", str(path)], check=True)

    def _settle(self):
        for _ in range(2):
            time.sleep(REST)
            self.ask("True")

    def _move(self, area, region, place):
        corner = self.upper_left(area, region)
        left, top = (round(start + at) for start, at in zip(corner, place, strict=True))
        # Buttons are lit by the pointer's motion before they can be pressed.
        for away in (3, 0):
            _xdotool("mousemove", str(left + away), str(top + away))
            self._settle()
        return left, top


@contextmanager
def opened_window(application, folder):
    """A Window of an application, with a folder of its own; skips the test where the screen is too small."""
    width, height = screen_size()
    if width < WIDTH or height < HEIGHT:
        pytest.skip(f"the screen has {width} x {height} pixels, and {WIDTH} x {HEIGHT} are clicked")
    with Window(application, folder) as opened:
        yield opened


def screen_size():
    """Width and height of the screen [px]."""
    told = subprocess.run(
        ["xdotool", "getdisplaygeometry"], check=True, capture_output=True, encoding="utf-8", errors="replace"
    )
    width, height = map(int, told.stdout.split())
    return width, height


def _xdotool(*words):
    subprocess.run(["xdotool", *words], check=True)
