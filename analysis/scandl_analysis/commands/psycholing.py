"""``scandl-analysis psycholing``: effects of words on reading, for humans and for each model."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scandl_analysis.psycholing import Psycholing


def add(subparsers: Any) -> None:
    """Add the command."""
    from scandl.commandline import add_common
    from scandl_analysis.commands.predictors import add_surprisal
    from scandl_analysis.commands.source import add_source

    parser = subparsers.add_parser(
        "psycholing",
        help="effects of word length, frequency and surprisal, human against model",
        description="Fit Bayesian regressions of skipping, regressions and fixation counts for humans and for"
        " every model of a run, and compare the effects. Without --run: the newest run below runs/, or the"
        " demo.",
    )
    add_source(parser)
    parser.add_argument("--out", metavar="DIR", help="write effects.csv, recovery.csv, draws.nc … here")
    parser.add_argument(
        "--engine", default="nuts", metavar="NAME",
        help="nuts (default), imh, pymc, nutpie, numpyro; quick looks: laplace, mle, mle-robust",
    )  # fmt: skip
    parser.add_argument("--priors", choices=("brms", "bambi", "weak"), default="brms", help="default brms")
    parser.add_argument(
        "--design", choices=("paper", "joint"), default="paper",
        help="one model per source (default), or one of all with by-reader and by-sentence terms",
    )  # fmt: skip
    parser.add_argument(
        "--measures",
        choices=("paper", "firstpass"),
        default="paper",
        help="their definitions (default paper)",
    )
    parser.add_argument(
        "--counts", choices=("poisson", "negativebinomial"), default="poisson",
        help="family of the fixation counts (default poisson)",
    )  # fmt: skip
    add_surprisal(parser)
    parser.add_argument(
        "--scaling", choices=("human", "separate"), default="human",
        help="standardise by the human rows (default) or each source by itself, as published",
    )  # fmt: skip
    parser.add_argument(
        "--drop", choices=("first", "last"), action="append", default=[],
        help="leave out the first or the last word of every sentence; repeatable",
    )  # fmt: skip
    parser.add_argument("--no-ceiling", action="store_true", help="do not fit the two halves of the readers")
    parser.add_argument("--draws", type=int, default=1000, metavar="N", help="per chain (default 1000)")
    parser.add_argument("--chains", type=int, default=4, metavar="N", help="default 4")
    parser.add_argument("--report", metavar="F", help="write a report, .html, .pdf or .txt")
    add_common(parser, seed=True, jobs=True)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Analyse, write the files if asked to, and print effects and recovery."""
    from pathlib import Path

    from scandl_analysis.commands.source import open_source
    from scandl_analysis.psycholing import Options, psycholing
    from scandl_analysis.psycholing_files import write_psycholing
    from scandl_analysis.report import build_psycholing_report
    from scandl_reports.writing import check_form, write_report

    reports = [check_form(args.report)] if args.report else []
    options = Options(
        engine=args.engine, priors=args.priors, design=args.design, measures=args.measures,
        counts=args.counts, surprisal=args.surprisal, frequency=args.frequency, scaling=args.scaling,
        drop=tuple(dict.fromkeys(args.drop)), ceiling=not args.no_ceiling, draws=args.draws,
        chains=args.chains, seed=args.seed,
    )  # fmt: skip
    store = Path(args.out) / ".fits" if args.out else None
    found = psycholing(run=open_source(args), options=options, store=store, jobs=args.jobs, quiet=args.quiet)
    if args.out:
        # Files before text: who reads the text may stop reading (head) before it ends.
        reports.append(write_psycholing(found, args.out) / "report.html")
    if reports:
        write_report(build_psycholing_report(found), *reports)
    print("\n".join(text_lines(found)))
    if args.out:
        print(f"written to {args.out}")


def text_lines(found: Psycholing) -> list[str]:
    """Return the result as plain text, the notes first."""
    o = found.options
    lines = [*found.notes]
    lines.append(
        f"measures {o.measures}, design {o.design}, scaling {o.scaling}, priors {o.priors}, engine {o.engine}"
    )
    lines.append(
        "effect (posterior mean) [95 % interval]; sr, fpr on the logit scale, ffc, tfc on the log scale"
    )
    for (model, measure), rows in found.effects.groupby(["model", "measure"], sort=False):
        known = rows[rows["mean"].notna()]
        cells = [f"{r.predictor} {r.mean:.2f} [{r.ci_low:.2f}, {r.ci_high:.2f}]" for r in known.itertuples()]
        cells += dict.fromkeys(rows.loc[rows["mean"].isna(), "note"])
        lines.append(f"  {model:18} {measure}  {'; '.join(cells)}")
    if len(found.recovery_summary):
        lines.append(
            "recovery of the human effects: cells with the same sign, mean absolute difference, RMSE"
        )
    for row in found.recovery_summary.itertuples():
        interval = f"[{row.mean_abs_low:.3f}, {row.mean_abs_high:.3f}]"
        lines.append(
            f"  {row.model:18} {row.same_sign}/{row.cells}  {row.mean_abs:.3f} {interval}  {row.rmse:.3f}"
        )
    return lines + [f"warning: {line}" for line in found.warnings]
