"""The one place where models read: folds, corpora, texts and readers; every model keeps its promises."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

import scandl
from scandl.corpora import Card, Corpus
from scandl.corpora.corpus_folder import open_corpus, write_corpus
from scandl.errors import LeftOutWarning, ScandlError
from scandl.files.prediction_files import write_predictions
from scandl.models.catalogue import BASELINES, open_model
from scandl.models.diffusion.diffusion_model import Denoising
from scandl.models.model import Model, Request
from scandl.models.pointer.condition import styles_of
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.readings import (
    ReaderChoice,
    corpus_readings,
    fold_readings,
    prepared,
    styles_in,
    text_corpus,
)
from scandl.models.trained_model import ModelOptions, TrainedModel, open_trained
from scandl.records import WHOLE, Positions, Prediction, Scanpath, Sentence
from scandl.splits import Fold, make_cross, make_folds

from .conftest import few_readers


class Spy(Model):
    """Remember what it was given; each fold has a copy, and all write into one book."""

    name = "spy"

    def __init__(self):
        self.trained: list[Corpus] = []
        self.asked: list[Request] = []
        self.stimuli: set[str] = set()

    def with_stimuli(self, words):
        self.stimuli.update(key for by_sentence in words.values() for key in by_sentence)
        return self

    def fit(self, training, *, seed):
        self.trained.append(training)
        return self

    def draw(self, request, rng):
        self.asked.append(request)
        return (0,)


def test_a_model_sees_its_training_part_and_no_more():
    corpus = open_corpus("demo")
    fold = make_folds(corpus, "nrns")[2]
    spy = Spy()
    made = fold_readings(spy, fold, corpus, samples=2)
    assert {(p.reader_id, p.sentence_id) for p in spy.trained[0].scanpaths} == set(fold.train)
    assert {sentence for _, sentence in fold.test} <= spy.stimuli
    assert Counter((p.reader_id, p.sentence_id) for p in made) == dict.fromkeys(fold.test, 2)
    assert {(p.setting, p.fold, p.model) for p in made} == {("nrns", "2", "spy")}
    assert all(p.human == corpus.by_pair[p.reader_id, p.sentence_id].positions for p in made)
    assert all(p.text == corpus.sentences[p.sentence_id].text for p in made)


def test_a_model_knows_the_group_and_the_task_of_a_reader():
    sentences = {key: Sentence(key, "It rained.") for key in "ab"}
    paths = tuple(Scanpath(reader, key, (0,)) for reader in ("1", "2") for key in sentences)
    rows = {"1": {"group": "L2", "task": "part"}, "2": {"age": "30"}}
    corpus = Corpus(Card(name="here"), sentences, paths, readers=rows)
    other = replace(corpus, card=Card(name="there"), readers={"1": {"group": "L1"}})

    def wanted(learned: Corpus, tested: Corpus) -> dict[str, tuple[str | None, str]]:
        spy = Spy()
        fold_readings(spy, make_cross(learned, tested), learned, test_corpus=tested)
        return {request.reader_id: (request.group, request.task) for request in spy.asked}

    # Readers of another corpus are other people, so what is known of their namesakes is not theirs.
    assert wanted(corpus, other) == {"there/1": ("L1", ""), "there/2": (None, "")}
    assert wanted(other, corpus) == {"here/1": ("L2", "part"), "here/2": (None, "")}


def test_cross_fitting_covers_the_corpus_and_no_sentence_trains_itself():
    corpus = open_corpus("demo")
    spy = Spy()
    made = corpus_readings(spy, corpus)
    assert {p.setting for p in made} == {WHOLE}
    assert {(p.reader_id, p.sentence_id) for p in made} == set(corpus.by_pair)
    for number, trained in enumerate(spy.trained):
        tested = {p.sentence_id for p in made if p.fold == str(number)}
        assert tested
        assert not tested & set(trained.sentences)


def test_across_datasets_the_test_pairs_come_from_the_other_corpus(shared):
    corpus, other = open_corpus("demo"), open_corpus(str(shared("schilling")))
    spy = Spy()
    made = fold_readings(spy, make_cross(corpus, other), corpus, test_corpus=other)
    assert {p.sentence_id for p in made} == set(other.by_sentence)
    assert set(spy.trained[0].sentences) <= set(corpus.sentences)


def test_too_few_paths_from_a_model_are_refused():
    class Lazy(Spy):
        name = "lazy"

        def read(self, requests, *, seed):
            return []

    corpus = open_corpus("demo")
    with pytest.raises(ScandlError, match="model 'lazy' returned 0 scanpaths for"):
        fold_readings(Lazy(), make_folds(corpus, "ns")[0], corpus)


@pytest.mark.parametrize("value", [0.3, math.nan, -1e12])
def test_what_is_no_log_probability_is_refused_where_it_is_made(value):
    class Odd(Spy):
        name = "odd"
        likelihood = "exact"

        def log_prob(self, sentence, scanpath):
            return value

    corpus = open_corpus("demo")
    fold = make_folds(corpus, "ns")[0]
    tested = corpus.restricted_to(fold.test).scanpaths[0]
    expected = (
        f"model 'odd': log_prob of the path of reader {tested.reader_id!r}, sentence {tested.sentence_id!r}:"
        f" found {value}, expected a natural log-probability from -1e9 to 0, or -inf"
    )
    with pytest.raises(ScandlError) as refused:
        fold_readings(Odd(), fold, corpus)
    assert str(refused.value) == expected


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"setting": "ns", "fold": 7}, "no fold 7 of setting 'ns'; known: 0 to 4"),
        ({"fold": 1}, "fold 1 of which setting"),
        ({"setting": "nsnr"}, "no setting 'nsnr'; did you mean 'ns'|no setting 'nsnr'; did you mean 'nrns'"),
        ({"samples": 0}, "samples: found 0"),
    ],
)
def test_bad_requests_are_one_line(options, text):
    with pytest.raises(ScandlError, match=text):
        corpus_readings(open_model("left-to-right"), open_corpus("demo"), **options)


def test_a_need_that_is_not_met_is_named():
    texts = text_corpus([Sentence("t1", "It rained.")])
    with pytest.raises(ScandlError, match="markov needs training: name a corpus that people have read"):
        prepared(open_model("markov"), texts)
    with pytest.raises(ScandlError, match="uniform-n needs the length of a human path"):
        prepared(open_model("uniform-n"), texts)
    with pytest.raises(ScandlError, match="scandl needs training"):
        prepared(open_model("scandl"), texts)
    for name in ("people", "demo", "ezreader", "uniform", "left-to-right"):
        assert prepared(open_model(name), texts).name == name


class Namer(Spy):
    """Remember whose paths it was shown."""

    likelihood = "exact"

    def __init__(self):
        super().__init__()
        self.shown: set[str] = set()

    def log_prob(self, sentence, scanpath):
        self.shown.add(scanpath.reader_id)
        return -1.0


def test_a_namesake_in_another_corpus_is_somebody_else():
    corpus = open_corpus("demo")
    other = replace(corpus, card=replace(corpus.card, name="other"))
    one = corpus.reader_ids[0]
    learned = corpus.restricted_to([pair for pair in corpus.by_pair if pair[0] == one])
    namer = Namer()
    made = fold_readings(namer, make_cross(learned, other), learned, test_corpus=other)
    expected = {f"other/{one}", *corpus.reader_ids[1:]}
    assert {request.reader_id for request in namer.asked} == namer.shown == expected
    # The tables know them by their own names.
    assert {(p.reader_id, p.sentence_id) for p in made} == set(other.by_pair)
    assert all(p.log_prob == -1.0 for p in made)
    assert all(p.human == other.by_pair[p.reader_id, p.sentence_id].positions for p in made)
    within = Namer()
    fold_readings(within, make_folds(corpus, "ns")[0], corpus)
    assert {request.reader_id for request in within.asked} <= set(corpus.reader_ids)


def demo_fold(setting: str, test: tuple[tuple[str, str], ...]) -> Fold:
    return Fold(setting=setting, number=2, scheme="shuffled", seed=1, corpus="demo", train=(), test=test)


def test_a_trained_model_reads_a_fold_it_has_not_learned_from(monkeypatch):
    corpus = open_corpus("demo")
    model = open_trained("demo", ModelOptions(sampling=Denoising(steps=5)))
    test = tuple((p.reader_id, p.sentence_id) for p in corpus.scanpaths[:3])
    with pytest.raises(ScandlError, match="the checkpoint .*was trained on"):
        fold_readings(model, demo_fold("nrns", test), corpus)
    learned = {"fold_id": "none", "setting": "ns", "corpus": "demo", "train": []}
    monkeypatch.setattr(model.diffusion(), "fold", learned)
    made = fold_readings(model, demo_fold("ns", test), corpus, samples=2)
    assert [(p.reader_id, p.sentence_id, p.sample) for p in made] == [
        (*pair, k) for pair in test for k in (0, 1)
    ]
    assert {(p.model, p.setting, p.fold) for p in made} == {("demo", "ns", "2")}


CAT = Sentence("t1", "The cat sat on the mat.")
DOG = Sentence("t3", "A dog slept.")
LONG = Sentence("t2", "He came. " + "word " * 30 + "end.")


@pytest.fixture(scope="module")
def pointer(pointer_file: Path) -> TrainedModel:
    return open_trained(pointer_file)


def whoms(model: TrainedModel, readers: ReaderChoice, text: Sentence, samples: int = 1, seed: int = 1):
    """Return name, style and labels of each reading of a text, as the network gets them."""
    assert isinstance(model.network, PointerModel)
    requests = readers.requests(text, samples)
    return [(r.reader_id, *model.network.reader_of(model.known(r), seed)) for r in requests]


def test_a_reader_is_the_same_in_all_texts_of_a_task_and_whatever_their_number(pointer):
    few, many = (
        {(name, style) for text in (CAT, DOG) for name, style, _ in whoms(pointer, ReaderChoice(n), text, 2)}
        for n in (2, 4)
    )
    assert len(few) == 2
    assert few < many
    assert len({style for _, style in many}) == 4  # nobody twice before everybody once
    assert {(name, style) for name, style, _ in whoms(pointer, ReaderChoice(4), CAT, seed=2)} != many
    assert set(ReaderChoice(2, 2).requests(CAT, 1)) < set(ReaderChoice(4).requests(CAT, 1))
    paragraph = {style for _, style, _ in whoms(pointer, ReaderChoice(4), LONG)}
    assert not paragraph & {style for _, style in many}  # other people read paragraphs


def test_readers_are_of_the_group_and_do_the_task(pointer):
    styles = styles_of(few_readers())
    found = whoms(pointer, ReaderChoice(6, group="L2"), CAT)
    assert {style for _, style, _ in found} == {styles[f"r{n}"] for n in (5, 7)}  # who read sentences
    assert {(labels["group"], labels["task"]) for _, _, labels in found} == {("L2", "sentence")}
    assert {labels["task"] for _, _, labels in whoms(pointer, ReaderChoice(), LONG, 3)} == {"paragraph"}
    asked = ReaderChoice(task="sentence")
    assert {labels["task"] for _, _, labels in whoms(pointer, asked, LONG, 3)} == {"sentence"}


def test_nameless_paths_of_a_text_are_of_different_readers(pointer):
    for number in range(5):
        found = whoms(pointer, ReaderChoice(), Sentence(f"t{number}", "A."), 4)
        assert len({style for _, style, _ in found}) == 4
    firsts = {whoms(pointer, ReaderChoice(), Sentence(f"t{n}", "A."))[0][1] for n in range(40)}
    assert len(firsts) == 4


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_styles_are_those_of_the_file(suffix: str, tmp_path: Path) -> None:
    corpus = few_readers()
    expected = styles_of(corpus)
    predictions = [
        Prediction(
            p.sentence_id,
            p.positions,
            reader_id=p.reader_id,
            durations=p.durations,
            text=corpus.sentences[p.sentence_id].text,
        )
        for p in corpus.scanpaths
    ]
    write_predictions(tmp_path / f"reader{suffix}", predictions)
    write_corpus(corpus, tmp_path / "few")
    for path in (tmp_path / f"reader{suffix}", tmp_path / "few" / "fixations.csv"):
        found = styles_in(path)
        assert list(found) == list(expected)
        for name, style in expected.items():
            assert found[name].values == pytest.approx(style.values)
            assert found[name].n_paths == style.n_paths


def test_a_row_without_a_human_path_is_not_the_models(tmp_path: Path) -> None:
    file = tmp_path / "both.csv"
    rows = ["r1,s1,0,0 1 2,A cat sat.", "r1,s2,2 1 0,0 2,A cat sat.", "r1,s3,2,,A cat sat."]
    header = "reader_id,sentence_id,predicted,human,text"
    file.write_text("\n".join([header, *rows]) + "\n")
    with pytest.warns(LeftOutWarning, match="both.csv: no human scanpath in 1 of 3 rows, left out"):
        found = styles_in(file)
    file.write_text("\n".join([header, *rows[:2]]) + "\n")
    assert repr(found) == repr(styles_in(file))  # NaN is not NaN


def test_paths_are_those_of_the_readers_of_the_file(pointer_file: Path, tmp_path: Path) -> None:
    write_corpus(few_readers(), tmp_path / "few")
    like = tmp_path / "few" / "fixations.csv"
    paths = scandl.generate(CAT.text, model=pointer_file, like=like, samples=2)
    assert [p.reader_id for p in paths] == [f"r{n}" for n in range(8) for _ in range(2)]
    calibrated = styles_in(like, model=open_model(pointer_file))
    alone = scandl.generate(CAT.text, model=pointer_file, like={"r3": calibrated["r3"]}, samples=2)
    assert alone == paths[6:8]


def test_readers_that_cannot_be(
    pointer_file: Path, tmp_path: Path, refused: Callable[[list[str]], str]
) -> None:
    def line(*flags: str) -> str:
        return refused(["generate", "--model", str(pointer_file), "--text", "A cat.", *flags])

    assert line("--group", "L3") == ("scandl: --group L3: no such group of readers; known: L1, L2")
    assert line("--readers", "2", "--like", "x.csv").startswith("scandl: give one of --readers and --like")
    (tmp_path / "x.csv").write_text("reader_id,sentence_id,predicted\nr,s1,0 1\n")
    assert line("--like", str(tmp_path / "x.csv")) == (
        f"scandl: {tmp_path}/x.csv: column 'text': found none for sentence 's1', expected the text of each"
        " sentence: a column of this name, or sentences.csv beside the file"
    )
    (tmp_path / "x.csv").write_text("reader_id,sentence_id,predicted,text\nr,s1,,A cat.\n")
    assert line("--like", str(tmp_path / "x.csv")).endswith(
        "a reader's style needs at least one scanpath with a fixation"
    )
    with pytest.raises(ScandlError, match="--like and --task: demo knows no readers"):
        scandl.generate("A cat.", model="demo", task="sentence")
    with pytest.raises(ScandlError, match="--group L1: ezreader knows no groups of readers"):
        scandl.generate("A cat.", model="ezreader", group="L1")


WITH_LIKELIHOOD = ("uniform", "uniform-45", "train-label-dist", "markov", "markov-text")

SENTENCE = Sentence("new", "We understood it.")


def corpus(*paths: Positions, text: str = "The old man is waiting here.") -> Corpus:
    scanpaths = tuple(Scanpath(f"r{n}", "s1", path, (200.0,) * len(path)) for n, path in enumerate(paths))
    return Corpus(Card(name="tiny"), {"s1": Sentence("s1", text)}, scanpaths)


TRAINING = corpus((0, 1, 2, 4, 5), (0, 2, 1, 2, 3, 5), (1, 1, 4, 0, 5), (0, 1, 3, 4), (0, 2, 5, 3))


@pytest.mark.parametrize("name", WITH_LIKELIHOOD)
def test_probabilities_of_all_paths_sum_to_one(name):
    model = open_model(name).fit(TRAINING, seed=1)
    sentence = Sentence("new", "We understood.")
    by_length = []
    for n in range(12):
        paths = [Scanpath("r", "new", words) for words in product(range(2), repeat=n)]
        by_length.append(math.fsum(math.exp(model.log_prob(sentence, path)) for path in paths))
    remaining = 1.0 - math.fsum(by_length)
    # What is left is the mass of longer paths, which decays geometrically.
    assert 0 < remaining < 0.15
    assert remaining == pytest.approx(
        by_length[-1] * (by_length[-1] / by_length[-2]) / (1 - by_length[-1] / by_length[-2]), rel=0.3
    )


@pytest.mark.parametrize("name", WITH_LIKELIHOOD)
def test_frequencies_of_drawn_paths_match_their_probability(name):
    model = open_model(name).fit(TRAINING, seed=1)
    n = 6000
    drawn = Counter(
        path.positions for path in model.read([Request(SENTENCE, "r", k) for k in range(n)], seed=3)
    )
    chi, cells = 0.0, 0
    for words, count in drawn.most_common(25):
        expected = n * math.exp(model.log_prob(SENTENCE, Scanpath("r", "new", words)))
        if expected > 20:
            chi, cells = chi + (count - expected) ** 2 / expected, cells + 1
    assert cells >= 3
    assert chi < cells + 5 * math.sqrt(2 * cells)  # five standard deviations of a chi-square


@pytest.mark.parametrize("name", WITH_LIKELIHOOD)
def test_no_human_path_is_impossible(name):
    model = open_model(name).fit(corpus((0, 1)), seed=1)
    long_text = Sentence("long", " ".join(["word"] * 60))
    for words in ((), (59, 0), (30, 2, 59), (0,) * 80, tuple(range(60))):
        assert math.isfinite(model.log_prob(long_text, Scanpath("r", "long", words)))


@pytest.mark.parametrize("name", [n for n in WITH_LIKELIHOOD if n not in ("uniform", "uniform-45")])
def test_learning_raises_the_likelihood_of_what_was_learned(name):
    before, after = open_model(name).fit(corpus(), seed=1), open_model(name).fit(TRAINING, seed=1)
    sentence = TRAINING.sentences["s1"]
    for path in TRAINING.scanpaths:
        assert after.log_prob(sentence, path) > before.log_prob(sentence, path)


@pytest.mark.parametrize("name", list(BASELINES))
def test_every_baseline_is_reproducible_and_independent_of_company(name):
    try:
        model = open_model(name).fit(TRAINING, seed=1)
    except ModuleNotFoundError as missing:
        pytest.skip(str(missing))
    requests = [Request(SENTENCE, "r", k, n_fixations=4) for k in range(6)]
    together = model.read(requests, seed=5)
    assert together == model.read(requests, seed=5)
    assert [model.read([request], seed=5)[0] for request in requests] == together
    assert all(0 <= word < SENTENCE.n_words for path in together for word in path.positions)
    assert [path.sentence_id for path in together] == ["new"] * 6
