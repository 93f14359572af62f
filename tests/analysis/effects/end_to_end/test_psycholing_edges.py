"""Sources that cannot be estimated, names that clash, words that are missing: what is said, and of whom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.records import Prediction, Scanpath, Sentence
from scandl_analysis.effects.designs import Options
from scandl_analysis.effects.psycholing import Psycholing, psycholing
from scandl_analysis.words.analysed_run import Run

pytest.importorskip("arviz", reason="scandl[analysis] is not installed")

TEXTS = (
    "The old man had seen the small boat near a quiet harbour",
    "A doctor counted five bottles on the long table at noon",
    "In the village nobody knew why it rained so much in spring",
    "She bought bread and a newspaper before the train had left",
)
QUICK = Options(
    engine="laplace", surprisal="unigram", frequency="proportion", ceiling=False, design="joint", drop=()
)
Path = Callable[[list[str], np.random.Generator], list[int]]


def at_random(words: list[str], rng: np.random.Generator) -> list[int]:
    """Go on by one or two words, now and then back."""
    path = [0]
    while path[-1] < len(words) - 1:
        path.append(min(max(path[-1] + int(rng.choice([1, 2, 2, -1])), 0), len(words) - 1))
    return path


def forward(words: list[str], rng: np.random.Generator) -> list[int]:
    """Skip some words and never go back."""
    return [k for k in range(len(words)) if rng.random() < 0.7] or [0]


def long_words(words: list[str], rng: np.random.Generator) -> list[int]:
    """Fixate just the words of more than three letters: length decides what is skipped."""
    return [k for k, word in enumerate(words) if len(word) > 3]


def run(readers: Path, texts: tuple[str, ...] = TEXTS, **models: Path) -> Run:
    sentences = {f"s{k}": Sentence(f"s{k}", text) for k, text in enumerate(texts)}
    rng = np.random.default_rng(1)
    paths = tuple(
        Scanpath(f"r{r}", key, tuple(readers(sentence.text.split(), rng)))
        for r in range(6)
        for key, sentence in sentences.items()
    )
    predictions = {
        name.replace("_", "-"): [
            Prediction(
                p.sentence_id,
                tuple(path(sentences[p.sentence_id].text.split(), rng)),
                None,
                p.reader_id,
                name.replace("_", "-"),
                "nrns",
            )
            for p in paths
        ]
        for name, path in models.items()
    }
    return Run(None, "nrns", Corpus(Card(name="made"), sentences, paths, {}), predictions, ())


def notes(found: Psycholing, measure: str) -> dict[str, str]:
    rows = found.effects[found.effects["measure"] == measure]
    return {str(model): str(part["note"].iloc[0]) for model, part in rows.groupby("model", sort=False)}


def test_without_a_human_effect_no_model_takes_its_place() -> None:
    found = psycholing(run=run(forward, m=at_random), options=QUICK)
    assert notes(found, "fpr") == {
        "human": "not estimable: fpr is 0 in all 196 words",
        "m": "not estimable beside humans: fpr is 0 in all 196 words",
    }
    assert found.effects.query("measure == 'fpr'")["mean"].isna().all()
    assert found.effects.query("measure == 'tfc'")["mean"].notna().all()
    said = set(found.recovery.query("measure == 'fpr'")["note"])
    assert all(note.startswith("not estimable: fpr is 0 in all 196 words") for note in said)


def test_a_separated_model_takes_the_estimate_from_nobody_else() -> None:
    found = psycholing(run=run(at_random, m=at_random, long=long_words), options=QUICK)
    said = notes(found, "sr")
    assert set(said) == {"human", "m", "long"}
    assert "separate" in said["long"]
    rows = found.effects[(found.effects["measure"] == "sr") & (found.effects["model"] != "long")]
    assert rows["mean"].notna().all()
    alone = psycholing(run=run(at_random, m=at_random), options=QUICK)
    same = alone.effects[alone.effects["measure"] == "sr"]
    np.testing.assert_allclose(rows["mean"], same["mean"], rtol=1e-4)


def test_joint_quick_looks_have_no_chains() -> None:
    found = psycholing(run=run(at_random, m=at_random), options=QUICK)
    assert found.effects["rhat"].isna().all()
    assert list(found.checks.columns)[:3] == ["model", "measure", "check"]  # an empty table has its header


@pytest.mark.parametrize("name", ["human", "human-half-1"])
def test_a_model_cannot_be_called_as_the_readers_are(name: str) -> None:
    with pytest.raises(ScandlError, match=f"a model is called '{name}', which is the name of the readers"):
        psycholing(run=run(at_random, **{name.replace("-", "_"): at_random}), options=QUICK)


def test_recovery_has_the_means_of_the_effects() -> None:
    found = psycholing(run=run(at_random, m=at_random), options=replace(QUICK, design="paper"))
    both = found.recovery.merge(
        found.effects.query("model == 'm'")[["measure", "predictor", "marginal"]], on=["measure", "predictor"]
    )
    np.testing.assert_allclose(both["model_effect"], both["marginal"])
    assert both["note"].str.startswith("quick look").all()


def test_few_draws_are_marked_in_every_row() -> None:
    pytest.importorskip("arviz_stats")
    options = replace(QUICK, engine="hmc", design="paper", draws=10, chains=2)
    found = psycholing(run=run(at_random, m=at_random), options=options)
    assert found.effects["note"].str.contains("warning: ").all()
    assert found.recovery["note"].str.contains("warning: ").all()


def test_words_without_a_value_are_named_and_stay_in_the_table() -> None:
    dashed = (*TEXTS[:3], "She bought bread — and a newspaper before the train had left")
    options = replace(QUICK, design="paper", surprisal="trigram", frequency="zipf", spillover=True)
    pytest.importorskip("pocketsphinx")
    found = psycholing(run=run(at_random, dashed, m=at_random), options=options)
    said = [note for note in found.notes if "no value" in note]
    assert said == [
        "surprisal: no value for 1 word forms (—; 1 have no letter or digit), 12 rows dropped",
        "previous_surprisal: no value for 1 word forms (—; 1 have no letter or digit), 12 rows dropped",
    ]
    dashes = found.words[found.words["word"] == "—"]
    assert len(dashes) == 12
    assert dashes["surprisal"].isna().all()


def test_nothing_left_is_said_as_it_is() -> None:
    with pytest.raises(ScandlError, match="no word is left to analyse: all are at the edges"):
        psycholing(
            run=run(at_random, ("Dogs bark",), m=at_random), options=replace(QUICK, drop=("first", "last"))
        )


def test_the_published_alignment_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {}

    def compute(texts: list[str], **choices: object) -> None:
        asked.update(choices)
        raise ScandlError("enough")

    monkeypatch.setattr("scandl_analysis.effects.designs.compute_predictors", compute)
    options = replace(QUICK, alignment="scandl-v1", bow=True, unit="bits", punctuation=False)
    with pytest.raises(ScandlError, match="enough"):
        psycholing(run=run(at_random, m=at_random), options=options)
    chosen = {name: asked[name] for name in ("alignment", "bow", "unit", "punctuation")}
    assert chosen == {"alignment": "scandl-v1", "bow": True, "unit": "bits", "punctuation": False}


def test_unigram_surprisal_is_left_out_though_a_word_is_unknown() -> None:
    """Frequency and surprisal have floors of their own for unknown words: no exact line any more."""
    texts = (*TEXTS[:3], "She bought xqzzv and a newspaper before the train had left")
    options = replace(QUICK, design="paper", frequency="zipf")
    found = psycholing(run=run(at_random, texts, m=at_random), options=options)
    rows = found.effects[found.effects["predictor"] == "surprisal"]
    assert rows["mean"].isna().all()
    assert rows["note"].str.contains("surprisal is a linear function of frequency").all()
    assert abs(found.words["surprisal"].corr(found.words["frequency"])) < 1 - 1e-6


def test_a_word_without_letters_has_a_length_class() -> None:
    """Its length is 0 where punctuation does not count."""
    texts = (*TEXTS[:3], "She bought bread – and a newspaper before the train had left")
    options = replace(QUICK, design="paper", punctuation=False, surprisal="trigram", frequency="zipf")
    found = psycholing(run=run(at_random, texts, m=at_random), options=options)
    assert found.words["word_length"].min() == 0
    assert found.effects["mean"].notna().any()


def test_rows_without_an_estimate_name_the_same_priors_and_words() -> None:
    found = psycholing(run=run(at_random, forward=forward, m=at_random), options=QUICK)
    assert set(found.effects["priors"]) == {"brms"}
    forwards = found.effects[(found.effects["model"] == "forward") & (found.effects["measure"] == "fpr")]
    assert forwards["note"].str.contains("not estimable: fpr is 0").all()
    fixated = found.words[(found.words["source"] == "forward")].dropna(subset=["fpr"])
    assert set(forwards["n_rows"]) == {len(fixated)}
