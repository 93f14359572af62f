"""``scandl-eval baseline calibrate``."""

from __future__ import annotations

import pytest

from scandl.corpora.corpus_folder import open_corpus
from scandl_eval.cli import main


@pytest.fixture
def surprising(tmp_path):
    """A table of the words of the demo corpus: the longer, the more surprising."""
    lines = ["sentence_id,word_index,surprisal,surprisal_unit"]
    for key, sentence in open_corpus("demo").sentences.items():
        lines += [f"{key},{n},{len(word) / 2},bits" for n, word in enumerate(sentence.words)]
    path = tmp_path / "words.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_calibrate_prints_what_generate_takes(tmp_path, surprising, capsys):
    rows = [line.split(",") for line in surprising.read_text().splitlines()[1:]]
    # Readers guess a word half as often, in odds, as the model says.
    odds = [1 / (2.0 ** float(bits) - 1) if float(bits) else 1e9 for _, _, bits, _ in rows]
    text = "".join(
        f"{key},{n},{bits},{unit},{o / 2 / (1 + o / 2)}\n"
        for (key, n, bits, unit), o in zip(rows, odds, strict=True)
    )
    surprising.write_text("sentence_id,word_index,surprisal,surprisal_unit,cloze\n" + text)
    assert main(["baseline", "calibrate", "--corpus", "demo", "--words", str(surprising)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "--calibration=-0.6931,1.0000"
    assert "first words of sentences left out" in lines[1]
    assert lines[2].startswith("as it is: mean 0.")
    assert main(["baseline", "calibrate", "--corpus", "demo", "--words", str(tmp_path / "none.csv")]) == 2
    assert (
        "none.csv: found no file, expected a table with sentence_id and word_index" in capsys.readouterr().err
    )
