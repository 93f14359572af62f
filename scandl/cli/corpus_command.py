"""``scandl corpus``: list, show, fetch, import and check corpora."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.cli.commandline import Parser, add_common
from scandl.cli.flags import check_drawings, draw_readings
from scandl.corpora.corpus_check import check_corpus, list_corpora
from scandl.corpora.corpus_folder import DEMO, VARIABLE, open_corpus, write_corpus
from scandl.corpora.corpus_statistics import statistics_lines
from scandl.corpora.exporting import LAYOUT, export
from scandl.corpora.importers import IMPORTERS
from scandl.corpora.importers.importer import columns_of, filters_of
from scandl.corpora.public.declaration import editions_of, public_corpora, read_declaration
from scandl.drawings.page import scanpath_lines
from scandl.errors import ScandlError
from scandl.files.results import write_text
from scandl.files.tables import TERMINAL, check_ending
from scandl.models.text_generation import generate
from scandl.options import add_option, add_options, positive, whole

if TYPE_CHECKING:
    from scandl.corpora.corpus import Corpus
    from scandl.records import Prediction, Scanpath


def add(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    _add_list(actions)
    _add_show(actions)
    actions.add_parser("fetch", help="make a corpus folder of a public corpus, by name").fill = _add_fetch
    actions.add_parser("import", help="make a corpus folder from other people's files").fill = _add_kinds
    _add_check(actions)
    _add_impute(actions)
    _add_export(actions)


def _add_list(actions: argparse._SubParsersAction[Parser]) -> None:
    parser = actions.add_parser("list", help="installed corpora, and those that can be imported")
    add_option(parser, "public")
    add_common(parser)
    parser.set_defaults(run=_list)


def _add_show(actions: argparse._SubParsersAction[Parser]) -> None:
    parser = actions.add_parser("show", help="what a corpus is, its statistics, and some scanpaths")
    parser.add_argument("corpus", metavar="NAME", help="name or folder")
    parser.add_argument("--examples", type=whole, default=3, metavar="N", help="scanpaths drawn (default 3)")
    parser.add_argument(
        "--sentence", metavar="ID", help="draw scanpaths of this one (default: spread over all)"
    )
    parser.add_argument(
        "--model", metavar="NAME", help="draw this model's reading beside those of the corpus"
    )
    add_options(parser, "plot", "animate", "width")
    add_common(parser, seed=True)
    parser.set_defaults(run=_show)


def _add_fetch(parser: Parser) -> None:
    from scandl.corpora.importers.importer import add_filters

    parser.description = (
        "Download the files of a public corpus, check them, and write them as a corpus with its licence and "
        "citation. `scandl corpus list --public` has the names."
    )
    parser.add_argument("corpus", metavar="NAME", help="name of a public corpus")
    add_option(parser, "from", dest="folder")
    add_option(parser, "out", "corpus folder to write (default corpora/NAME)", metavar="DIR")
    add_option(
        parser,
        "column",
        "the column of the fixations that has a meaning, where a release calls it otherwise",
    )
    parser.add_argument(
        "--edition",
        action="append",
        default=[],
        metavar="NAME",
        help="of the corpus, as `scandl corpus list --public` names them; may be repeated",
    )
    add_filters(parser)
    _add_target(parser)
    add_common(parser)
    parser.set_defaults(run=_fetch)


def _add_target(parser: Parser) -> None:
    """Add how a corpus folder is written."""
    add_option(parser, "force")
    parser.add_argument("--form", choices=("csv", "parquet"), default="csv", help="of the tables")


def _add_check(actions: argparse._SubParsersAction[Parser]) -> None:
    parser = actions.add_parser("check", help="prove the ineditions of a corpus and print its statistics")
    parser.add_argument("corpus", metavar="NAME", help="name or folder")
    add_option(parser, "json", "also write the result there")
    add_common(parser)
    parser.set_defaults(run=_check)


def _add_impute(actions: argparse._SubParsersAction[Parser]) -> None:
    parser = actions.add_parser(
        "impute",
        help="fill in lost fixations, several times over",
        description="In fixations.csv a word_index may be NA (one fixation on an unknown word) or GAP"
        " (duration_ms of lost time). Both are drawn by a model, given the rest of the path, several times"
        " over (multiple imputation): --out gets one corpus folder per version, with the column imputed.",
    )
    parser.add_argument("corpus", metavar="DIR", help="corpus folder with lost fixations")
    add_option(parser, "model", "a word-pointing model (default people)")
    parser.add_argument("--versions", type=positive, default=5, metavar="M", help="default 5")
    add_option(parser, "out", "folder to write: one corpus per version", required=True, metavar="DIR")
    add_common(parser, seed=True)
    parser.set_defaults(run=_impute)


def _add_export(actions: argparse._SubParsersAction[Parser]) -> None:
    parser = actions.add_parser("export", help="write a corpus for pymovements, scanpath-studio or eyekit")
    parser.description = (
        "Write the fixations and the areas of the words. A corpus does not know where on a screen a word was:"
        " areas are those of a monospaced font, and a fixation is put in the middle of its word."
    )
    parser.add_argument("corpus", metavar="NAME", help="name or folder")
    add_option(parser, "to", required=True)
    add_option(parser, "out", "folder (pymovements, studio) or JSON file to write", required=True)
    add_option(parser, "layout")
    add_common(parser)
    parser.set_defaults(run=_export)


def _export(args: argparse.Namespace) -> None:
    corpus = open_corpus(args.corpus)
    export(corpus, args.to, args.out, args.layout or LAYOUT)
    print(f"wrote {args.out}: {len(corpus.scanpaths):,} scanpaths, {len(corpus.sentences):,} sentences")


def _add_kinds(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(required=True, metavar="KIND", parser_class=Parser)
    for kind in IMPORTERS:
        importer = IMPORTERS[kind]
        one = kinds.add_parser(kind, help=importer.title, description=f"{importer.title}. {_obtain(kind)}")
        importer.add_arguments(one)
        add_option(one, "out", "corpus folder to write", required=True, metavar="DIR")
        _add_target(one)
        for key, meaning in _CARD.items():
            choices = ("human", "simulated") if key == "kind" else None
            one.add_argument(f"--{key}", help=meaning, choices=choices)
        add_common(one)
        one.set_defaults(run=_import, importer=kind)


_CARD = {
    "name": "name on the card",
    "language": "language of the texts",
    "kind": "who read: human or simulated readers",
    "licence": "licence of the data",
    "citation": "what to cite",
}


def _obtain(kind: str) -> str:
    return f"Files from: {IMPORTERS[kind].obtain}."


def _list(args: argparse.Namespace) -> None:
    if args.public:
        print("\n".join(_public_lines()))
        return
    print(f"{'installed':<18}{'kind':<11}{'readers':>8}{'sentences':>11}{'scanpaths':>11}  folder")
    for entry in list_corpora():
        if entry.problem:
            print(f"{entry.name:<18}broken: {entry.problem}")
        else:
            sizes = f"{entry.readers:>8,}{entry.sentences:>11,}{entry.scanpaths:>11,}"
            where = "part of scandl" if entry.name == DEMO else entry.folder
            print(f"{entry.name:<18}{entry.kind:<11}{sizes}  {where}")
    if not args.quiet:
        print(f"(folders below ./corpora and the directories in ${VARIABLE})")
    print("\nimportable with `scandl corpus import KIND`")
    for kind in IMPORTERS:
        print(f"{kind:<18}{IMPORTERS[kind].title}\n{'':<18}{_obtain(kind)}")


def _public_lines() -> list[str]:
    """Return what can be fetched, under which terms, and from where."""
    lines = ["fetched with `scandl corpus fetch NAME`"]
    for name in public_corpora():
        found = read_declaration(name)
        about = [found.title, f"licence: {found.card.licence}", f"from: {found.obtain}"]
        about += [f"editions: {', '.join(editions)}"] if (editions := editions_of(name)) else []
        lines += [f"{name:<18}{about[0]}", *(f"{'':<18}{line}" for line in about[1:])]
    return lines


def _show(args: argparse.Namespace) -> None:

    check_drawings(args)
    corpus = open_corpus(args.corpus)
    print("\n".join(_card_lines(corpus)))
    if not corpus.scanpaths:
        return
    print()
    print("\n".join(statistics_lines(corpus)))
    for path in _examples(corpus, args.sentence, args.examples):
        sentence = corpus.sentences[path.sentence_id]
        print(f"\nreader {path.reader_id}, sentence {path.sentence_id} (fixation numbers below the words)")
        print(
            "\n".join(
                scanpath_lines(
                    sentence.words,
                    path.positions,
                    args.width or 80,
                    corpus.display_lines(sentence.sentence_id),
                )
            )
        )
    _draw(args, corpus)


def _examples(corpus: Corpus, sentence: str | None, n: int) -> Sequence[Scanpath]:
    """Return some scanpaths, spread over the readers."""
    paths: Sequence[Scanpath] = corpus.scanpaths
    if sentence is not None:
        paths = corpus.by_sentence.get(sentence, ())
        if not paths:
            raise ScandlError(
                f"{corpus.name}: found no scanpath of sentence {sentence!r}, expected one of the corpus"
            )
    return paths[:: max(1, len(paths) // max(1, n))][:n]


def _draw(args: argparse.Namespace, corpus: Corpus) -> None:
    """Draw readers of one sentence, and a model beside them when asked for."""
    if args.plot is None and args.animate is None:
        return
    sentence = corpus.sentences[args.sentence or corpus.scanpaths[0].sentence_id]
    people = _examples(corpus, sentence.sentence_id, args.examples)
    readings: list[tuple[str, Scanpath | Prediction]] = [
        (f"reader {path.reader_id}", path) for path in people
    ]
    if args.model is not None:
        (drawn,) = generate(sentence.text, model=args.model, seed=args.seed)
        readings.append((f"{args.model} (simulated)", drawn))
    title = f"{corpus.name}, sentence {sentence.sentence_id}"
    draw_readings(args, sentence.words, readings, title, corpus.display_lines(sentence.sentence_id))


def _card_lines(corpus: Corpus) -> list[str]:

    card = corpus.card
    rows = [
        (key, str(getattr(card, key)))
        for key in ("name", "language", "kind", "licence", "citation", "source", "notes")
    ]
    lines = [
        textwrap.fill(f"{key:<10}{value}", TERMINAL, subsequent_indent=" " * 10, break_long_words=False)
        for key, value in rows
        if value
    ]
    if card.kind == "simulated":
        lines.append("The readers are simulated: no human data.")
    if card.bibtex:
        lines += ["", card.bibtex.strip(), ""]
    return lines + _dropped_lines(corpus)


def _dropped_lines(corpus: Corpus) -> list[str]:
    return [f"left out: {count:,} {reason}" for reason, count in corpus.card.dropped.items()]


def _impute(args: argparse.Namespace) -> None:
    from scandl.models.imputation import impute

    if args.out.exists():
        raise ScandlError(f"{args.out}: found something there, expected a new folder for --out")
    done = impute(args.corpus, model=args.model, versions=args.versions, seed=args.seed)
    done.write(args.out)
    print(
        f"{args.out}: {len(done.corpora)} versions; {done.n_lost:,} lost fixations and {done.n_gaps:,} gaps"
        f" filled in, {done.share:.1%} of all fixations (model {done.model})"
    )


def _import(args: argparse.Namespace) -> None:
    args.name = args.name or args.out.resolve().name
    _check_target(args)
    _write(IMPORTERS[args.importer].run(args), args)


def _fetch(args: argparse.Namespace) -> None:
    from scandl.corpora.public.fetching import fetch

    declaration = read_declaration(args.corpus, args.edition)
    args.out = args.out or Path("corpora", args.corpus)
    _check_target(args)
    corpus = fetch(
        declaration,
        args.folder or args.out.parent / ".fetched" / args.corpus,
        columns=columns_of(args.column),
        given=args.folder is not None,
        filters=filters_of(args),
        say=(lambda line: None) if args.quiet else print,
    )
    _write(corpus, args)
    print(f"licence: {corpus.card.licence}\ncite: {corpus.card.citation}")


def _write(corpus: Corpus, args: argparse.Namespace) -> None:
    """Write the corpus and say what was left out."""
    write_corpus(corpus, args.out, form=args.form)
    print(f"wrote {args.out}: {len(corpus.scanpaths):,} scanpaths, {len(corpus.sentences):,} sentences")
    notes = corpus.card.notes.split("; ") if corpus.card.notes else []
    left_out = [*(note for note in notes if "left out" in note), *_dropped_lines(corpus)]
    others = [note for note in notes if note not in left_out]
    print("\n".join([*others, *(left_out or ["nothing was left out"])]))
    if not args.quiet:
        print("\n".join(["", *statistics_lines(corpus)]))


def _check_target(args: argparse.Namespace) -> None:
    """Refuse to replace anything but a corpus, and a corpus without being told to."""
    check_ending(f"fixations.{args.form}")
    out: Path = args.out
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    if not (out / "corpus.toml").is_file():
        raise ScandlError(f"{out}: found something that is not a corpus, expected a new folder for --out")
    if not args.force:
        raise ScandlError(f"{out}: found a corpus, expected a new folder (or --force to replace it)")


def _check(args: argparse.Namespace) -> int:

    check = check_corpus(args.corpus)
    if args.json:
        write_text(args.json, json.dumps(check.as_dict(), indent=2, ensure_ascii=False) + "\n")
    if check.problems:
        for problem in check.problems:
            print(problem, file=sys.stderr)
        return 1
    print(f"{check.folder}: corpus {check.corpus.name!r} keeps every rule")
    for remark in check.remarks:
        print(f"remark: {remark}")
    if check.corpus.card.kind == "simulated":
        print("The readers are simulated: no human data.")
    print("\n".join(statistics_lines(check.corpus)))
    return 0
