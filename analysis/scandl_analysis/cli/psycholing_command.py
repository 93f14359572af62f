"""``scandl-analysis psycholing``: effects of words on reading, for humans and for each model."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from scandl.cli.commandline import add_common, add_report, listed, positive, whole
from scandl.errors import ConfigError
from scandl_analysis.cli.source_flags import add_source
from scandl_analysis.cli.word_commands import add_predictor_flags

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pandas as pd

    from scandl_analysis.cli.source_flags import Commands
    from scandl_analysis.effects.psycholing import Psycholing


def add_psycholing(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "psycholing",
        help="effects of word length, frequency and surprisal, human against model",
        description="Fit Bayesian regressions of skipping, regressions, fixation counts and reading times for"
        " humans and for every model of a run, and compare the effects. Without --run: the newest run below"
        " runs/, or the demo. With --corpus alone: the readers of a corpus by themselves.",
    )
    add_source(parser, readers_alone=True)
    _add_regressions(parser)
    add_predictor_flags(parser)
    _add_words(parser)
    add_report(parser)
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="folder for effects.csv, recovery.csv, draws.nc … (default psycholing/SETTING in the run's;"
        " of the demo psycholing-demo; quick looks and --pred are only printed)",
    )
    parser.add_argument("--scheduler", metavar="ADDRESS", help="fit on the Dask cluster at this address")
    add_common(parser, seed=True, jobs=True)
    parser.set_defaults(run=run)


def _add_regressions(parser: argparse.ArgumentParser) -> None:
    """Add what is fitted, and how."""
    parser.add_argument(
        "--engine",
        default="hmc",
        metavar="NAME",
        help="hmc (default); laplace, a quick look; pymc or nutpie, the same model built by bambi (slow)",
    )
    parser.add_argument("--priors", choices=("brms", "bambi", "weak"), default="brms", help="default brms")
    parser.add_argument(
        "--design",
        choices=("crossed", "paper", "joint", "maximal"),
        help="one model per source with slopes of readers and intercepts of sentences and word tokens"
        " (default; of the embedded demo paper, which takes two minutes); with reader intercepts of humans"
        " only, as published; one model of all sources; crossed with correlated slopes (hours)",
    )
    parser.add_argument(
        "--measures",
        type=listed,
        metavar="NAMES",
        help="with commas: sr, fpr, ffc, tfc, FFD, SFD, FPRT, RPD, TFT, RRT … (default sr,fpr,ffc,tfc and,"
        " where durations are and the design is not paper, FPRT,TFT)",
    )
    parser.add_argument(
        "--variant",
        choices=("paper", "firstpass"),
        default="paper",
        help="sr, fpr, ffc, tfc as published with ScanDL, or strictly first pass (default paper)",
    )
    parser.add_argument(
        "--counts",
        choices=("poisson", "negativebinomial"),
        default="poisson",
        help="family of the fixation counts (default poisson)",
    )
    parser.add_argument("--no-ceiling", action="store_true", help="do not fit the two halves of the readers")
    parser.add_argument("--draws", type=_draws, default=1000, metavar="N", help="per chain (default 1000)")
    parser.add_argument("--chains", type=positive, default=4, metavar="N", help="default 4")


def _add_words(parser: argparse.ArgumentParser) -> None:
    """Add which words enter, and how they are grouped."""
    parser.add_argument(
        "--scaling",
        choices=("human", "separate"),
        default="human",
        help="standardise by the human rows (default) or each source by itself, as published",
    )
    parser.add_argument(
        "--keep",
        choices=("edges",),
        help="keep the first and last words of sentences, which are left out unless the design is paper",
    )
    parser.add_argument(
        "--drop",
        choices=("first", "last"),
        action="append",
        default=[],
        help="leave out only the first or only the last word of every sentence; repeatable",
    )
    parser.add_argument(
        "--spillover",
        action="store_true",
        help="add the previous word's length, frequency and surprisal; first words are left out",
    )
    parser.add_argument(
        "--by",
        metavar="COLUMN",
        help="also compare the effects between groups of readers (a column of readers.csv, such as group) or"
        " conditions of sentences (a column of sentences.csv)",
    )
    parser.add_argument(
        "--no-edge-check", action="store_true", help="do not look at the readers with the edges of sentences"
    )


def _drop(args: argparse.Namespace) -> tuple[str, ...] | None:
    if args.keep and args.drop:
        raise ConfigError("--keep edges and --drop exclude each other")
    return () if args.keep else tuple(dict.fromkeys(args.drop)) or None


def _draws(text: str) -> int:
    return whole(text, 4)  # fewer cannot be diagnosed at all


def run(args: argparse.Namespace) -> None:
    """Analyse, write the files, and print effects and recovery."""
    from pathlib import Path

    from scandl.files.results import check_folder
    from scandl_analysis.glm.fit import check_engine, check_netcdf
    from scandl_analysis.words.analysed_run import open_source
    from scandl_reports.latex import to_latex
    from scandl_reports.writing import check_form, write_asked, write_report

    reports = [check_form(args.report)] if args.report else []
    check_folder(args.out)
    check_engine(args.engine)

    from scandl_analysis.chapters.effects_chapter import build_psycholing_report
    from scandl_analysis.effects.designs import Options
    from scandl_analysis.effects.fitting import on_cluster
    from scandl_analysis.effects.psycholing import home_of, psycholing, write_psycholing
    from scandl_analysis.predictors.surprisal import without_context

    source = open_source(args)
    options = Options(
        engine=args.engine,
        priors=args.priors,
        design=args.design,
        measures=args.measures,
        variant=args.variant,
        counts=args.counts,
        surprisal=args.surprisal,
        frequency=args.frequency,
        scaling=args.scaling,
        alignment=args.alignment,
        bow=args.bow,
        unit=args.unit,
        punctuation=not args.no_punctuation,
        drop=_drop(args),
        spillover=args.spillover,
        ceiling=not args.no_ceiling,
        edge_check=not args.no_edge_check,
        by=args.by,
        draws=args.draws,
        chains=args.chains,
        seed=args.seed,
    )
    out, why_not = (Path(args.out), "") if args.out else home_of(source, options)
    if out is not None:
        check_netcdf()
    # What this is comes before minutes of work.
    poor = "" if args.quiet else without_context(args.surprisal)
    first = [*source.first_lines[: 1 if args.quiet else None], why_not, poor]
    print("\n".join(filter(None, first)), flush=True)
    store = None if out is None else out / ".fits"
    with on_cluster(args.scheduler):
        found = psycholing(run=source, options=options, store=store, jobs=args.jobs, quiet=args.quiet)
    if out is not None:
        # Files before text: who reads the text may stop reading (head) before it ends.
        reports.append(write_psycholing(found, out) / "report.html")
    if reports or args.figures or args.latex:
        report = build_psycholing_report(found)
        write_report(report, *reports)
        write_asked(report, None, args.figures)
    if args.latex:
        print(to_latex(report), end="")
        return
    notes = [] if args.quiet else found.notes[len(source.first_lines) :]
    print("\n".join([*notes, *text_lines(found)]))
    print(f"written to {out}" if out is not None else "not written: --out DIR keeps the tables")


def text_lines(found: Psycholing) -> list[str]:
    """Return the result as plain text: how, effects, recovery, warnings."""
    from scandl_analysis.chapters.result_tables import records
    from scandl_analysis.effects.effect_table import WARNING, edge_verdict
    from scandl_analysis.glm.spec import QUICK_LOOK

    o = found.options
    kind = "Laplace approximation, a quick look" if o.engine == QUICK_LOOK else "posterior mean"
    lines = [
        f"measures as in {o.variant}, design {o.design}, scaling {o.scaling}, priors {o.priors},"
        f" engine {o.engine}",
        f"effect ({kind}) [95 % interval]; ! = see the warnings;",
        "sr, fpr on the logit scale, ffc, tfc and times on the log scale",
    ]
    marked = found.effects.assign(mark=found.effects["note"].str.contains(WARNING, na=False))
    lines += _effect_table(marked, "model")
    if len(found.recovery_summary):
        lines += ["", "recovery of the human effects; no effects = all slopes 0"]
        lines += _recovery_table([*records(found.recovery_summary), *_of_times(found)])
    hanging = [said] if (said := edge_verdict(found.edges)) else []
    return [*lines, *hanging, *_group_lines(found), *(f"warning: {line}" for line in found.warnings)]


def _effect_table(effects: pd.DataFrame, source: str) -> list[str]:
    """Return the effects of all predictors, a line for each source and measure, and those on times in ms."""
    timed = effects[effects["ms"].notna()] if "ms" in effects else effects[:0]
    lines = [*_by_source(effects[effects["mean"].notna()], source, _effect), *_reasons(effects, source)]
    return [*lines, *(["", "in ms:", *_by_source(timed, source, _ms)] if len(timed) else [])]


def _by_source(effects: pd.DataFrame, source: str, cell: Callable[[Mapping[str, Any]], str]) -> list[str]:
    """Return a line for each source and measure; what is missing is a dash."""
    from scandl.files.tables import text_rows
    from scandl_analysis.chapters.result_tables import records

    predictors = list(dict.fromkeys(effects["predictor"]))
    rows = []
    for (name, measure), part in effects.groupby([source, "measure"], sort=False, dropna=False):
        known = {row["predictor"]: cell(row) for row in records(part)}
        rows.append((str(name), str(measure), *(known.get(each, "–") for each in predictors)))
    return text_rows([source, "measure", *predictors], rows)


def _effect(row: Mapping[str, Any]) -> str:
    return f"{row['mean']:.2f} [{row['ci_low']:.2f}, {row['ci_high']:.2f}]{' !' * bool(row.get('mark'))}"


def _ms(row: Mapping[str, Any]) -> str:
    return f"{row['ms']:+.1f} [{row['ms_low']:.1f}, {row['ms_high']:.1f}]"


def _reasons(effects: pd.DataFrame, source: str) -> list[str]:
    """Say once why effects are missing, and of whom where it is not all."""
    missing = effects[effects["mean"].isna()]
    lines = []
    for note, rows in missing.groupby("note", sort=False):
        names = list(dict.fromkeys(map(str, rows[source])))
        everyone = len(names) == effects[source].nunique()
        lines.append(str(note) if everyone else f"{', '.join(names)}: {note}")
    return lines


def _recovery_table(summary: Sequence[Mapping[str, Any]]) -> list[str]:
    from scandl.files.tables import text_rows
    from scandl_analysis.chapters.recovery_chapter import distance

    rows = []
    for row in summary:
        if not row["cells"]:
            rows.append((row["model"], "–", "–", "", "–", "no effect that both have"))
            continue
        doubt = f"! {row['note']}" if row["note"] else ""
        same = f"{row['same_sign']}/{row['cells']}"
        rows.append((row["model"], same, distance(row), _less(row), f"{row['rmse']:.3f}", doubt))
    header = ["model", "same sign", "mean difference [95 %]", "less the nearest [95 %]", "RMSE", ""]
    return text_rows(header, rows)


def _group_lines(found: Psycholing) -> list[str]:
    """Return the effects by group or condition, and their differences."""
    if not len(found.groups):
        return []
    head = f"effects by {found.options.by}, differences from the first level"
    return ["", head, *_effect_table(found.groups, "level")]


def _of_times(found: Psycholing) -> list[dict[str, Any]]:
    """Return the recovery of effects on times, named so; nothing where it stands there already."""
    from scandl_analysis.chapters.result_tables import records

    if not len(found.time_summary) or found.time_summary.equals(found.recovery_summary):
        return []
    return [row | {"model": f"{row['model']}, times"} for row in records(found.time_summary)]


def _less(row: Mapping[str, Any]) -> str:
    """Return how much further away than the nearest a model is; nothing where that was not compared."""
    if row["minus_nearest"] is None:
        return ""
    if row["minus_nearest"] == 0:
        return "nearest"
    return f"{row['minus_nearest']:.3f} [{row['minus_nearest_low']:.3f}, {row['minus_nearest_high']:.3f}]"
