from __future__ import annotations

from scandl_analysis.chapters.model_chapters import missing_model_notes, model_sections


def test_what_is_missing_is_said_with_its_command(tmp_path):
    assert [note.text.split("'")[1].split(" …")[0] for note in missing_model_notes(tmp_path)] == [
        "scandl train",
        f"scandl-eval steps --model {tmp_path / 'training/last.pt'}",
        f"scandl inspect --model {tmp_path / 'training/last.pt'}",
    ]


def test_what_is_there_is_a_chapter_and_not_missing(tmp_path):
    (tmp_path / "training").mkdir()
    (tmp_path / "training" / "log.csv").write_text("step,loss\n1,0.5\n")
    (tmp_path / "steps.csv").write_text("steps,nld,energy,diversity\n10,0.5,0.1,1.0\n")
    (tmp_path / "decoding.csv").write_text("step,settled_share\n1,0.5\n0,1.0\n")
    assert [section.title for section in model_sections(tmp_path)] == [
        "Training",
        "Few-step sampling",
        "Decoding progress",
    ]
    assert missing_model_notes(tmp_path) == []
