"""The model that ships, on what people may type: sane paths with durations, or one clear line."""

from __future__ import annotations

from pathlib import Path

import pytest

import scandl
from scandl.cli import main
from scandl.files.prediction_files import read_predictions
from scandl.models.trained_model import TrainedModel

PARAGRAPH = (
    "The keeper climbed the stairs before dawn. He lit the lamp, wound the clockwork and waited for the first "
    "ships. Nobody had passed the rocks in three days, and the wind had not fallen since Sunday. When the light "
    "came he saw a sail, far out and small, and he wrote its hour into the book as he always did."
)
TEXTS = {
    "three words": "The cat sat.",
    "one word": "Stop!",
    "sixty words": PARAGRAPH,
    "quotes": "“Well,” she said, ‘it’s “fine”’ (sort of)…",
    "numbers": "In 1998, 3,450 of 12.5 million people (0.03%) paid $1,200.50.",
    "emoji": "I love 🍕 and 🍦 so much 😍 !",
    "German": "Der alte Mann saß auf der Bank und las die Zeitung.",
    "a long word": f"The {'a' * 400} is long.",
    "no letters": "12 + 30 = 42",
}


@pytest.fixture(scope="module")
def people() -> TrainedModel:
    return scandl.open_model("people")


@pytest.mark.parametrize("name", TEXTS)
def test_paths_are_sane(name: str, people: TrainedModel) -> None:
    text = TEXTS[name]
    n_words = len(text.split())
    paths = scandl.generate(text, samples=40, model=people)
    reached = [max(path.positions) + 1 for path in paths]
    n_fixations = sum(path.n_fixations for path in paths) / len(paths)
    assert 0.5 * n_words <= n_fixations <= 3 * n_words
    assert max(reached) == n_words
    assert sum(reached) / len(reached) > 0.7 * n_words  # it does not stop early, however long the text
    for path in paths:
        assert path.durations is not None
        assert len(path.durations) == path.n_fixations
        assert all(0 < ms < 5000 for ms in path.durations)
    times = sorted(ms for path in paths for ms in path.durations or ())
    assert 120 < times[len(times) // 2] < 350


def test_second_language_readers_fixate_more(people: TrainedModel) -> None:
    """Those it was trained on did: 1.5 against 1.2 fixations per word."""
    texts = [PARAGRAPH.partition(".")[0], TEXTS["numbers"], "The old man the boats."]
    counts = {
        group: sum(p.n_fixations for p in scandl.generate(texts, model=people, readers=40, group=group))
        for group in ("L1", "L2")
    }
    assert counts["L2"] > 1.1 * counts["L1"]


def test_the_command_warns_writes_and_reads_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts, out = tmp_path / "texts.txt", tmp_path / "p.csv"
    texts.write_text("\n".join(TEXTS.values()), encoding="utf-8")
    command = ["generate", "--text-file", str(texts), "--readers", "3", "--group", "L2", "--out", str(out)]
    assert main(command) == 0
    captured = capsys.readouterr()
    about, said = captured.out.splitlines()
    assert about.startswith("context: a small estimate of surprisal (a language model is better: pip install")
    assert said == f"{out}: 27 scanpaths of 9 texts"
    assert captured.err.splitlines() == [
        "warning: 1 of 9 texts (t7): looks German and is read as English: give --language de",
        "warning: 1 of 9 texts (t9): has no letters, the model was trained on words",
    ]
    found = read_predictions(out)
    assert {(p.model, p.reader_id) for p in found} == {("people", f"sim{n}") for n in (1, 2, 3)}
    assert [p.text for p in found[::3]] == [" ".join(text.split()) for text in TEXTS.values()]
    assert all(p.durations for p in found)
