"""``scandl generate``: let a trained model read."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.cli.column_flags import add_index_base
from scandl.cli.commandline import add_common, count, positive
from scandl.cli.fold_flags import add_fold, chosen_fold, fold_flags_given
from scandl.cli.sampling_flags import add_sampling, sampling_asked_for
from scandl.cli.text_flags import add_texts, texts_asked_for

if TYPE_CHECKING:
    from collections import Counter

    from scandl.models.generation_job import GenerationJob
    from scandl.models.reading_models import ModelOptions, ReadingModel
    from scandl.models.text_range import RangeCheck
    from scandl.records import Prediction

_SHOWN = 200  # texts drawn on the terminal at once
_FOR_TEXTS = ("readers", "group", "task", "like", "shard", "scheduler")


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "generate",
        help="generate scanpaths with a trained model",
        description="Generate for texts of your own, or for the test items of a fold. Without a model the one"
        " of the package that was trained on human readers reads: scandl models show people.",
        epilog='for example: scandl generate --text "The old man the boats." --readers 5 --group L2',
    )
    which = parser.add_argument_group("model")
    which.add_argument("--model", metavar="NAME", help="a shipped model (scandl models list; default people)")
    which.add_argument(
        "--checkpoint", type=Path, metavar="FILE", help="made by scandl train, or by scandl export (.onnx)"
    )
    which.add_argument("--raw", action="store_true", help="weights as trained, not their moving average")
    which.add_argument("--device", metavar="D", help="cpu or cuda (default: the GPU where there is one)")
    which.add_argument("--batch", type=positive, metavar="N", help="scanpaths drawn at once, at most")
    texts = parser.add_argument_group("texts")
    add_texts(texts)
    texts.add_argument("--shard", metavar="I/N", help="only the I-th of N equal parts of the file; ids stay")
    readers = parser.add_argument_group("readers")
    readers.add_argument("--readers", type=count, default=0, metavar="N", help="simulated readers")
    readers.add_argument("--group", metavar="G", help="their group, such as L1 or L2 (default: the model's)")
    readers.add_argument(
        "--task",
        choices=["sentence", "paragraph", "part"],
        help="a sentence by itself, a paragraph, or part of one (default: by the text)",
    )
    readers.add_argument("--like", type=Path, metavar="FILE", help="read like the readers of these scanpaths")
    add_index_base(readers)
    parser.add_argument(
        "--samples", type=count, default=1, metavar="N", help="scanpaths per text and reader (default 1)"
    )
    add_fold(parser.add_argument_group("test items of a fold"), required=False)
    diffusion = parser.add_argument_group("diffusion models")
    diffusion.add_argument("--steps", type=int, metavar="K", help="denoising steps (default 10)")
    add_sampling(diffusion)
    diffusion.add_argument(
        "--keep-symbols", action="store_true", help="write the symbols before any repair too, in symbols"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="prediction table to write (.csv, .parquet, .jsonl)"
    )
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw the first scanpath (.png, .svg, .pdf)"
    )
    parser.add_argument("--scheduler", metavar="ADDRESS", help="work on the Dask cluster at this address")
    add_common(parser, seed=True, jobs=True)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Generate, and write or show what was asked for."""
    _check(args)
    if args.corpus:
        _of_fold(args)
    elif args.out is not None:
        _to_file(args)
    else:
        _to_terminal(args)


def _check(args: argparse.Namespace) -> None:
    """Refuse flags that do not go together."""
    from scandl.errors import ScandlError
    from scandl.files.tables import check_ending
    from scandl.models.cards import model_card
    from scandl.models.text_generation import check_samples
    from scandl.models.text_stream import Shard

    if sum([bool(args.corpus), args.text is not None, args.text_file is not None]) != 1:
        raise ScandlError("give one of --corpus, --text and --text-file")
    if args.model is not None and args.checkpoint is not None:
        raise ScandlError("give one of --model and --checkpoint")
    if args.model is not None:
        model_card(args.model)  # an unknown name is refused with those that are known
    if args.corpus and ((args.setting is None and args.split is None) or args.out is None):
        raise ScandlError("--corpus needs --setting, --fold and --out")
    if args.corpus and args.checkpoint is None:
        raise ScandlError("--corpus needs --checkpoint: the models of the package are for texts")
    if given := [name for name in _FOR_TEXTS if args.corpus and getattr(args, name)]:
        raise ScandlError(f"--{given[0]} goes with --text and --text-file")
    if not args.corpus and fold_flags_given(args):
        raise ScandlError(f"{fold_flags_given(args)[0]} goes with --corpus: a text has no folds")
    if args.readers and args.like:
        raise ScandlError("give one of --readers and --like: the readers are those of the file")
    if args.index_base is not None and not args.like:
        raise ScandlError("--index-base goes with --like: it says what the positions of that file count from")
    check_samples(args.samples)
    args.shard = Shard.named(args.shard) if args.shard is not None else None
    if args.out is not None:
        check_ending(args.out, *([".jsonl", ".json"] if args.corpus else [".jsonl"]))
    if args.plot is not None:
        from scandl.reading.scanpath_figure import check_figure_ending

        check_figure_ending(args.plot)


