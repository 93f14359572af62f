"""Scanpaths in reading: corpora, folds, and the ScanDL diffusion model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scandl.extras import lazy_names

if TYPE_CHECKING:
    from scandl.corpora.corpus import Corpus
    from scandl.corpora.corpus_folder import open_corpus
    from scandl.drawings.picture import plot_scanpath
    from scandl.errors import ScandlError
    from scandl.files.prediction_files import read_predictions, write_predictions
    from scandl.frames import to_frame
    from scandl.models.catalogue import open_model
    from scandl.models.gaze_features import gaze_features
    from scandl.models.text_generation import generate
    from scandl.records import Prediction, Scanpath, Sentence
    from scandl.statistics.distances import nld
    from scandl.version import __version__
else:
    __getattr__, __dir__ = lazy_names(
        "scandl",
        {
            "Corpus": "scandl.corpora.corpus",
            "Prediction": "scandl.records",
            "ScandlError": "scandl.errors",
            "Scanpath": "scandl.records",
            "Sentence": "scandl.records",
            "__version__": "scandl.version",
            "gaze_features": "scandl.models.gaze_features",
            "generate": "scandl.models.text_generation",
            "open_model": "scandl.models.catalogue",
            "nld": "scandl.statistics.distances",
            "open_corpus": "scandl.corpora.corpus_folder",
            "plot_scanpath": "scandl.drawings.picture",
            "read_predictions": "scandl.files.prediction_files",
            "to_frame": "scandl.frames",
            "write_predictions": "scandl.files.prediction_files",
        },
    )

__all__ = [
    "Corpus",
    "Prediction",
    "ScandlError",
    "Scanpath",
    "Sentence",
    "__version__",
    "gaze_features",
    "generate",
    "nld",
    "open_corpus",
    "open_model",
    "plot_scanpath",
    "read_predictions",
    "to_frame",
    "write_predictions",
]
