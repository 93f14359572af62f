"""The chapters on a trained model that a run folder may hold: learning, few-step sampling, decoding."""

from __future__ import annotations

from pathlib import Path

from scandl_analysis.chapters.decoding_chapter import PLACES, PROGRESS, decoding_sections
from scandl_analysis.chapters.few_steps_chapter import STEPS, steps_sections
from scandl_analysis.chapters.learning_chapter import LOG, learning_sections
from scandl_reports.document import Note, Section


def model_sections(run: Path) -> list[Section]:
    """Return the chapters there are files for."""
    return [*learning_sections(run), *steps_sections(run), *decoding_sections(run)]


def missing_model_notes(run: Path) -> list[Note]:
    """Say of each chapter that is not there which command makes its file."""
    checkpoint = run / "training" / "last.pt"
    commands = {
        "learning curves": f"scandl train … --out {run / 'training'}",
        "quality by the number of denoising steps": (
            f"scandl-eval steps --checkpoint {checkpoint} … --out {run / STEPS}"
        ),
        "decoding progress": (
            f"scandl inspect --checkpoint {checkpoint} … --out {run / PROGRESS} --places {run / PLACES}"
        ),
    }
    files = (LOG, STEPS, PROGRESS)
    return [
        Note(f"No {what} of a trained model in this folder: made by '{command}'.", "missing")
        for (what, command), file in zip(commands.items(), files, strict=True)
        if not any(run.rglob(file))
    ]
