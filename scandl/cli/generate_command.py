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
    from scandl.generators import Request
    from scandl.inference.generation import ScanpathModel
    from scandl.records import Prediction, Scanpath


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
    from scandl.records import WHOLE

    _check(args)
    sampling = sampling_of(args, args.steps)
    model = _model(args)
    requests, fold, humans = _requests(args, model)
    paths = model.generate(requests, seed=args.seed, sampling=sampling, quiet=args.quiet)
    if args.out is not None:
        made = _predictions(requests, paths, args.setting or WHOLE, fold, humans)
        write_predictions(args.out, made)
    _show(args, requests, paths)


def _check(args: argparse.Namespace) -> None:
    """Refuse flags that do not go together."""
    from scandl.errors import ScandlError
    from scandl.files.tables import check_ending

    given = [bool(args.corpus), args.text is not None, args.text_file is not None]
    if sum(given) != 1:
        raise ScandlError("give one of --corpus, --text and --text-file")
    if args.corpus and (args.setting is None or args.out is None):
        raise ScandlError("--corpus needs --setting, --fold and --out")
    if args.corpus and args.checkpoint is None:
        raise ScandlError("--corpus needs --checkpoint: the demonstration model is for texts")
    if not args.corpus and fold_flags_given(args):
        raise ScandlError(f"{fold_flags_given(args)[0]} goes with --corpus: a text has no folds")
    if args.samples < 1:
        raise ScandlError(f"--samples {args.samples}: expected at least 1")
    if args.out is not None:
        check_ending(args.out, ".json")
    if args.plot is not None:
        from scandl.reading.scanpath_figure import check_figure_ending

        check_figure_ending(args.plot)


def _model(args: argparse.Namespace) -> ScanpathModel:
    """Open the model; the one of the package says first what it is."""
    from scandl.inference.trained_models import check_cpu, demonstration_model, open_model

    if args.checkpoint is not None:
        return open_model(args.checkpoint, device=args.device)
    check_cpu(args.device)
    model = demonstration_model()
    if not args.quiet:
        print(model.about)
    return model


def _show(args: argparse.Namespace, requests: Sequence[Request], paths: Sequence[Scanpath]) -> None:
    """Print paths of the user's own texts and the repairs, and draw the first path."""
    from scandl.files.symbol_repair import REPAIR_COLUMN, repaired_paths
    from scandl.reading.text_drawing import scanpath_lines

    if not args.corpus:
        for request, path in zip(requests, paths, strict=True):
            print("\n".join(scanpath_lines(request.sentence.words, path.words)))
    if not args.quiet:
        counts = repaired_paths(path.extra[REPAIR_COLUMN] for path in paths)
        kinds = ", ".join(f"{kind} {n}" for kind, n in sorted(counts.items())) or "none"
        print(f"{len(paths)} scanpaths; repaired: {kinds}")
    if args.plot is not None:
        from scandl.reading.scanpath_figure import save_scanpath_figure

        save_scanpath_figure(args.plot, requests[0].sentence.words, {"ScanDL": paths[0].words})


def _requests(
    args: argparse.Namespace, model: ScanpathModel
) -> tuple[list[Request], str, dict[tuple[str, str], Scanpath]]:
    """Return what to generate, for which fold, and the human paths it stands against."""
    from scandl.generators import Request

    if not args.corpus:
        sentences = sentences_of(args)
        return [Request(s, "", k) for s in sentences for k in range(args.samples)], "0", {}
    chosen = chosen_fold(args)
    model.refuse_leak(chosen.fold.test, chosen.tested.name, args.setting)
    pairs = chosen.fold.test
    requests = [Request(chosen.tested.sentences[s], r, k) for r, s in pairs for k in range(args.samples)]
    return requests, str(chosen.fold.number), dict(chosen.tested.by_pair)


def _predictions(
    requests: Sequence[Request], paths: Sequence[Scanpath], setting: str, fold: str,
    humans: dict[tuple[str, str], Scanpath],
) -> list[Prediction]:  # fmt: skip
    from scandl.records import Prediction

    return [
        Prediction(
            sentence_id=r.sentence.sentence_id,
            predicted=path.words,
            human=humans[r.reader_id, r.sentence.sentence_id].words if humans else None,
            reader_id=r.reader_id or None,
            model="scandl",
            setting=setting,
            fold=fold,
            sample=r.sample,
            text=r.sentence.text,
            extra=path.extra,
        )
        for r, path in zip(requests, paths, strict=True)
    ]
