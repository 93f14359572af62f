"""``scandl-analysis measures``, ``predictors`` and ``words``: tables of words."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from scandl.cli.commandline import Parser, add_common
from scandl.cli.flags import add_columns
from scandl.errors import ConfigError
from scandl.files.prediction_columns import files_of
from scandl.options import add_option
from scandl_analysis.cli.source_flags import FAMILIES, add_priors

if TYPE_CHECKING:
    from scandl_analysis.words.word_files import Written


def add_measures(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Write a tidy table of reading measures: one row per source, reader, sentence and word."
    )
    add_option(parser, "corpus", "name or folder of a corpus: its readers, or the texts")
    add_option(parser, "pred", "predictions: CSV, Parquet, JSON or JSON lines; may be several files")
    add_columns(parser)
    _add_table(parser)
    add_option(
        parser,
        "variant",
        "of words: sr, fpr, ffc, tfc as published with ScanDL, or strictly first pass (default paper)",
    )
    add_regions(parser)
    parser.add_argument("--per-scanpath", action="store_true", help="one row per scanpath, six measures")
    parser.add_argument(
        "--convention",
        choices=("words", "scandl"),
        help="with --per-scanpath: count words only, or CLS and SEP too, as published (default words)",
    )
    add_common(parser)
    parser.set_defaults(run=run_measures)


def add_predictors(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = "Write the predictors of every word of a corpus, and which source they come from."
    add_option(parser, "corpus", required=True)
    _add_table(parser)
    add_predictor_flags(parser)
    add_common(parser)
    parser.set_defaults(run=run_predictors)


def add_words(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Write one row per reader and word (or region) with everything that is known of it, a codebook "
        "beside it, and with --r a script that fits the same regression by lme4 and brms."
    )
    add_option(parser, "corpus", required=True)
    _add_table(parser)
    add_option(parser, "variant", "of the measures (default firstpass)", default="firstpass")
    add_regions(parser)
    add_option(parser, "words")
    add_option(parser, "keep")
    parser.add_argument(
        "--r",
        nargs="?",
        const="",
        metavar="FORMULA",
        help="also write analysis.R beside the CSV table",
    )
    add_family(parser, "with --r: ")
    parser.add_argument(
        "--contrast", choices=("treatment", "sum", "sdif"), default="treatment", help="with --r"
    )
    add_priors(parser, "with --r; ")
    add_predictor_flags(parser)
    add_common(parser)
    parser.set_defaults(run=run_words)


def _add_table(parser: argparse.ArgumentParser) -> None:
    add_option(parser, "out", "the table, .csv or .parquet", metavar="F", required=True)


def add_family(parser: argparse.ArgumentParser, when: str = "") -> None:
    """Add the distribution of an outcome."""
    parser.add_argument(
        "--family",
        choices=FAMILIES,
        help=f"{when}of the outcome (default: what it looks like; the output says which)",
    )


def add_regions(parser: argparse.ArgumentParser) -> None:
    """Add the table of regions."""
    parser.add_argument(
        "--regions",
        metavar="F",
        help="measure regions of several words: a table of sentence_id and text with | between regions, or "
        "of sentence_id, region, words (such as 5-7, from 0)",
    )


def add_predictor_flags(parser: argparse.ArgumentParser) -> None:
    """Add the choices that every command with predictors offers."""
    add_option(
        parser,
        "surprisal",
        "auto, gpt2, a folder or hub name of a causal language model, smollm2, small, trigram, unigram"
        " (default auto: the best that is here; the output says which)",
    )
    add_option(
        parser, "frequency", "scale of word frequency; proportion is the published analysis's (default zipf)"
    )
    parser.add_argument("--bow", action="store_true", help="correct surprisal for beginnings of words")
    parser.add_argument(
        "--alignment",
        choices=("offsets", "scandl-v1"),
        default="offsets",
        help="tokens to words by characters, or with the slip of ScanDL's first release (default offsets)",
    )
    parser.add_argument(
        "--unit", choices=("nats", "bits"), default="nats", help="of surprisal (default nats)"
    )
    parser.add_argument(
        "--no-punctuation", action="store_true", help="word length counts letters and digits only"
    )


def _predictor_choices(args: argparse.Namespace) -> dict[str, Any]:
    """Return what the flags of ``add_predictor_flags`` chose, beside the source of surprisal."""
    chosen = {name: getattr(args, name) for name in ("frequency", "unit", "bow", "alignment")}
    return {**chosen, "punctuation": not args.no_punctuation}


def _print_notes(args: argparse.Namespace, written: Written) -> None:
    for note in () if args.quiet else written.notes:
        print(note)


def run_measures(args: argparse.Namespace) -> None:
    """Write the table and print the means of each source."""
    from scandl_analysis.words.word_files import mean_lines, write_measures

    if args.per_scanpath and args.variant:
        raise ConfigError("--variant is of word measures: leave it out with --per-scanpath")
    if args.regions and args.per_scanpath:
        raise ConfigError("--regions is of word measures: leave it out with --per-scanpath")
    if args.convention and not args.per_scanpath:
        raise ConfigError("--convention is of scanpath measures: give --per-scanpath with it")
    variant, convention = args.variant or "paper", args.convention or "words"
    written = write_measures(
        args.out,
        corpus=args.corpus,
        pred=files_of(args.pred, args.column),
        index_base=args.index_base,
        variant=variant,
        per_scanpath=args.per_scanpath,
        convention=convention,
        regions=args.regions,
    )
    _print_notes(args, written)
    for line in mean_lines(written.frame):
        print(line)
    rule = f"convention {convention}" if args.per_scanpath else f"variant {variant}"
    rows = "scanpaths" if args.per_scanpath else "words"
    print(f"mean over {rows} ± standard error over readers and sentences; {rule}")
    print(f"{len(written.frame):,} rows in {written.path}, how it was made in {written.path}.json")


def run_predictors(args: argparse.Namespace) -> None:
    """Write the table and print where the values come from."""
    from scandl_analysis.words.word_files import write_predictors

    written = write_predictors(args.out, args.corpus, provider=args.surprisal, **_predictor_choices(args))
    _print_notes(args, written)
    print(f"{len(written.frame):,} words in {written.path}, how it was made in {written.path}.json")


def run_words(args: argparse.Namespace) -> None:
    """Write the table, its codebook and the script."""
    from scandl_analysis.formulas.r_script import write_words

    written = write_words(
        args.out,
        args.corpus,
        regions=args.regions,
        words=args.words,
        keep_edges=bool(args.keep),
        formula=args.r,
        family=args.family,
        contrast=args.contrast,
        priors=args.priors,
        measures=args.variant,
        surprisal=args.surprisal,
        **_predictor_choices(args),
    )
    _print_notes(args, written)
    print(f"{len(written.frame):,} rows, {len(written.frame.columns)} columns in {written.path}")
    for path in written.beside:
        print(f"beside it: {path}")
