"""``scandl-analysis fit``: a regression of one's own, written as a formula."""

from __future__ import annotations

import argparse

from scandl.cli.commandline import Parser, add_common, add_report
from scandl.options import add_option
from scandl_analysis.cli.source_flags import add_sampling


def add_fit(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Fit a Bayesian regression to the words of a corpus. Example: scandl-analysis fit"
        ' "FPRT ~ scale(word_length) * condition + scale(surprisal) + (1 + condition || reader) + (1 | item)"'
        " --corpus mine. Columns: the measures (sr, tfc, FFD, FPRT, TFT …), word_length, frequency,"
        " surprisal, previous_*, reader, sentence, item, word_token, and all of words.csv, sentences.csv and"
        " readers.csv."
    )
    parser.add_argument("formula", metavar="FORMULA", help="outcome ~ predictors + (effects || group)")
    add_option(parser, "corpus", required=True)
    add_option(parser, "words")
    parser.add_argument(
        "--family",
        choices=("bernoulli", "poisson", "negativebinomial", "gaussian", "lognormal"),
        help="of the outcome (default: what it looks like; the output says which)",
    )
    parser.add_argument(
        "--contrast",
        choices=("treatment", "sum", "sdif"),
        default="treatment",
        help="how factors are coded (default treatment; sdif: differences of neighbouring levels)",
    )
    add_sampling(parser, engine="auto", about="default auto: hmc, or nutpie where effects correlate")
    add_option(parser, "surprisal")
    add_option(parser, "keep")
    add_option(
        parser,
        "out",
        "folder for summary.csv, draws.nc, forest.png, report.html (default: only printed)",
        metavar="DIR",
    )
    add_report(parser)
    add_common(parser, seed=True)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Fit, write the files and print the effects."""
    from scandl.corpora.corpus_folder import find_corpus, open_corpus
    from scandl.files.results import check_folder, provenance
    from scandl_analysis.chapters.regression_chapter import regression_report
    from scandl_analysis.formulas.formula import read_formula
    from scandl_analysis.formulas.regression import fit
    from scandl_analysis.words.corpus_words import word_table
    from scandl_analysis.words.word_table import EDGES
    from scandl_reports.document import provenance_rows
    from scandl_reports.writing import check_form, to_latex, write_asked, write_report

    check_folder(args.out)
    reports = [check_form(args.report)] if args.report else []
    read_formula(args.formula)  # a slip in it is said before minutes of work
    edges = () if args.keep else EDGES
    words = word_table(open_corpus(args.corpus), surprisal=args.surprisal, drop=edges, words=args.words)
    result = fit(
        args.formula,
        words,
        family=args.family,
        contrast=args.contrast,
        engine=args.engine,
        priors=args.priors,
        draws=args.draws,
        chains=args.chains,
        seed=args.seed,
    )
    if args.out:
        reports.append(result.write(args.out) / "report.html")
    if reports or args.figures or args.latex:
        made_by = provenance(seed=args.seed, inputs=[find_corpus(args.corpus)]).as_dict()
        report = regression_report(result, provenance_rows(made_by))
        write_report(report, *reports)
        write_asked(report, None, args.figures)
    if args.latex:
        print(to_latex(report), end="")
        return
    print(result.text(quiet=args.quiet))
    print(f"written to {args.out}" if args.out else "not written: --out DIR keeps the tables")
