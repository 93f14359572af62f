"""Moving scanpaths: the clock is that of the durations, pages need nothing else, pictures are counted."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from scandl.drawings.moving import (
    FILM_RATE,
    HOLD,
    Scene,
    animation_page,
    n_film_pictures,
    onsets,
    picture_times,
    pictures,
    save_animation,
)
from scandl.drawings.picture import Trace
from scandl.errors import DataError, ScandlError

SCENE = Scene(
    ("The", "cat", "sat."),
    (
        Trace("reader 1", (0, 2, 1), (200.0, 150.0, 333.0)),
        Trace("people (simulated)", (0, 1), (120.0, 260.0)),
    ),
    "a sentence",
)
CHROMIUM = next((path for name in ("chromium", "google-chrome") if (path := shutil.which(name))), None)


@given(st.lists(st.floats(20, 900), min_size=1, max_size=20))
def test_a_fixation_begins_when_those_before_have_ended(durations: list[float]) -> None:
    starts = onsets(Trace("r", tuple(range(len(durations))), tuple(durations)))
    for k in range(len(durations) + 1):
        assert starts[k] == pytest.approx(sum(durations[:k]))


def test_a_gif_has_a_picture_for_every_change_and_lasts_as_long(tmp_path: Path) -> None:
    assert save_animation(tmp_path / "a.gif", SCENE) == []
    times, end = picture_times(SCENE)
    assert (times, end) == ([0.0, 120.0, 200.0, 350.0], 683.0)
    with Image.open(tmp_path / "a.gif") as film:
        lengths = []
        for k in range(film.n_frames):
            film.seek(k)
            lengths.append(film.info["duration"])
    assert lengths == [120, 80, 150, round(end + HOLD - 350, -1)]


def test_pictures_show_what_has_begun() -> None:
    """Sampled pixels: ink is only ever added below the words of the reading that goes on."""
    still, first, second = (np.asarray(image.convert("L")) for image in pictures(SCENE, [0.0, 120.0, 120.0]))
    assert (first == second).all()
    assert (first < 200).sum() > (still < 200).sum()


def test_a_film_is_made_where_ffmpeg_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in takes the pictures and counts their bytes; without one the ending is refused."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        ScandlError, match=r"a\.mp4: films are made by ffmpeg, which is not installed; \.html and"
    ):
        save_animation(tmp_path / "a.mp4", SCENE)
    program = tmp_path / "ffmpeg"
    program.write_text('#!/bin/sh\nfor last; do :; done\necho "$@" > "$last"\n/usr/bin/wc -c >> "$last"\n')
    program.chmod(0o755)
    save_animation(tmp_path / "a.mp4", SCENE)
    flags, n_bytes = (tmp_path / "a.mp4").read_text().splitlines()
    wide, high = map(int, re.search(r"-s (\d+)x(\d+)", flags).groups())
    assert int(n_bytes) == n_film_pictures(683.0) * wide * high * 3
    assert wide % 2 == high % 2 == 0
    assert n_film_pictures(683.0) == pytest.approx((683 + HOLD) * FILM_RATE / 1000, abs=1)


def test_a_page_needs_nothing_else() -> None:
    page = animation_page(SCENE)
    assert re.findall(r"https?://[^\"]*", page) == [
        "http://www.w3.org/2000/svg"
    ]  # a name, nothing is fetched
    assert not re.search(r"<(link|img|iframe)|src=|@import|fetch\(|XMLHttp", page)


def test_a_text_with_a_script_is_text() -> None:
    page = animation_page(Scene(("</script><script>alert(1)</script>",), (Trace("<b>", (0,)),), "<i>"))
    assert page.count("<script") == 2
    assert "<i>" not in page
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL).group(1))
    assert data["words"] == ["</script><script>alert(1)</script>"]


def test_unknown_durations_are_said(tmp_path: Path) -> None:
    scene = Scene(("a", "b"), (Trace("r", (0, 1)),))
    assert save_animation(tmp_path / "a.html", scene) == [
        "durations are not known: each fixation lasts 220 ms"
    ]


def test_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(
        DataError, match=r"a\.avi: found the ending '\.avi', expected one of \.html, \.gif, \.mp4"
    ):
        save_animation(tmp_path / "a.avi", SCENE)


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
@pytest.mark.parametrize(("stop", "begun"), [(100, (1, 1)), (160, (1, 2)), (240, (2, 2)), (5000, (3, 2))])
def test_a_browser_keeps_the_time(tmp_path: Path, stop: int, begun: tuple[int, int]) -> None:
    """The page's clock is held at a time: fixations shown are those that began before."""
    page = animation_page(SCENE).replace(
        "const play = () => {", f"const play = () => {{ show({stop}); return;"
    )
    shown = dumped(tmp_path, page)
    assert tuple(map(int, re.findall(r'data-fixations="(\d+)"', shown))) == begun
    assert shown.count("<circle") == sum(begun)


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_a_page_plays_to_its_end_in_the_time_it_says(tmp_path: Path) -> None:
    """The clock is fast-forwarded: pictures follow each other at once, and each says that 10 ms have passed."""
    clock = (
        "<script>let passed = 0; performance.now = () => passed; const asked = [];"
        "requestAnimationFrame = (next) => asked.push(next);"
        "addEventListener('load', () => { const seen = [];"
        "while (asked.length) { passed += 10; asked.shift()(passed);"
        "seen.push(document.querySelectorAll('circle').length); }"
        "document.title = `${passed}: ${seen.join(' ')}`; });</script>"
    )
    shown = dumped(tmp_path, animation_page(SCENE).replace("</head>", clock + "</head>"))
    end, seen = re.search(r"<title>(\d+): ([\d ]+)</title>", shown).groups()
    starts = [start for trace in SCENE.traces for start in onsets(trace)[:-1]]
    assert int(end) == 690  # the first picture after 683 ms
    assert [int(n) for n in seen.split()] == [
        sum(start <= min(time, 683) for start in starts) for time in range(10, 700, 10)
    ]


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_keys_step_and_those_who_want_no_motion_see_the_whole_path(tmp_path: Path) -> None:
    keys = ["Home", "ArrowRight", "ArrowRight"]
    presses = "".join(f"document.dispatchEvent(press('{key}'));" for key in keys)
    script = (
        "<script>const press = (key) => { const event = new KeyboardEvent('keydown', { key, bubbles: true });"
        "Object.defineProperty(event, 'target', { value: document.body }); return event; };"
        + presses
        + "</script>"
    )
    page = animation_page(SCENE)
    shown = dumped(tmp_path, page.replace("</body>", script + "</body>"))
    assert re.findall(r'data-fixations="(\d+)"', shown) == ["2", "2"]
    still = dumped(tmp_path, page, "--force-prefers-reduced-motion")
    assert re.findall(r'data-fixations="(\d+)"', still) == ["3", "2"]


def dumped(folder: Path, page: str, *flags: str) -> str:
    """Return the page as a browser has it after some seconds of its own clock."""
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    usual = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-sync",
    ]
    quiet = ["--disable-component-update", "--no-first-run", f"--user-data-dir={folder / 'profile'}"]
    command = [CHROMIUM, *usual, *quiet, "--virtual-time-budget=4000", *flags, "--dump-dom", path.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
