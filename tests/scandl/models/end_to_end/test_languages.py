"""No word of another language is looked up in English, by whatever model reads it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import wordfreq

from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.models.catalogue import model_names, open_model
from scandl.models.eyettention.eyettention_inputs import InputMaker, Scales
from scandl.models.pointer.path_batch import word_features
from scandl.models.readings import prepared, readings
from scandl.records import Sentence
from scandl.text import encoder, word_facts
from scandl.text.encoder import find_encoder
from scandl.text.pretrained import find_contextual
from scandl.text.word_facts import UNKNOWN, zipf

TRAINED = ("eyettention", "scandl", "scanpath-transformer")  # their inputs are looked at below
MODELS = [name for name in model_names() if not name.startswith(TRAINED)]
KNOW_FREQUENCY = {"people", "people-like", "people-masked", "demo", "swift", "ezreader", "simplified-swift"}


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """Return the languages in which words are looked up."""
    asked: set[str] = set()
    for name in ("word_frequency", "zipf_frequency"):
        own = getattr(wordfreq, name)

        def spy(word: str, lang: str, *rest: object, own: object = own, **more: object) -> float:
            asked.add(lang)
            return own(word, lang, *rest, **more)  # type: ignore[operator, no-any-return]

        monkeypatch.setattr(wordfreq, name, spy)
    cached = [word_facts.proportion, word_facts.frequency_per_million, encoder._vector]
    for function in cached:
        function.cache_clear()
    yield asked
    for function in cached:
        function.cache_clear()


@pytest.fixture
def hindi(shared) -> Corpus:
    return _few(shared("hindi"))


@cache
def _few(folder: Path) -> Corpus:
    corpus = open_corpus(folder)
    few = sorted({path.sentence_id for path in corpus.scanpaths})[:6]
    return corpus.restricted_to([pair for pair in corpus.by_pair if pair[1] in few])


@pytest.mark.parametrize("name", [*MODELS, "left-to-right+times-by-word"])
def test_models_look_words_up_in_the_language_of_the_corpus(
    name: str, hindi: Corpus, looked_up: set[str]
) -> None:
    model = open_model(name)
    texts = hindi if model.needs.human_length else replace(hindi, scanpaths=())
    ready = prepared(model, texts, hindi if model.needs.training else None)
    assert len(readings(ready, texts)) == len(texts.scanpaths or texts.sentences)
    knows = name in KNOW_FREQUENCY or name.endswith("+times-by-word")
    assert looked_up == ({"hi"} if knows else set())


def test_networks_that_are_trained_see_the_language_of_the_corpus(hindi: Corpus, looked_up: set[str]) -> None:
    sentence = next(iter(hindi.sentences.values()))
    assert sentence.language == "hi"
    maker = InputMaker(find_contextual("lexical"), find_encoder("lexical"), Scales.of(hindi))
    maker.sentence(sentence)
    word_features(sentence.words, sentence.language)
    assert looked_up == {"hi"}
    assert zipf(sentence.words[0], "hi") > zipf(sentence.words[0], "en") + 3


def test_words_that_stand_alike_in_two_languages_look_alike() -> None:
    """The lengths and frequencies of Hindi words, standardised, are about those of English words."""
    english = [word for word in wordfreq.top_n_list("en", 60) if word.isalpha()]
    hindi = wordfreq.top_n_list("hi", 60)
    facts = slice(-6, -4)
    rows = [
        find_encoder("lexical").encode(w, code).vectors[1:-1, facts]
        for w, code in ((english, "en"), (hindi, "hi"))
    ]
    assert abs(rows[0].mean(axis=0) - rows[1].mean(axis=0)).max() < 0.35


def test_a_corpus_without_a_language_asks_for_it(tmp_path: Path) -> None:
    (tmp_path / "corpus.toml").write_text('name = "mine"\n')
    (tmp_path / "sentences.csv").write_text("sentence_id,text\ns1,Der Hund bellt.\n")
    (tmp_path / "fixations.csv").write_text(
        "reader_id,sentence_id,fixation_index,word_index,duration_ms\nr,s1,0,0,200\n"
    )
    corpus = open_corpus(tmp_path)
    assert corpus.card.language == UNKNOWN
    for name in ("swift", "people"):
        with pytest.raises(
            ScandlError, match="the language of the texts is not known: write it into corpus.toml"
        ):
            readings(prepared(open_model(name), replace(corpus, scanpaths=())), corpus)
    assert readings(prepared(open_model("left-to-right"), corpus), corpus)


def test_a_text_that_is_not_cut_into_words_is_refused(refused) -> None:
    line = refused(
        [
            "generate",
            "--text",
            "私たちは昨日の午後に公園でとても可愛い小さな白い犬を見ました。",
        ]
    )
    assert "found a text whose words are not parted by spaces, expected a space between words" in line


def test_texts_of_another_script_are_not_silently_english(capsys: pytest.CaptureFixture[str]) -> None:
    from scandl.cli import main

    assert main(["generate", "--text", "यह एक छोटी किताब है", "--model", "swift"]) == 0
    assert "is in another script and is read as English: give its --language" in capsys.readouterr().err
    assert main(["generate", "--text", "यह एक छोटी किताब है", "--model", "swift", "--language", "hi"]) == 0
    assert capsys.readouterr().err == ""


def test_a_sentence_keeps_its_language_in_a_joined_corpus() -> None:
    own = Sentence("s", "कौन", language="hi")
    assert own.in_language("en").language == "hi"
    assert own == Sentence("s", "कौन")
