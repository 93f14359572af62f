"""``scandl generate``: let a model read."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.cli.commandline import add_common, count, positive
from scandl.cli.flags import (
    add_fold,
    add_index_base,
    add_sampling,
    add_texts,
    chosen_fold,
    fold_flags_given,
    sampling_asked_for,
    texts_asked_for,
    texts_given,
)

if TYPE_CHECKING:
    from collections import Counter

    from scandl.models.generation_job import GenerationJob
    from scandl.models.model import Model
    from scandl.models.text_range import RangeCheck
    from scandl.models.trained_model import ModelOptions
    from scandl.records import Prediction

_SHOWN = 200  # texts drawn on the terminal at once
_FOR_TEXTS = ("readers", "group", "task", "like", "shard", "scheduler")


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "generate",
        help="generate scanpaths with a model",
        description="Generate for texts of your own, or for the test items of a fold. Without a model the one"
        " of the package that was trained on human readers reads: scandl models show people.",
        epilog='for example: scandl generate --text "The old man the boats." --readers 5 --group L2',
    )
    which = parser.add_argument_group("model")
    which.add_argument(
        "--model",
        metavar="NAME|FILE",
        help="any model of scandl-eval baseline list (default people), a file of scandl train or scandl"
        " export, or a class of your own such as my_reader.py:MyReader",
    )
    which.add_argument("--raw", action="store_true", help="weights as trained, not their moving average")
    which.add_argument(
        "--context",
        metavar="NAME",
        help="who says how expected words are: none, small (default of people), smollm2, auto, a table",
    )
    which.add_argument("--device", metavar="D", help="cpu or cuda (default: the GPU where there is one)")
    which.add_argument("--batch", type=positive, metavar="N", help="scanpaths drawn at once, at most")
    texts = parser.add_argument_group("texts")
    add_texts(texts)
    texts.add_argument("--language", default="en", metavar="L", help="of the texts (default en)")
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
    add_fold(
        parser.add_argument_group("test items of a fold; with texts, --corpus is learned from"),
        required=False,
    )
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
    if not texts_given(args):
        _of_fold(args)
    elif args.out is not None:
        _to_file(args)
    else:
        _to_terminal(args)


def _check(args: argparse.Namespace) -> None:
    """Refuse flags that do not go together."""
    from scandl.errors import ScandlError
    from scandl.files.tables import check_ending
    from scandl.models.text_generation import check_samples
    from scandl.models.text_stream import Shard

    if args.text is not None and args.text_file is not None:
        raise ScandlError("give one of --text and --text-file")
    if not texts_given(args):
        if not args.corpus:
            raise ScandlError("give --text, --text-file, or --corpus with --setting and --fold")
        if (args.setting is None and args.split is None) or args.out is None:
            raise ScandlError("--corpus without texts needs --setting, --fold and --out")
        if given := [name for name in _FOR_TEXTS if getattr(args, name)]:
            raise ScandlError(f"--{given[0]} goes with --text and --text-file")
    elif flags := fold_flags_given(args):
        raise ScandlError(f"{flags[0]} goes with --corpus alone: a text has no folds")
    if args.readers and args.like:
        raise ScandlError("give one of --readers and --like: the readers are those of the file")
    if args.index_base is not None and not args.like:
        raise ScandlError("--index-base goes with --like: it says what the positions of that file count from")
    check_samples(args.samples)
    args.shard = Shard.named(args.shard) if args.shard is not None else None
    if args.out is not None:
        check_ending(args.out, *([".jsonl"] if texts_given(args) else [".jsonl", ".json"]))
    if args.plot is not None:
        from scandl.drawings import check_figure_ending

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

    from scandl.drawings import scanpath_lines
    from scandl.files.symbol_repair import REPAIR_COLUMN, repaired_paths

    job, model = _job(args)
    if not args.quiet and model.about:
        print(model.about)
    check, n, repairs = _range_check(model), 0, Counter[str]()
    texts = texts_asked_for(args, args.shard)
    while block := list(islice(texts, _SHOWN)):
        if check is not None:
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


def _job(args: argparse.Namespace) -> tuple[GenerationJob, Model]:
    """Return what is to be generated, and the model, opened so that faults are told before the work."""
    from scandl.models.catalogue import open_model
    from scandl.models.generation_job import GenerationJob, PackedModel
    from scandl.models.readings import Readers, styles_in
    from scandl.text.word_frequency import known_language

    known_language(args.language)
    styles = styles_in(args.like, args.index_base) if args.like else {}
    readers = Readers(args.readers, group=args.group, task=args.task or "", styles=styles)
    packed, options = PackedModel.of(args.model), _options(args)
    job = GenerationJob(packed, options, readers, args.samples, args.seed, args.corpus or None, args.language)
    model = job.opened(open_model(args.model, options))
    if args.plot is not None:
        _plot(args, job)
    return job, model


def _options(args: argparse.Namespace) -> ModelOptions:
    from scandl.models.trained_model import ModelOptions

    sampling = sampling_asked_for(args, args.steps, keep_symbols=args.keep_symbols)
    return ModelOptions(args.device, args.raw, args.batch, sampling, args.context)


def _plot(args: argparse.Namespace, job: GenerationJob) -> None:
    """Draw the first path of the first text, which is the same in any company."""
    from scandl.errors import ScandlError

    if args.text_file == "-":
        raise ScandlError("--plot: standard input can be read only once; give the text with --text")
    _draw(args.plot, job.predictions([next(texts_asked_for(args, args.shard))])[0])


def _draw(path: Path, prediction: Prediction) -> None:
    from scandl.drawings import save_scanpath_figure

    save_scanpath_figure(path, (prediction.text or "").split(), {prediction.model: prediction.predicted})


def _of_fold(args: argparse.Namespace) -> None:
    """Write predictions for the test items of a fold."""
    from scandl.files.prediction_files import write_predictions
    from scandl.files.symbol_repair import REPAIR_COLUMN, repaired_paths
    from scandl.models.catalogue import open_model
    from scandl.models.readings import fold_readings
    from scandl.progress import showing_trainings

    model = open_model(args.model, _options(args))
    chosen = chosen_fold(args)
    with showing_trainings(not args.quiet):
        predictions = fold_readings(
            model,
            chosen.fold,
            chosen.corpus,
            samples=args.samples,
            seed=args.seed,
            test_corpus=chosen.tested,
        )
    write_predictions(args.out, predictions)
    if args.plot is not None:
        _draw(args.plot, predictions[0])
    if not args.quiet:
        repairs = repaired_paths(p.extra.get(REPAIR_COLUMN, "") for p in predictions)
        print(f"{args.out}: {_counted(len(predictions))} of {model.name}{_repairs(model, repairs)}")


def _range_check(model: Model) -> RangeCheck:
    """Return what counts texts outside of what a trained model knows, or of another language than said."""
    from scandl.models.text_range import RangeCheck
    from scandl.models.trained_model import TrainedModel

    trained = isinstance(model, TrainedModel)
    return RangeCheck(trained=trained, longest=model.longest if isinstance(model, TrainedModel) else 0)


def _warn(check: RangeCheck | None) -> None:
    for line in check.lines() if check is not None else ():
        print(f"warning: {line}", file=sys.stderr)


def _counted(n: int) -> str:
    return f"{n:,} scanpath{'s' * (n != 1)}"


def _repairs(model: Model, counts: Counter[str]) -> str:
    """Return what had to be repaired; models that draw words never need it."""
    from scandl.models.diffusion.diffusion_model import ScanpathModel
    from scandl.models.trained_model import TrainedModel

    if not isinstance(model, TrainedModel) or not isinstance(model.network, ScanpathModel):
        return ""
    return f"; repaired: {', '.join(f'{kind} {n}' for kind, n in sorted(counts.items())) or 'none'}"
