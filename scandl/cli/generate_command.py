"""``scandl generate``: let a trained model read."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.cli.commandline import add_common, count
from scandl.cli.fold_flags import add_fold, chosen_fold, fold_flags_given
from scandl.cli.sampling_flags import add_sampling, sampling_of
from scandl.cli.text_flags import add_texts, sentences_of

if TYPE_CHECKING:
    from scandl.inference.generation import Sampling, ScanpathModel
    from scandl.records import Prediction


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "generate", help="generate scanpaths with a trained model",
        description="Generate for the test items of a fold, or for texts of your own. Without a checkpoint"
        " a small demonstration model reads.",
    )  # fmt: skip
    parser.add_argument(
        "--checkpoint", type=Path, metavar="FILE", help="made by scandl train, or by scandl export (.onnx)"
    )
    add_fold(parser, required=False)
    add_texts(parser)
    parser.add_argument(
        "--samples", type=count, default=1, metavar="N", help="scanpaths per item (default 1)"
    )
    parser.add_argument("--steps", type=int, default=10, metavar="K", help="denoising steps (default 10)")
    add_sampling(parser)
    parser.add_argument("--device", metavar="D", help="cpu or cuda (default: the GPU where there is one)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="prediction table to write (.csv, .parquet)")
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw the first scanpath (.png, .svg, .pdf)"
    )
    add_common(parser, seed=True)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Generate, write what was asked for, and show texts of the user's own on the terminal."""
    from scandl.files.prediction_files import write_predictions

    _check(args)
    sampling = sampling_of(args, args.steps)
    predictions = _of_texts(args, sampling) if not args.corpus else _of_fold(args, sampling)
    if args.out is not None:
        write_predictions(args.out, predictions)
    _show(args, predictions)


def _check(args: argparse.Namespace) -> None:
    """Refuse flags that do not go together."""
    from scandl.errors import ScandlError
    from scandl.files.tables import check_ending
    from scandl.inference.text_generation import check_samples

    given = [bool(args.corpus), args.text is not None, args.text_file is not None]
    if sum(given) != 1:
        raise ScandlError("give one of --corpus, --text and --text-file")
    if args.corpus and (args.setting is None or args.out is None):
        raise ScandlError("--corpus needs --setting, --fold and --out")
    if args.corpus and args.checkpoint is None:
        raise ScandlError("--corpus needs --checkpoint: the demonstration model is for texts")
    if not args.corpus and fold_flags_given(args):
        raise ScandlError(f"{fold_flags_given(args)[0]} goes with --corpus: a text has no folds")
    check_samples(args.samples)
    if args.out is not None:
        check_ending(args.out, ".json")
    if args.plot is not None:
        from scandl.reading.scanpath_figure import check_figure_ending

        check_figure_ending(args.plot)


def _of_texts(args: argparse.Namespace, sampling: Sampling) -> list[Prediction]:
    from scandl.files.prediction_inputs import scanpath_predictions
    from scandl.inference.text_generation import generate

    model = _model(args)
    paths = generate(
        sentences_of(args),
        samples=args.samples,
        seed=args.seed,
        model=model,
        sampling=sampling,
        quiet=args.quiet,
    )
    return scanpath_predictions(paths, model="scandl")


def _of_fold(args: argparse.Namespace, sampling: Sampling) -> list[Prediction]:
    from scandl.inference.fold_generation import generate_test_items

    model = _model(args)
    chosen = chosen_fold(args)
    return generate_test_items(
        model, chosen.tested, chosen.fold, samples=args.samples, seed=args.seed, sampling=sampling,
        quiet=args.quiet,
    )  # fmt: skip


def _model(args: argparse.Namespace) -> ScanpathModel:
    """Open the model; the one of the package says first what it is."""
    from scandl.inference.text_generation import opened

    model = opened(args.checkpoint, args.device)
    if args.checkpoint is None and not args.quiet:
        print(model.about)
    return model


def _show(args: argparse.Namespace, predictions: Sequence[Prediction]) -> None:
    """Print paths of the user's own texts and the repairs, and draw the first path."""
    from scandl.files.symbol_repair import REPAIR_COLUMN, repaired_paths
    from scandl.reading.text_drawing import scanpath_lines

    if not args.corpus:
        for p in predictions:
            print("\n".join(scanpath_lines((p.text or "").split(), p.predicted)))
    if not args.quiet:
        counts = repaired_paths(p.extra[REPAIR_COLUMN] for p in predictions)
        kinds = ", ".join(f"{kind} {n}" for kind, n in sorted(counts.items())) or "none"
        n = len(predictions)
        print(f"{n} scanpath{'s' * (n != 1)}; repaired: {kinds}")
    if args.plot is not None:
        from scandl.reading.scanpath_figure import save_scanpath_figure

        first = predictions[0]
        save_scanpath_figure(args.plot, (first.text or "").split(), {"ScanDL": first.predicted})
