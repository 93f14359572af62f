"""Make the shipped model of human readers: train on four corpora, export, write its card.

``python -m scandl.models.pointer.make_people`` finds the corpora below ``./corpora`` or
``$SCANDL_CORPORA``, by the names of ``scandl.models.pointer.people.TASKS``. The same corpora and
machine give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from scandl.corpora.corpus import Corpus
from scandl.files.results import write_text
from scandl.models.pointer import people
from scandl.models.pointer.pointer_settings import PointerConfig

FILE = Path(str(files("scandl.models.shipped").joinpath(f"{people.NAME}.onnx")))


def make(
    corpora: Sequence[Corpus],
    out: Path | str = FILE,
    *,
    config: PointerConfig | None = None,
    folder: Path | str | None = None,
    quiet: bool = False,
) -> Path:
    """Train into ``folder`` (default: one that is thrown away), write model and card, return the model."""
    from scandl.models.pointer.pointer_generator import one_thread
    from scandl.models.pointer.pointer_training import load, train
    from scandl.models.pointer.runners.pointer_export import export_onnx
    from scandl.models.pointer.style_calibration import calibrated
    from scandl.training.checkpoint import read_checkpoint

    if folder is None:
        with tempfile.TemporaryDirectory(prefix="scandl-") as temporary:
            return make(corpora, out, config=config, folder=temporary, quiet=quiet)
    with one_thread():
        checkpoint = train(config or people.config(), people.people(corpora), folder, quiet=quiet)
        told = calibrated(load(checkpoint), people.displays(corpora), people.wanted_styles(corpora))
    target = export_onnx(checkpoint, out, about=people.ABOUT, conditions=told)
    n_parameters = sum(weight.numel() for weight in read_checkpoint(checkpoint)["ema"].values())
    card = json.dumps(people.card(corpora, n_parameters), indent=2, ensure_ascii=False)
    write_text(target.with_suffix(".json"), card + "\n")
    return target


def main(argv: Sequence[str] | None = None) -> None:
    """Make the model from the corpora it is shipped with."""
    from scandl.corpora.corpus_folder import open_corpus

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, default=FILE, help="the model file; its card stands beside it")
    parser.add_argument("--folder", type=Path, help="where checkpoints stay, so that it can be resumed")
    args = parser.parse_args(argv)
    print(make([open_corpus(name) for name in people.TASKS], args.out, folder=args.folder))


if __name__ == "__main__":
    main()
