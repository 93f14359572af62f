"""The report of a benchmark run, built from the files of its folder and written into it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scandl.config import read_config
from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import DataError, Fact, ScandlError
from scandl.files.manifest import check_run
from scandl_eval.leaderboard.leaderboard import (
    JSON,
    Leaderboard,
    one_of_each_family,
    ordered_models,
    read_leaderboard,
)
from scandl_eval.references.reference_rows import HUMAN, SIMULATED, called
from scandl_eval.reporting import run_exhibits as exhibits
from scandl_eval.reporting import viewer
from scandl_eval.reporting.terms import board_terms
from scandl_eval.reporting.verdict import EFFECTS, data_findings, findings, headline, listed, tested_on, title
from scandl_eval.reporting.viewer import read_paths
from scandl_eval.running.tasks import RunConfig
from scandl_reports.document import (
    Block,
    Finding,
    Note,
    ReadSentence,
    Report,
    Section,
    Text,
    Viewer,
    provenance_rows,
)
from scandl_reports.figures.chart import looks
from scandl_reports.writing import usual_reports, write_report

EFFECTS_TABLE = "effects.csv"
"""What ``scandl-analysis psycholing`` leaves in a run folder."""
RUN_TOML = "run.toml"


def build_run_report(folder: Path | str, effects: Finding | None = None) -> Report:
    """Return the report of a run; what the folder lacks is said, with the command that makes it.

    ``effects`` is what the verdict says of effects and times; without it, how they are analysed.
    """
    run = Path(folder)
    if not (run / RUN_TOML).is_file():
        raise DataError(run, None, None, Fact(f"no {RUN_TOML}"), "the folder of a 'scandl-eval run'")
    config = read_config(RunConfig, run / RUN_TOML)
    subtitle = f"Corpus {config.corpus}, seed {config.seed}"
    head = f"Benchmark run {run.resolve().name}"
    if not (run / JSON).is_file():
        again = Note(
            f"No {JSON}: make it with 'scandl-eval run --config {run / RUN_TOML} --out {run}'.", "missing"
        )
        return Report(head, subtitle, (), (Section("Leaderboard", (again,)),))
    check_run(run)
    board = read_leaderboard(run)
    corpora, notes = _corpora(config)
    cards = [corpus.card for corpus in corpora.values()]
    readers = SIMULATED if any(card.kind == "simulated" for card in cards) else HUMAN
    sections, sentences = [], []
    for setting in board.settings:
        corpus = corpora.get("cross" if setting == "cross" else "")
        section, read = _setting(run, board, setting, corpus, readers)
        sections.append(section)
        sentences += read
    n_readers = min((len(corpus.reader_ids) for corpus in corpora.values()), default=None)
    tested = tested_on(corpora.values(), len({row.model for row in board.rows if row.kind == "model"}))
    *verdict, last = headline(board, cards, n_readers)
    return Report(
        head,
        f"{tested}, seed {config.seed}",
        (*verdict, effects or _no_effects(run, board.settings), last),
        (
            *sections,
            _scanpaths(sentences),
            *_all_numbers(board, readers),
            _details(board, config, readers, [*(Note(f.text) for f in data_findings(cards)), *notes]),
        ),
        board_terms(readers, config.metrics),
        provenance_rows(board.provenance),
        exhibits.picture(board, readers),
        readers,
    )


def _setting(
    run: Path, board: Leaderboard, setting: str, corpus: Corpus | None, readers: str
) -> tuple[Section, list[ReadSentence]]:
    """Return the chapter of a setting, and its sentences for the viewer."""
    name, models = title(setting), ordered_models(board, setting)
    files, missing = read_paths(run, models, setting)
    blocks: list[Block] = [
        exhibits.leaderboard_table(board, setting, name, readers),
        *(Text(finding.text, finding.about) for finding in findings(board, setting)),
    ]
    if missing:
        again = f"run 'scandl-eval run --config {run / RUN_TOML} --out {run}' again"
        blocks.append(
            Note(f"No predictions of {listed(missing)} in {name}: {again} to make them.", "missing")
        )
    best_of_each = one_of_each_family(models)
    several = len(best_of_each) < len(models)
    drawn = {model: file for model, file in files.items() if model in best_of_each}
    more: list[Block] = [
        *([exhibits.leaderboard_table(board, setting, name, readers, variants=True)] if several else []),
        exhibits.leaderboard_figure(board, setting, name, readers),
        exhibits.saccades(drawn, name, readers),
        exhibits.rates_scatter(drawn, "reader", name),
        exhibits.rates_scatter(drawn, "sentence", name),
        *exhibits.published_notes(board, setting),
    ]
    read = viewer.read_sentences(name, files, run, setting, corpus)
    return Section("Results", tuple(blocks), more=tuple(more), tab=name), read


def _scanpaths(sentences: Sequence[ReadSentence]) -> Section:
    if not sentences:
        return Section("Scanpaths", (Note("No predictions, so no scanpaths to look at.", "missing"),))
    models = dict.fromkeys(r.name for s in sentences for r in s.readings if r.instead_of)
    shown = Viewer(
        "Watch them read",
        tuple(sentences),
        "NLD",
        f"Up to {viewer.SENTENCES} sentences of each setting and {viewer.READERS} readers of each sentence, "
        "evenly spread; a model's path is the one generated for that reader.",
        {name: look.colour for name, look in looks(models).items()},
    )
    return Section("Scanpaths", (viewer.single_figure(sentences[0], sentences[0].group), shown))


def _all_numbers(board: Leaderboard, readers: str) -> list[Section]:
    return [
        Section(
            "All numbers", (exhibits.detail_table(board, s, title(s), readers),), appendix=True, tab=title(s)
        )
        for s in board.settings
    ]


def _details(board: Leaderboard, config: RunConfig, readers: str, notes: Sequence[Note]) -> Section:
    spec = board.metric_spec
    said = [
        Text(
            f"NLD: {spec.get('about', '')}; compared with: {spec.get('pairing', '')}; "
            f"items: {spec.get('items', '')}."
        ),
        *(
            Text(called(f"{name.capitalize()}: {text}.", readers))
            for name, text in dict(spec.get("notes", {})).items()
        ),
        Text(
            f"Folds {', '.join(map(str, config.folds))} of {config.n_folds} ({config.scheme}), "
            f"{config.samples} generated for each path of a reader."
        ),
    ]
    return Section("How this was made", (*said, *notes), appendix=True)


def _corpora(config: RunConfig) -> tuple[dict[str, Corpus], list[Note]]:
    """Open what was read and what was tested on; a corpus that has gone is a note."""
    found, notes = {}, []
    for key, name in (("", config.corpus), ("cross", config.test_corpus)):
        if name is None:
            continue
        try:
            found[key] = open_corpus(name)
        except ScandlError as error:
            notes.append(
                Note(
                    f"Corpus {name!r} cannot be opened, so durations of its readers are not shown: {error}",
                    "missing",
                )
            )
    return found, notes


def _no_effects(run: Path, settings: Sequence[str]) -> Finding:
    """Say how effects come onto the page; where they are in the folder already, one command does it."""
    if any(run.rglob(EFFECTS_TABLE)):
        return Finding(
            EFFECTS, f"In the folder, not yet on this page: 'scandl-analysis report {run}' adds them."
        )
    setting = "nrns" if "nrns" in settings else settings[0] if settings else "nrns"
    command = (
        f"scandl-analysis psycholing --run {run} --setting {setting} --out {run / 'psycholing' / setting}"
    )
    return Finding(
        EFFECTS, f"Not analysed yet: '{command}' and then 'scandl-analysis report {run}' add them."
    )


def write_run_report(folder: Path | str, *more: Path | str, paper: str = "a4") -> None:
    """Write the usual reports into a run folder, and more copies."""
    run = Path(folder)
    write_report(build_run_report(run), *usual_reports(run), *more, paper=paper)
