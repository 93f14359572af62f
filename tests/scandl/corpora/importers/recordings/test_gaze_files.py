"""ASC files: the numbers of EyeLink's own lines, both eyes, other messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.corpora.importers.recordings.gaze_files import TRIAL, from_asc
from scandl.errors import ConfigError, DataError

pytest.importorskip("pymovements", reason="scandl[recordings] is not installed")

HEAD = "** CONVERTED FROM x.edf\n** SOURCE: EYELINK CL\n** EYELINK II CL v5.12\n"


def asc(folder: Path, message: str = "TRIALID s1", both: bool = False) -> Path:
    """Write two fixations of 4 ms at 1000 Hz, of one eye or of both, the right one 100 pixels lower."""
    eyes = "LEFT\tRIGHT" if both else "RIGHT"
    lines = [f"MSG\t1000 {message}", f"START\t1000 \t{eyes}\tSAMPLES\tEVENTS"]
    lines += [f"{kind}\tGAZE\t{eyes}\tRATE\t1000.00\tTRACKING\tCR" for kind in ("EVENTS", "SAMPLES")]
    for start, x in ((1001, 110.0), (1011, 190.0)):
        lines += [f"SFIX {eye}   {start}" for eye in ("LR" if both else "R")]
        for t in range(start, start + 4):
            left = f"  {x}\t  200.0\t  900.0\t" if both else ""
            lines.append(f"{t}\t{left}  {x}\t  300.0\t  900.0\t...")
        lines += [
            f"EFIX {eye}   {start}\t{start + 3}\t4\t  {x}\t  {200 if eye == 'L' else 300}.0\t    900"
            for eye in ("LR" if both else "R")
        ]
    lines += ["MSG\t1020 TRIAL_RESULT 0", "END\t1020 \tSAMPLES\tEVENTS\tRES\t  38.00\t  31.00"]
    path = folder / "r1.asc"
    path.write_text(HEAD + "\n".join(lines) + "\n", encoding="ascii")
    return path


def test_durations_are_those_of_the_efix_lines(tmp_path: Path) -> None:
    found = from_asc(asc(tmp_path), TRIAL, None, None)
    assert (found.readers, found.sentences) == (["r1", "r1"], ["s1", "s1"])
    assert (found.x.tolist(), found.y.tolist()) == ([110, 190], [300, 300])
    assert (found.onset.tolist(), found.ms.tolist()) == ([1001, 1011], [4, 4])


def test_of_two_eyes_one_is_asked_for(tmp_path: Path) -> None:
    path = asc(tmp_path, both=True)
    with pytest.raises(DataError, match="found fixations of both eyes, expected --eye left or right"):
        from_asc(path, TRIAL, None, None)
    assert from_asc(path, TRIAL, "left", None).y.tolist() == [200, 200]
    assert from_asc(path, TRIAL, "right", None).y.tolist() == [300, 300]


def test_the_message_that_names_the_text_can_be_another(tmp_path: Path) -> None:
    path = asc(tmp_path, "!V TRIAL_VAR item 7b")
    assert from_asc(path, r"TRIAL_VAR item (?P<sentence_id>\S+)", None, None).sentences == ["7b", "7b"]
    assert from_asc(path, TRIAL, None, None).outside == 2
    with pytest.raises(ConfigError, match="expected a group named sentence_id"):
        from_asc(path, r"TRIAL_VAR item (\S+)", None, None)
