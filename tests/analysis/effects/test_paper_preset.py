"""The published analysis as a preset: every choice, one by one, and what is said where one differs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scandl_analysis.effects import paper_preset
from scandl_analysis.effects.designs import Options, source_glm
from scandl_analysis.effects.paper_preset import deviations
from scandl_analysis.words.analysed_run import demo_run, open_run

PUBLISHED = {  # Bolliger et al. (2023), section 5.3 and appendix; released analysis code
    "design": "paper",
    "measures": ("sr", "fpr", "ffc", "tfc"),
    "variant": "paper",
    "frequency": "proportion",
    "surprisal": "gpt2-xl",
    "alignment": "scandl-v1",
    "scaling": "separate",
    "unit": "nats",
    "bow": False,
    "punctuation": True,
    "priors": "brms",
    "counts": "poisson",
    "spillover": False,
    "edges": (),
}


@pytest.fixture
def with_gpt2_xl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper_preset, "local_copy", lambda name: name)
    monkeypatch.setattr(paper_preset, "is_installed", lambda *packages: True)


def resolved(**asked: object) -> Options:
    run = replace(open_run(demo_run(), "nrns"), folder=None)
    return Options(**asked).of(run)  # type: ignore[arg-type]


@pytest.mark.usefixtures("with_gpt2_xl")
@pytest.mark.parametrize("name", PUBLISHED)
def test_every_choice_is_the_published_one(name: str) -> None:
    assert getattr(resolved(design="paper"), name) == PUBLISHED[name]


def test_twelve_thousand_draws_and_the_published_regressions() -> None:
    options = resolved(design="paper")
    assert (options.draws or 0) * options.chains == 12_000
    assert options.measured(timed=True) == PUBLISHED["measures"]
    frame = None
    for measure, family in (
        ("sr", "bernoulli"),
        ("fpr", "bernoulli"),
        ("ffc", "poisson"),
        ("tfc", "poisson"),
    ):
        assert options.family(measure) == family
        for source, groups in (("human", ("reader_id",)), ("scandl", ())):
            glm = source_glm("paper", measure, source, frame, predictors=options.predictors, family=family)
            assert (glm.groups, glm.slopes) == (groups, ())
            assert glm.predictors == ("word_length", "frequency", "surprisal")


@pytest.mark.usefixtures("with_gpt2_xl")
def test_what_always_differs_is_said() -> None:
    lines = deviations(resolved(design="paper"), corpus="mine")
    assert [line.removeprefix("differs from the paper: ") for line in lines] == [
        "corpus mine; the paper's is CELER",
        "engine hmc instead of brms: the same posterior, other random numbers",
        "the two halves of the readers and the marginal effects are added",
    ]


def test_what_was_asked_for_or_is_not_here_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper_preset, "is_installed", lambda *packages: packages == ("pocketsphinx",))
    lines = deviations(resolved(design="paper", frequency="zipf"), corpus="mine")
    said = [line.removeprefix("differs from the paper: ") for line in lines[:3]]
    assert said == [
        "frequency zipf instead of proportion (asked for)",
        "surprisal trigram instead of gpt2-xl (ask for it with --surprisal gpt2-xl: a download of 6 GB)",
        "alignment offsets instead of scandl-v1 (surprisal trigram has no tokens)",
    ]


def test_other_designs_have_definitions_that_can_be_compared() -> None:
    options = resolved()
    chosen = ("crossed", "firstpass", "zipf", "offsets", "human", 1000)
    names = ("design", "variant", "frequency", "alignment", "scaling", "draws")
    assert tuple(getattr(options, name) for name in names) == chosen
    assert Options().of(open_run(demo_run(), "nrns")).design == "intercepts"


def test_other_languages_have_no_english_model() -> None:
    assert paper_preset.nearest_surprisal("de") == "unigram"