def _to_file(args: argparse.Namespace) -> None:
    """Write the table, however many texts there are."""
    from scandl.models.streamed_generation import generate_to_file

    job, model = _job(args)
    check = _range_check(model)
    done = generate_to_file(
        texts_asked_for(args, args.shard),
        args.out,
        job,
        jobs=args.jobs,
        scheduler=args.scheduler,
        check=check,
        quiet=args.quiet,
    )
    if args.quiet:
        return
    _warn(check)
    before = f", {done.kept:,} of them from before" if done.kept else ""
    print(
        f"{args.out}: {_counted(done.n_paths)} of {done.n_texts:,} text{'s' * (done.n_texts != 1)}{before}"
        f"{_repairs(model, done.repairs)}"
    )


def _to_terminal(args: argparse.Namespace) -> None:
    """Draw the paths on the terminal, some texts at a time."""
    from collections import Counter
    from itertools import islice

    from scandl.files.symbol_repair import REPAIR_COLUMN, repaired_paths
    from scandl.reading.text_drawing import scanpath_lines

    job, model = _job(args)
    if not args.quiet and model.about:
        print(model.about)
    check, n, repairs = _range_check(model), 0, Counter[str]()
    texts = texts_asked_for(args, args.shard)
    while block := list(islice(texts, _SHOWN)):
        check.add(check.reasons(block), len(block))
        predictions = job.predictions(block)
        for p in predictions:
            print("\n".join([*_who(p), *scanpath_lines((p.text or "").split(), p.predicted)]))
        n += len(predictions)
        repairs += repaired_paths(p.extra.get(REPAIR_COLUMN, "") for p in predictions)
    if not args.quiet:
        _warn(check)
        print(f"{_counted(n)}{_repairs(model, repairs)}")


def _who(prediction: Prediction) -> list[str]:
    """Return the line above a path: who reads, and for how long."""
    parts = [f"reader {prediction.reader_id}"] if prediction.reader_id else []
    if prediction.durations:
        n = len(prediction.durations)
        parts.append(f"{n} fixation{'s' * (n != 1)}, {sum(prediction.durations) / 1000:.1f} s")
    return [f"[{', '.join(parts)}]"] if parts else []


def _job(args: argparse.Namespace) -> tuple[GenerationJob, ReadingModel]:
    """Return what is to be generated, and the model, opened so that faults are told before the work."""
    from scandl.models.generation_job import GenerationJob, PackedModel, keep_open
    from scandl.models.reading_models import load_model
    from scandl.models.simulated_readers import WhoReads, styles_in

    options = _options(args)
    source = args.checkpoint or args.model
    model = load_model(source, options)
    styles = styles_in(args.like, args.index_base) if args.like else {}
    who = WhoReads(args.readers, model.group(args.group), args.task or "", styles)
    model.check(who)
    job = GenerationJob(PackedModel.of(source), options, who, args.samples, args.seed)
    keep_open(job, model)
    if args.plot is not None:
        _plot(args, job)
    return job, model


def _options(args: argparse.Namespace) -> ModelOptions:
    from scandl.models.reading_models import ModelOptions

    sampling = sampling_asked_for(args, args.steps, keep_symbols=args.keep_symbols)
    return ModelOptions(args.device, args.raw, args.batch, sampling)


def _plot(args: argparse.Namespace, job: GenerationJob) -> None:
    """Draw the first path of the first text, which is the same in any company."""
    from scandl.errors import ScandlError
    from scandl.reading.scanpath_figure import save_scanpath_figure

    if args.text_file == "-":
        raise ScandlError("--plot: standard input can be read only once; give the text with --text")
    first = job.predictions([next(texts_asked_for(args, args.shard))])[0]
    save_scanpath_figure(args.plot, (first.text or "").split(), {"ScanDL": first.predicted})


def _of_fold(args: argparse.Namespace) -> None:
    """Write predictions for the test items of a fold."""
    from scandl.files.prediction_files import write_predictions
    from scandl.files.symbol_repair import REPAIR_COLUMN, repaired_paths
    from scandl.models.diffusion.fold_generation import generate_test_items
    from scandl.models.reading_models import load_model

    options = _options(args)
    model = load_model(args.checkpoint, options)
    chosen = chosen_fold(args)
    predictions = generate_test_items(
        model.diffusion(),
        chosen.tested,
        chosen.fold,
        samples=args.samples,
        seed=args.seed,
        sampling=model.sampling,
        quiet=args.quiet,
    )
    write_predictions(args.out, predictions)
    if args.plot is not None:
        from scandl.reading.scanpath_figure import save_scanpath_figure

        first = predictions[0]
        save_scanpath_figure(args.plot, (first.text or "").split(), {"ScanDL": first.predicted})
    if not args.quiet:
        repairs = repaired_paths(p.extra.get(REPAIR_COLUMN, "") for p in predictions)
        print(f"{args.out}: {_counted(len(predictions))}{_repairs(model, repairs)}")


def _range_check(model: ReadingModel) -> RangeCheck:
    from scandl.models.text_range import RangeCheck

    return RangeCheck(longest=model.longest)


def _warn(check: RangeCheck) -> None:
    for line in check.lines():
        print(f"warning: {line}", file=sys.stderr)


def _counted(n: int) -> str:
    return f"{n:,} scanpath{'s' * (n != 1)}"


def _repairs(model: ReadingModel, counts: Counter[str]) -> str:
    """Return what had to be repaired; a model that points at words never needs it."""
    if model.conditions is not None:
        return ""
    return f"; repaired: {', '.join(f'{kind} {n}' for kind, n in sorted(counts.items())) or 'none'}"
