"""The generator: found by name, trained once, the same whatever the company."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest
import torch

from scandl.corpora import Corpus, read_corpus
from scandl.corpora.demo import FOLDER
from scandl.errors import ScandlError
from scandl.extras import install_command
from scandl.models.catalogue import all_names, open_model
from scandl.models.eyettention import eyettention_generator as generator
from scandl.models.eyettention import eyettention_model as model
from scandl.models.eyettention import eyettention_training as training
from scandl.models.eyettention.eyettention_generator import Eyettention
from scandl.models.eyettention.eyettention_settings import (
    EyettentionConfig,
    LearningConfig,
    RecurrentConfig,
)
from scandl.models.model import Request
from scandl.records import Scanpath, Sentence
from scandl.text import encoder
from scandl.workers import showing_trainings

CONFIG = EyettentionConfig(
    network=RecurrentConfig(word_layers=1, word_units=4, fixation_layers=2, fixation_units=8, decoder=(16,)),
    learning=LearningConfig(epochs=4, batch=32, lr=1e-2),
)

SENTENCE = Sentence("new", "We understood it after a while.")


def corpus() -> Corpus:
    whole = read_corpus(FOLDER)
    sentences, readers = list(whole.by_sentence)[:10], whole.reader_ids[:8]
    return whole.restricted_to([(reader, sentence) for reader in readers for sentence in sentences])


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    return Eyettention(CONFIG, cache=tmp_path_factory.mktemp("cache")).fit(corpus(), seed=1)


def test_it_is_found_by_name_but_not_among_all():
    assert isinstance(open_model("eyettention"), Eyettention)
    assert not {"eyettention", "eyettention-small"} & set(all_names())
    assert open_model("eyettention").likelihood == open_model("eyettention-small").likelihood == "exact"
    assert open_model("eyettention-small").config.network.word_layers == 2


def test_opening_it_needs_no_torch():
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from scandl.models.catalogue import open_model\n"
        "from scandl.errors import ScandlError\n"
        "try: open_model('eyettention').fit(None, seed=1)\n"
        "except ScandlError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    expected = f"this needs torch, which is not installed: {install_command('model')}\n"
    assert done.stdout == expected, done.stderr


def test_a_path_does_not_depend_on_its_company(fitted):
    requests = [Request(SENTENCE, f"r{k % 3}", k) for k in range(40)]
    requests += [Request(Sentence("long", "word " * 30), "r1", k) for k in range(5)]
    together = fitted.read(requests, seed=5)
    assert [fitted.read([request], seed=5)[0] for request in requests] == together
    assert fitted.read(requests[::-1], seed=5) == together[::-1]
    assert fitted.read(requests, seed=6) != together
    assert all(0 <= word < 6 for path in together[:40] for word in path.positions)
    assert max(path.n_fixations for path in together) <= 59


def test_likelihoods_do_not_depend_on_company_either(fitted):
    paths = [Scanpath("r", "new", words) for words in ((), (0, 1, 2), (5, 0, 5), (3, 3, 3, 4, 5))]
    alone = [fitted.log_prob(SENTENCE, path) for path in paths]
    together = fitted.trained.log_probs([SENTENCE] * 4, paths)
    assert alone == pytest.approx(together, rel=1e-12)
    assert fitted.likelihood
    by_class = fitted.trained.log_probs([SENTENCE] * 4, paths, outcome=False)
    # More classes than one lead to the last word's end and to the first word.
    assert all(o > c - 1e-3 for o, c in zip(together, by_class, strict=True))


def test_learning_raises_the_likelihood(fitted):
    data = corpus()
    n_events = sum(path.n_fixations + 1 for path in data.scanpaths)
    sentences = [data.sentences[path.sentence_id] for path in data.scanpaths]
    assert sum(fitted.trained.log_probs(sentences, data.scanpaths)) / n_events > -math.log(15)


def never(*_args, **_kwargs):
    raise AssertionError("trained again")


def test_the_same_training_is_not_done_again(fitted, monkeypatch):
    monkeypatch.setattr(training, "train", never)
    again = Eyettention(CONFIG, cache=fitted.cache).fit(corpus(), seed=1)
    requests = [Request(SENTENCE, "r", k) for k in range(5)]
    assert again.read(requests, seed=1) == fitted.read(requests, seed=1)
    for other, seed in ((CONFIG, 2), (replace(CONFIG, network=replace(CONFIG.network, window=2)), 1)):
        with pytest.raises(AssertionError, match="trained again"):
            Eyettention(other, cache=fitted.cache).fit(corpus(), seed=seed)
    (folder,) = fitted.cache.iterdir()
    assert sorted(path.name for path in folder.iterdir()) == ["eyettention.pt", "log.csv"]
    n_parameters = sum(parameter.numel() for parameter in fitted.trained.exact.parameters())
    assert (folder / "eyettention.pt").stat().st_size < 4 * n_parameters + 30_000  # weights, and little else


def test_a_training_shows_how_far_it_is_where_that_is_asked_for(tmp_path, capsys):
    Eyettention(CONFIG, cache=tmp_path / "silent").fit(corpus(), seed=1)
    assert capsys.readouterr().err == ""
    with showing_trainings():
        Eyettention(CONFIG, cache=tmp_path / "shown").fit(corpus(), seed=1)
    assert re.fullmatch(r"train: \d+/\d+ loss [\d.]+, \d+ examples/s\n", capsys.readouterr().err)


def test_other_code_is_another_training(fitted, monkeypatch):
    monkeypatch.setattr(training, "train", never)
    monkeypatch.setattr(generator, "_code", lambda: "other arithmetic")
    with pytest.raises(AssertionError, match="trained again"):
        Eyettention(CONFIG, cache=fitted.cache).fit(corpus(), seed=1)


def test_threads_change_no_weight_and_are_given_back(fitted, tmp_path):
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        shared = Eyettention(CONFIG, cache=tmp_path).fit(corpus(), seed=1)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    for one, other in zip(fitted.trained.exact.parameters(), shared.trained.exact.parameters(), strict=True):
        assert torch.equal(one, other)


def test_another_process_may_finish_the_same_training_first(fitted, tmp_path):
    (checkpoint,) = fitted.cache.glob("*/eyettention.pt")
    finished, gone = tmp_path / "eyettention.pt", tmp_path / "best.pt"
    with pytest.raises(ScandlError, match="best.pt: no such checkpoint"):
        training.keep(gone, finished)
    shutil.copy(checkpoint, finished)
    (tmp_path / "last.pt").touch()
    training.keep(gone, finished)
    assert [path.name for path in tmp_path.iterdir()] == ["eyettention.pt"]


def test_errors_say_what_to_do(fitted, tmp_path):
    with pytest.raises(ScandlError, match="eyettention has learned nothing yet: call fit first"):
        Eyettention(cache=tmp_path).read([], seed=1)
    with pytest.raises(ScandlError, match="sentence 'e' is empty: there is nothing to read"):
        fitted.read([Request(Sentence("e", "  "))], seed=1)


def test_other_text_vectors_are_another_training(fitted, monkeypatch):
    (checkpoint,) = fitted.cache.glob("*/eyettention.pt")
    monkeypatch.setattr(type(model.find_encoder("lexical")), "identity", "lexical/4")
    with pytest.raises(ScandlError, match="eyettention.pt: trained with encoder lexical/3, found lexical/4"):
        model.TrainedEyettention.load(checkpoint)
    monkeypatch.setattr(training, "train", never)
    with pytest.raises(AssertionError, match="trained again"):
        Eyettention(CONFIG, cache=fitted.cache).fit(corpus(), seed=1)


def test_other_vectors_of_the_fixated_word_are_another_training(fitted, monkeypatch):
    class Other:
        identity = "lexical/other"

    # Where words are seen in context, the table of the fixated word is an encoder of its own.
    monkeypatch.setattr(encoder, "find_encoder", lambda _name: Other())
    monkeypatch.setattr(training, "train", never)
    with pytest.raises(AssertionError, match="trained again"):
        Eyettention(CONFIG, cache=fitted.cache).fit(corpus(), seed=1)
