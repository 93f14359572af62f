"""``scandl-analysis fit``: a regression of one's own, written as a formula."""

from __future__ import annotations

import argparse
from pathlib import Path

from scandl.cli.commandline import Parser, add_common, add_report
from scandl.corpora.corpus_folder import find_corpus
from scandl.errors import ConfigError
from scandl.files.results import check_folder, provenance
from scandl.options import add_option
from scandl_analysis.cli.source_flags import add_sampling
from scandl_analysis.cli.word_commands import add_family, add_regions
from scandl_analysis.formulas.apa import latex, paper_text, write_paper
from scandl_analysis.formulas.formula import CONTRASTS, read_formula
from scandl_reports.document import provenance_rows
from scandl_reports.writing import check_form, to_latex, write_asked, write_report


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
    add_regions(parser)
    add_family(parser)
    parser.add_argument(
        "--contrast",
        action="append",
        default=[],
        metavar="NAME",
        help="how factors are coded: treatment (default), sum, sdif (differences of neighbouring levels); or "
        "a difference of means such as hard-easy, in ms or percent; may be repeated",
    )
    parser.add_argument(
        "--rope", type=float, metavar="X", help="the share of each contrast's draws within ± X"
    )
    parser.add_argument(
        "--prior",
        action="append",
        default=[],
        metavar="P",
        help="your own for one parameter: 'word_length ~ normal(0, 0.1)', 'sd(reader) ~ normal(0, 0.5)'",
    )
    parser.add_argument(
        "--compare",
        action="append",
        default=[],
        metavar="FORMULA",
        help="compare with another formula by LOO; repeat",
    )
    parser.add_argument(
        "--style",
        choices=("plain", "apa"),
        default="plain",
        help="apa: table, results and methods for a paper",
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
    from scandl_analysis.chapters.regression_chapter import regression_report
    from scandl_analysis.formulas.predictive import common_rows, compare
    from scandl_analysis.formulas.regression import fit
    from scandl_analysis.words.analysed_run import open_words
    from scandl_analysis.words.corpus_words import word_table
    from scandl_analysis.words.word_table import EDGES

    check_folder(args.out)
    reports = [check_form(args.report)] if args.report else []
    read_formula(args.formula)  # a slip in it is said before minutes of work
    codings = [name for name in args.contrast if name in CONTRASTS]
    differences = [name for name in args.contrast if name not in CONTRASTS]
    if len(codings) > 1:
        raise ConfigError(f"--contrast {' and '.join(codings)}: expected one coding of factors")
    edges = () if args.keep else EDGES
    words = word_table(
        open_words(args.corpus),
        surprisal=args.surprisal,
        drop=edges,
        words=args.words,
        regions=args.regions,
    )
    formulas = [args.formula, *args.compare]
    if args.compare:
        words = common_rows(formulas, words)
    fits = {
        formula: fit(
            formula,
            words,
            family=args.family,
            contrast=(codings or ["treatment"])[0],
            engine=args.engine,
            priors=args.priors,
            prior=args.prior,
            draws=args.draws,
            chains=args.chains,
            seed=args.seed,
        )
        for formula in formulas
    }
    result = fits[args.formula]
    means = result.means()
    if means is None and (differences or args.rope is not None):
        raise ConfigError(f"--contrast and --rope are of means: {result.formula} has no factor")
    tables = [] if means is None else [means.table(), means.contrasts(differences, rope=args.rope)]
    if args.out:
        reports.append(result.write(args.out, contrasts=differences, rope=args.rope) / "report.html")
        if args.style == "apa":
            write_paper(result, Path(args.out))
    if reports or args.figures or args.latex:
        made_by = provenance(seed=args.seed, inputs=[find_corpus(args.corpus)]).as_dict()
        report = regression_report(result, provenance_rows(made_by))
        write_report(report, *reports)
        write_asked(report, None, args.figures)
    if args.latex:
        print(latex(result) if args.style == "apa" else to_latex(report), end="")
        return
    if args.style == "apa":
        print(paper_text(result), end="")
    else:
        print(result.text(quiet=args.quiet))
        for table in tables:
            print(f"\n{table.to_string(index=False, float_format='{:.3f}'.format, na_rep='')}")
    if args.compare:
        print(f"\n{compare(fits).to_string()}")
    print(f"written to {args.out}" if args.out else "not written: --out DIR keeps the tables")
