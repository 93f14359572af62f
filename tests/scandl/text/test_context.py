"""One scale for every source: tables in bits, models of another vocabulary; nothing is made up for unknown words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from scandl.errors import DataError, ScandlError
from scandl.text import context as module
from scandl.text import language_model, smollm2
from scandl.text.context import FEWEST, IN_TEXTS, ON_PROSE, PROSE, NatsScale, context, open_context

TEXTS = [f"word{n} is number {n} ." for n in range(40)]


@pytest.fixture(autouse=True)
def forgotten() -> None:
    open_context.cache_clear()


def write(path: Path, values: Callable[[int], str], *, texts: list[str] = TEXTS, header: str = "") -> Path:
    lines = [header or "sentence_id,word_index,word,surprisal,entropy"]
    n = 0
    for key, text in enumerate(texts):
        for place, word in enumerate(text.split()):
            lines.append(f"{key},{place},{word},{values(n)}")
            n += 1
    path.write_text("\n".join(lines) + "\n")
    return path


def test_no_source_knows_nothing() -> None:
    found = context(("A", "cat"), provider="none")
    assert not found.known.any()
    assert np.isnan(found.surprisal).all()
    assert np.isnan(found.entropy).all()


def test_a_table_in_bits_of_half_the_spread_means_the_same(tmp_path: Path) -> None:
    nats = write(tmp_path / "nats.csv", lambda n: f"{n % 9},{n % 5}")
    other = write(tmp_path / "other.csv", lambda n: f"{100 + (n % 9) / 1.386},{(n % 5) * 7}")
    one, two = (open_context(str(path)).of_texts([text.split() for text in TEXTS]) for path in (nats, other))
    for a, b in zip(one, two, strict=True):
        np.testing.assert_allclose(a.surprisal, b.surprisal, atol=1e-9)
        np.testing.assert_allclose(a.entropy, b.entropy, atol=1e-9)
    values = np.concatenate([row.surprisal for row in one])
    assert (values.mean(), values.std()) == pytest.approx(IN_TEXTS.surprisal)


def test_a_small_table_is_taken_as_it_stands_and_says_so(tmp_path: Path) -> None:
    path = write(tmp_path / "few.csv", lambda n: f"{n},", texts=TEXTS[:2])
    source = open_context(str(path))
    found = source(TEXTS[0].split())
    assert found.surprisal.tolist() == [0, 1, 2, 3, 4]
    assert np.isnan(found.entropy).all()
    assert found.known.all()
    assert "its 10 words are too few to tell its scale" in source.about
    assert FEWEST > 10


def test_an_empty_cell_is_not_known(tmp_path: Path) -> None:
    path = write(tmp_path / "gap.csv", lambda n: "," if n == 1 else f"{n},1")
    assert open_context(str(path))(TEXTS[0].split()).known.tolist() == [True, False, True, True, True]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("0,1,a,1,1", r"table.csv:2: column 'word_index': found '1', expected 0, the next word of '0'"),
        ("0,0,a,x,1", r"table.csv:2: column 'surprisal': found 'x', expected a number, or an empty cell"),
        ("0,0,a,inf,1", r"table.csv:2: column 'surprisal': found 'inf', expected a number"),
        ("0,0,a,1,-", r"table.csv:2: column 'entropy': found '-', expected a number"),
        (
            "0,0,a,1,1",
            r"table.csv: column 'word': found no rows of the text 'b', expected the words of every",
        ),
    ],
)
def test_a_fault_of_a_table_is_named(tmp_path: Path, row: str, said: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(f"sentence_id,word_index,word,surprisal,entropy\n{row}\n")
    with pytest.raises(DataError, match=said):
        context(["b"], provider=str(path))


def test_a_language_model_is_moved_to_the_scale_by_prose_they_both_read(toy_lm: Path) -> None:
    source = open_context(str(toy_lm))
    found = source.of_texts([text.split() for text in PROSE])
    for name in ("surprisal", "entropy"):
        values = np.concatenate([getattr(row, name) for row in found])
        assert (values.mean(), values.std()) == pytest.approx(getattr(ON_PROSE, name))
    assert np.isfinite(open_context(str(toy_lm), "de")(["und"]).surprisal).all()


def test_a_text_has_the_same_values_whatever_is_asked_with_it(toy_lm: Path, tmp_path: Path) -> None:
    alone = [open_context(str(toy_lm))(text.split()) for text in PROSE[:3]]
    open_context.cache_clear()
    (tmp_path / "cache").rename(tmp_path / "before")
    together = open_context(str(toy_lm)).of_texts([text.split() for text in reversed(PROSE[:3])])
    for one, many in zip(alone, reversed(together), strict=True):
        assert one.surprisal.tolist() == many.surprisal.tolist()
        assert one.entropy.tolist() == many.entropy.tolist()


def test_what_was_computed_is_read_from_disk(toy_lm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = context(("A", "cat"), provider=str(toy_lm))
    open_context.cache_clear()
    monkeypatch.setattr(language_model.TransformersLM, "nats", None)
    assert context(("A", "cat"), provider=str(toy_lm)).surprisal.tolist() == before.surprisal.tolist()


def test_auto_takes_the_best_that_is_installed_and_asks_no_network(
    monkeypatch: pytest.MonkeyPatch, toy_lm: Path
) -> None:
    monkeypatch.setattr(smollm2, "installed", lambda: False)
    monkeypatch.setattr(module, "local_copy", lambda name: None)
    monkeypatch.setattr(language_model, "offline", pytest.fail)
    assert open_context("auto").name == "small"
    assert smollm2.INSTALL in open_context("auto").about
    assert "no language model for 'hi' is known here" in open_context("auto", "hi").about
    open_context.cache_clear()
    for where in (module, language_model):
        monkeypatch.setattr(where, "local_copy", lambda name: toy_lm)
    assert open_context("auto").name == "gpt2"
    open_context.cache_clear()
    monkeypatch.setattr(smollm2, "installed", lambda: True)
    monkeypatch.setattr(smollm2, "_folder", lambda: toy_lm)
    assert open_context("auto").name == "smollm2"
    for name in ("smollm2", "small"):
        with pytest.raises(ScandlError, match=f"context '{name}' is English, and the texts are 'hi'"):
            context(("क",), "hi", name)


@pytest.mark.slow
@pytest.mark.skipif(not smollm2.installed(), reason=f"not installed: {smollm2.INSTALL}")
def test_the_scale_is_that_of_smollm2_on_the_prose() -> None:
    found = NatsScale.of(smollm2.smollm2().nats(PROSE))
    assert found.surprisal == pytest.approx(ON_PROSE.surprisal, abs=0.01)
    assert found.entropy == pytest.approx(ON_PROSE.entropy, abs=0.01)
