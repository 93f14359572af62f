"""The shipped model of human readers: which people it learned from, how it is made, what to say of it.

``python -m scandl.models.pointer.people`` trains, saves and describes it. It finds the corpora below
``./corpora`` or ``$SCANDL_CORPORA``, by the names of ``TASKS``. The same corpora and machine give the same
bytes.

What of a recorded path is the display's doing and not the reader's is left out. A display begins during a
fixation and ends during one, which are cut. How long one stays on its last word before ending it differs
between laboratories more than between words. And where one display follows the other, the eyes go to where
the next begins before this one is gone: of the natives of Reading Brain 32 % of paths end one or two
fixations after a saccade back over a third of the sentence or more (where it is one, it lasts 144 ms in the
median, other fixations 213), of the passages of Provo 25 %.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scandl.corpora.corpus import Corpus, corpus_digest, joined
from scandl.corpora.corpus_folder import open_corpus
from scandl.corpora.longer_texts import with_longer_texts
from scandl.files.results import write_text
from scandl.models.pointer.condition import PARAGRAPH, PART, SENTENCE, calibrated, styles_of
from scandl.models.pointer.pointer_generator import one_thread
from scandl.models.pointer.pointer_model import LINE, save
from scandl.models.pointer.pointer_settings import PointerConfig
from scandl.records import Scanpath
from scandl.text.context import ContextSource, WordContext, open_context

Array = NDArray[np.float64]

NAME = "people"
FILE = Path(str(files("scandl.models.shipped").joinpath(f"{NAME}.npz")))
TASKS = {
    "reading-brain-l1": SENTENCE,
    "reading-brain-l2": SENTENCE,
    "provo": PART,
    "provo-passages": PARAGRAPH,
}
"""The training corpora, and what a path is of: a display of one sentence or of several, or part of one."""
GROUP = "L1"
"""The group that reads where none is asked for."""
ABOUT = (
    "a small transformer trained on 192 human readers of English (Reading Brain Project, L1 and L2; Provo"
    " Corpus): where they look and for how long; for piloting and augmentation, no substitute for data"
)
ENGINE = (
    "word-pointing network: the length of a path, then its words in order of time;"
    " two log-normals for durations"
)
CITATIONS = {
    "reading-brain-l1": (
        "Li, Hsu, Schloss, Yu, Ma, Scotto, Seyfried & Gu, The Reading Brain Project L1 Adults, OpenNeuro,"
        " doi 10.18112/openneuro.ds003974.v3.0.0; Li & Clariana 2019, Journal of Neurolinguistics 50, 94–105;"
        " Follmer, Fang, Clariana, Meyer & Li 2018, Reading and Writing 31, 185–214;"
        " Hsu, Clariana, Schloss & Li 2019, Scientific Reports 9"
    ),
    "reading-brain-l2": "The Reading Brain Project L2 Adults, OpenNeuro ds003988; else as reading-brain-l1",
    "provo": (
        "Luke & Christianson 2018, The Provo Corpus: a large eye-tracking corpus with predictability norms,"
        " Behavior Research Methods 50, 826–833; osf.io/sjefs (CC BY 4.0; fixations were cut into sentences)"
    ),
}
SOURCES = {name: name for name in CITATIONS} | {"provo-passages": "provo"}
"""Where each training corpus comes from: Provo's sentences and passages are the same fixations."""
READER_SPREAD = {"log ms": 0.88, "log odds": 0.78, "log count": 0.80, "slopes": 0.25}
"""Standard deviation between simulated readers as a share of people's, by the scale of a measure; and that of
people's slopes of word length as a share of their intercepts' (simulated readers hardly differ in it).

Means over schilling and reading-brain-l1; python benchmarks/readers/bench_simulated_readers.py"""
GOOD_FOR = (
    "piloting: which words of a text are skipped, refixated, looked at long, by how much readers differ",
    "augmentation: any number of readers with stable styles, L1 or L2, of any English text",
    "a baseline that was trained on none of your data",
)
LIMITS = (
    "trained on English alone: other languages are read by their own word lengths and frequencies, and"
    " without context",
    "expository and narrative prose of 3 to 60 words; longer texts are read, but were not trained on",
    "adults in laboratories, L2 means Mandarin natives; no children, no dyslexia, no other scripts",
    "words, times and, where a corpus has them, lines; no letters, no landing positions",
    "of context it knows how expected each word is, by a small estimate or by a language model (--context),"
    " not what it means: garden paths and agreement show as far as they surprise",
    "how densely the readers of a laboratory fixate is what it knows least: give it some of their paths"
    " (scandl generate --like, --like-lab, in the benchmark people-like)",
    "long single sentences were made of short ones for training; difficult ones are still reread too little",
    "where a path begins is as in the training displays, which often began during a fixation",
)
NUMBERS = (
    "energy distance to corpora not trained on, but looked at when recipes were chosen, with the small"
    " estimate of context: schilling .027 [.015, .039] (markov-text .090, SWIFT .072), mertzen .040"
    " [.024, .056] (.068, .169), onestop-sample .030 (.034, .140); told by SmolLM2 .023, .038, .026;"
    " python benchmarks/readers/bench_context.py, docs/scandl-next.md",
    "with durations (energy-time): .029, .038, .024 (markov-text with times by word .087, .059, .032; SWIFT"
    " .065, .159, .119)",
    "effect of surprisal on fixations, gaze and total time, share of people's: told by SmolLM2 .72, .95, .62"
    " on schilling, .07, .78, .29 on mertzen, .66, .51, .61 on onestop-sample; by the small estimate .26,"
    " .48, .16 on schilling and .22, .56, .32 on mertzen; python benchmarks/readers/bench_context.py",
    "gaze duration by word, r with readers on schilling, small estimate: .66; word length alone .55;"
    " python benchmarks/readers/bench_word_times.py schilling --readers 300",
    "hindi, of which nobody was trained on: energy .051 (markov-text fitted on two folds .065)",
)
_FAR = 1 / 3  # of the text: a saccade back at the end that goes as far is to the next display
_MOST_AFTER = 2  # fixations after it; whoever makes more reads again


