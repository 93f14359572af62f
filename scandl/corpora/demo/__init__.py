"""The demo corpus: eighty sentences and thirty simulated readers, shipped with the package."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
"""The corpus folder; ``read_corpus(FOLDER)`` reads it."""
