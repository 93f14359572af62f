"""``scandl generate``: let a model read."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from scandl.cli.commandline import Parser, add_common
from scandl.cli.flags import (
    add_fold,
    check_drawings,
    chosen_fold,
    draw_readings,
    fold_flags_given,
    sampling_asked_for,
    texts_asked_for,
    texts_given,
)
from scandl.drawings.page import scanpath_lines
from scandl.errors import ScandlError
from scandl.files.prediction_files import write_predictions
from scandl.files.symbol_repair import REPAIR_COLUMN, repaired_paths
from scandl.files.tables import check_ending
from scandl.models.conditions import DRAWS
from scandl.models.text_generation import RangeCheck, check_samples
from scandl.models.text_stream import Shard
from scandl.options import add_option, add_options
from scandl.text.word_facts import known_language
from scandl.workers import showing_trainings

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from scandl.models.model import Model
    from scandl.models.streamed_generation import GenerationJob
    from scandl.models.text_generation import RangeCheck
    from scandl.models.trained_model import ModelOptions
    from scandl.records import Prediction

_SHOWN = 200  # texts drawn on the terminal at once
_FOR_TEXTS = ("given", "readers", "group", "task", "like", "like_lab", "shard", "scheduler")


def add(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Generate for texts of your own, or for the test items of a fold. Without a model the one"
        " of the package that was trained on human readers reads: scandl models show people."
    )
    add_options(parser.add_argument_group("model"), "model", "raw", "device", "batch", "context")
    add_options(parser.add_argument_group("texts"), "text", "text_file", "given", "language", "shard")
    readers = parser.add_argument_group("readers")
    add_options(readers, "readers", "group", "task", "like", "like_lab", "index_base")
    add_options(parser, "samples")
    add_fold(
        parser.add_argument_group("test items of a fold; with texts, --corpus is learned from"),
        required=False,
    )
    diffusion = parser.add_argument_group("diffusion models")
    add_options(diffusion, "steps", "keep_symbols")
    add_option(parser, "out", "prediction table to write (.csv, .parquet, .jsonl)")
    add_options(parser, "plot", "animate", "width", "scheduler")
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
    if args.like_lab and not args.readers:
        raise ScandlError("--like-lab goes with --readers: how many simulated readers of that laboratory")
    if args.index_base is not None and not args.like:
        raise ScandlError("--index-base goes with --like: it says what the positions of that file count from")
    if args.given is not None and args.text is None:
        raise ScandlError("--given goes with --text; a table of texts has a column given")
    check_samples(args.samples)
    args.shard = Shard.named(args.shard) if args.shard is not None else None
    if args.out is not None:
        check_ending(args.out, *([".jsonl"] if texts_given(args) else [".jsonl", ".json"]))
    check_drawings(args)


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
    _say_context(model, args.language)
    print(
        f"{args.out}: {_counted(done.n_paths)} of {done.n_texts:,} text{'s' * (done.n_texts != 1)}{before}"
        f"{_repairs(model, done.repairs)}"
    )


def _to_terminal(args: argparse.Namespace) -> None:
    """Draw the paths on the terminal, some texts at a time."""
    job, model = _job(args)
    if not args.quiet and model.about:
        print(model.about)
        _say_context(model, args.language)
    check, n, repairs, draws = _range_check(model), 0, Counter[str](), list[int]()
    texts = texts_asked_for(args, args.shard)
    while block := list(islice(texts, _SHOWN)):
        if check is not None:
            check.add(check.reasons(block), len(block))
        predictions = job.predictions(block)
        for p in predictions:
            print(
                "\n".join([*_who(p), *scanpath_lines((p.text or "").split(), p.predicted, args.width or 80)])
            )
        n += len(predictions)
        draws += [int(p.extra[DRAWS]) for p in predictions if DRAWS in p.extra]
        repairs += repaired_paths(p.extra.get(REPAIR_COLUMN, "") for p in predictions)
    if not args.quiet:
        _warn(check)
        print(f"{_counted(n)}{_repairs(model, repairs)}{_accepted(draws)}")


def _accepted(draws: Sequence[int]) -> str:
    """Say how many paths were drawn for those that meet conditions; nothing where there are none.

    >>> _accepted([1, 3])
    '; 2 of 4 draws met the conditions (50.0%)'
    """
    if not draws:
        return ""
    n, total = len(draws), sum(draws)
    return f"; {n:,} of {total:,} draws met the conditions ({n / total:.1%})"


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
    from scandl.models.readings import ReaderChoice, laboratory_styles, styles_in
    from scandl.models.streamed_generation import GenerationJob, PackedModel

    known_language(args.language)
    packed, options = PackedModel.of(args.model), _options(args)
    opened = open_model(args.model, options)
    styles = {}
    if args.like:
        styles = styles_in(args.like, args.index_base, model=opened, seed=args.seed)
    elif args.like_lab:
        styles = laboratory_styles(opened, args.like_lab, args.readers, seed=args.seed)
    readers = ReaderChoice(args.readers, group=args.group, task=args.task or "", styles=styles)
    job = GenerationJob(packed, options, readers, args.samples, args.seed, args.corpus or None, args.language)
    model = job.opened(opened)
    if args.plot is not None or args.animate is not None:
        _draw_first_text(args, job)
    return job, model


def _options(args: argparse.Namespace) -> ModelOptions:
    from scandl.models.trained_model import ModelOptions

    sampling = sampling_asked_for(args.steps, keep_symbols=args.keep_symbols)
    return ModelOptions(args.device, args.raw, args.batch, sampling, args.context)


def _draw_first_text(args: argparse.Namespace, job: GenerationJob) -> None:
    """Draw the readings of the first text, which are the same in any company."""
    if args.text_file == "-":
        raise ScandlError(
            "--plot and --animate: standard input can be read only once; give the text with --text"
        )
    _draw(args, job.predictions([next(texts_asked_for(args, args.shard))]))


def _draw(args: argparse.Namespace, predictions: list[Prediction]) -> None:
    """Draw the readings of the text of the first prediction."""
    first = predictions[0]
    same = [each for each in predictions if each.sentence_id == first.sentence_id]
    draw_readings(
        args, (first.text or "").split(), [(_reader_of(each, len(same)), each) for each in same], first.model
    )


def _reader_of(prediction: Prediction, n: int) -> str:
    """Return the name above one of several drawings."""
    parts = [prediction.reader_id or "", f"sample {prediction.sample + 1}" if prediction.sample else ""]
    return " ".join(part for part in parts if part) or ("sample 1" if n > 1 else "")


def _of_fold(args: argparse.Namespace) -> None:
    """Write predictions for the test items of a fold."""
    from scandl.models.catalogue import open_model
    from scandl.models.readings import fold_readings

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
    _draw(args, predictions)
    if not args.quiet:
        repairs = repaired_paths(p.extra.get(REPAIR_COLUMN, "") for p in predictions)
        print(f"{args.out}: {_counted(len(predictions))} of {model.name}{_repairs(model, repairs)}")


def _range_check(model: Model) -> RangeCheck:
    """Return what counts texts outside of what a trained model knows, or of another language than said."""
    from scandl.models.trained_model import TrainedModel

    trained = isinstance(model, TrainedModel)
    return RangeCheck(trained=trained, longest=model.longest if isinstance(model, TrainedModel) else 0)


def _warn(check: RangeCheck | None) -> None:
    for line in check.lines() if check is not None else ():
        print(f"warning: {line}", file=sys.stderr)


def _say_context(model: Model, language: str) -> None:
    if about := model.context_about(language):
        print(about)


def _counted(n: int) -> str:
    return f"{n:,} scanpath{'s' * (n != 1)}"


def _repairs(model: Model, counts: Counter[str]) -> str:
    """Return what had to be repaired; models that draw words never need it."""
    from scandl.models.diffusion.diffusion_model import ScanpathModel
    from scandl.models.trained_model import TrainedModel

    if not isinstance(model, TrainedModel) or not isinstance(model.network, ScanpathModel):
        return ""
    return f"; repaired: {', '.join(f'{kind} {n}' for kind, n in sorted(counts.items())) or 'none'}"