def config() -> PointerConfig:
    """Return what is trained first, mostly in order of time, and for how long."""
    chosen = PointerConfig()
    return replace(
        chosen,
        network=replace(chosen.network, duration_noise=0.3),
        sampling=replace(chosen.sampling, order="time", context="small", gain=1.7),
        training=replace(chosen.training, steps=4000, ema_decay=0.999),
        in_order=0.7,
        given=0.25,
    )


def last_stage(first: PointerConfig) -> PointerConfig:
    """Return what the network learns after that: more of the same, in smaller steps."""
    return replace(
        first,
        training=replace(
            first.training, steps=max(1, first.training.steps * 9 // 40), lr=8e-4, warmup=20, ema_decay=0.99
        ),
        in_order=0.75,
        given=0.25,
    )


def people(corpora: Sequence[Corpus]) -> Corpus:
    """Return what the network learns from: what was shown, and longer sentences made of the short ones."""
    return _as_read(corpora, longer=True)


def contexts(corpus: Corpus, source: ContextSource) -> dict[str, WordContext]:
    """Return how expected the words of each text are; a longer text made of several has that of each."""
    shown = [key for key in corpus.sentences if "+" not in key]
    found = dict(zip(shown, source.of_texts([corpus.sentences[key].words for key in shown]), strict=True))
    for key in corpus.sentences.keys() - found.keys():
        name, _, own = key.partition("/")
        parts = [found[f"{name}/{part}"] for part in own.split("+")]
        found[key] = WordContext(
            *(
                np.concatenate([getattr(part, of) for part in parts])
                for of in ("surprisal", "entropy", "known")
            )
        )
    return found


def displays(corpora: Sequence[Corpus]) -> Corpus:
    """Return what readers were shown, as one corpus, with what is theirs of paths and durations."""
    return _as_read(corpora, longer=False)


def _as_read(corpora: Sequence[Corpus], *, longer: bool) -> Corpus:
    found = []
    for corpus in corpora:
        task = TASKS[corpus.name]
        own = with_whole_durations(corpus, parts=task == PART)
        if longer and task == SENTENCE:
            own = with_longer_texts(own)  # within them a return is one to what has been read, and stays
        if LINE not in own.words:
            one_line = {key: ("1",) * sentence.n_words for key, sentence in own.sentences.items()}
            own = replace(own, words={**own.words, LINE: one_line})
        found.append(own if task == PART else without_returns(own))
    return joined(found, NAME, told={corpus.name: {"task": TASKS[corpus.name]} for corpus in corpora})


def wanted_styles(corpora: Sequence[Corpus], share: float = 0.2) -> dict[str, Array]:
    """Return the styles that simulated readers are to show: those of the readers, in a laboratory between.

    How densely people read, and how they begin and finish, differs more between laboratories than between
    groups of readers, and in which one yours are is not known. So readers of single sentences keep their
    deviation from the natives of Reading Brain and move, by a ``share``, from these to the natives of Provo.
    They then make 1.14 fixations per word. Single sentences are read with 1.28 in CELER, 1.17 in ZuCo
    (Bolliger et al. 2023), 1.18 in Reading Brain and 0.9 to 1.3 in smaller corpora.
    """
    own = {corpus.name: styles_of(displays([corpus])) for corpus in corpora}
    brain, provo = (
        np.mean([style.values for style in own[name].values()], axis=0)
        for name in ("reading-brain-l1", "provo")
    )
    return {
        reader: np.array(style.values) + (share * (provo - brain) if TASKS[name] == SENTENCE else 0.0)
        for name, styles in own.items()
        for reader, style in styles.items()
    }


def with_whole_durations(corpus: Corpus, *, parts: bool = False) -> Corpus:
    """Return the corpus with NaN for durations that are the displays'.

    Each text is a display; with ``parts`` each item is, and its texts are its parts, in order.
    """
    displays: dict[str, list[str]] = {}
    for key, sentence in corpus.sentences.items():
        displays.setdefault(sentence.item if parts else key, []).append(key)
    first = {keys[0] for keys in displays.values()}
    last = {keys[-1] for keys in displays.values()}
    paths = [
        whole_durations(
            path,
            corpus.sentences[path.sentence_id].n_words,
            begins=path.sentence_id in first,
            ends=path.sentence_id in last,
        )
        for path in corpus.scanpaths
    ]
    return replace(corpus, scanpaths=tuple(paths))


def without_returns(corpus: Corpus) -> Corpus:
    """Return the corpus, each of whose texts is a display, without saccades to where the next one begins."""
    paths = (without_return(path, corpus.sentences[path.sentence_id].n_words) for path in corpus.scanpaths)
    return replace(corpus, scanpaths=tuple(paths))


def whole_durations(path: Scanpath, n_words: int, *, begins: bool = True, ends: bool = True) -> Scanpath:
    """Return the path with NaN for durations of the display, which begins or ends with this text.

    >>> whole_durations(Scanpath("r", "s", (0, 1, 2, 1, 0), (9.0, 8.0, 7.0, 6.0, 5.0)), 3).durations
    (nan, 8.0, nan, 6.0, nan)
    """
    if path.durations is None:
        return path
    cut = {0} if begins else set()
    if ends:
        cut |= {path.n_fixations - 1} | {k for k, word in enumerate(path.positions) if word == n_words - 1}
    return replace(path, durations=tuple(math.nan if k in cut else ms for k, ms in enumerate(path.durations)))


def without_return(path: Scanpath, n_words: int) -> Scanpath:
    """Return the path without a last saccade to where the next display begins.

    >>> without_return(Scanpath("r", "s", (0, 2, 3, 5, 1, 0)), 6).positions
    (0, 2, 3, 5)
    >>> without_return(Scanpath("r", "s", (0, 2, 3, 5, 0, 1, 2)), 6).positions  # reads again
    (0, 2, 3, 5, 0, 1, 2)
    """
    for after in range(1, min(_MOST_AFTER, path.n_fixations - 2) + 1):
        saccade = path.positions[-after] - path.positions[-after - 1]
        if saccade <= -_FAR * n_words:
            durations = path.durations and path.durations[:-after]
            return replace(path, positions=path.positions[:-after], durations=durations)
    return path


def card(corpora: Sequence[Corpus], n_parameters: int) -> Mapping[str, Any]:
    """Return what one should know before using the model, as plain data."""
    return {
        "name": NAME,
        "about": ABOUT,
        "engine": f"{ENGINE}; {n_parameters:,} parameters",
        "kind": "human",
        "corpora": [_source(name, [c for c in corpora if SOURCES[c.name] == name]) for name in CITATIONS],
        "language": "en",
        "groups": ["L1", "L2"],
        "default_group": GROUP,
        "tasks": sorted(set(TASKS.values())),
        "durations": True,
        "longest_text": max(s.n_words for corpus in corpora for s in corpus.sentences.values()),
        "reader_spread": READER_SPREAD,
        "licence": "MIT; its word pairs are from the English language model of CMU Sphinx, BSD",
        "good_for": list(GOOD_FOR),
        "limits": list(LIMITS),
        "numbers": list(NUMBERS),
        "made_by": "python -m scandl.models.pointer.people",
    }


def _source(name: str, corpora: Sequence[Corpus]) -> dict[str, Any]:
    """Return the part of the card about one source; people whose paths are cut in two ways count once."""
    return {
        "name": " and ".join(corpus.name for corpus in corpora),
        "readers": len({reader for corpus in corpora for reader in corpus.reader_ids}),
        "texts": sum(len(corpus.sentences) for corpus in corpora),
        "scanpaths": sum(len(corpus.scanpaths) for corpus in corpora),
        "licence": corpora[0].card.licence,
        "citation": CITATIONS[name],
        "digests": {corpus.name: corpus_digest(corpus) for corpus in corpora},
    }


def make(
    corpora: Sequence[Corpus],
    out: Path | str = FILE,
    *,
    recipe: PointerConfig | None = None,
    context: str = "smollm2",
    folder: Path | str | None = None,
    quiet: bool = False,
) -> Path:
    """Train into ``folder`` (default: one that is thrown away), write model and card, return the model."""
    from scandl.models.pointer.pointer_training import load, train

    if folder is None:
        with tempfile.TemporaryDirectory(prefix="scandl-") as temporary:
            return make(corpora, out, recipe=recipe, context=context, folder=temporary, quiet=quiet)
    learned, shown = people(corpora), displays(corpora)
    known = contexts(learned, open_context(context))
    stage, where = recipe or config(), Path(folder)
    with one_thread():
        first = load(train(stage, learned, where / "first", contexts=known, quiet=quiet))
        model = load(
            train(
                last_stage(stage),
                learned,
                where / "last",
                contexts=known,
                start=first.network,
                quiet=quiet,
            )
        )
    told = calibrated(model.with_lines(shown.words.get(LINE, {})), shown, wanted_styles(corpora))
    target = save(model.told(told), out, about=ABOUT)
    n_parameters = sum(weight.size for weight in model.network.weights.values())
    about = json.dumps(card(corpora, n_parameters), indent=2, ensure_ascii=False)
    write_text(target.with_suffix(".json"), about + "\n")
    return target


def main(argv: Sequence[str] | None = None) -> None:
    """Make the model from the corpora it is shipped with."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, default=FILE, help="the model file; its card stands beside it")
    parser.add_argument("--folder", type=Path, help="where checkpoints stay, so that it can be resumed")
    args = parser.parse_args(argv)
    print(make([open_corpus(name) for name in TASKS], args.out, folder=args.folder))


if __name__ == "__main__":
    main()
