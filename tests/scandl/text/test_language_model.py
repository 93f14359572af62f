"""A language model of two layers against what the library itself says of the same text."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.errors import ScandlError
from scandl.text.language_model import (
    TransformersLM,
    batches,
    model_folder,
    start_symbol,
    windows,
)
from scandl.text.surprisal import surprisal

torch = pytest.importorskip("torch", reason="scandl[model] is not installed")
transformers = pytest.importorskip("transformers", reason="scandl[model] is not installed")

SENTENCES = [
    "The cat  sat on the mat.",  # a double space
    " The dog sat.",  # a leading space
    "The U.S. attorney forgot.",
    "Cats don't sit.",
    "The “old” man’s boats",  # curly quotes
    "A 🙂 cat",
    "The 50,000 cats",
    "Cats",  # one word
    "Unbelievable cats sit",  # the first word has several tokens
]


def lm(folder: Path, **options: Any) -> TransformersLM:
    return TransformersLM(folder=folder, name="toy", **options)


@cache
def reference(folder: Path) -> tuple[Any, Any]:
    """Return tokenizer and model as the library loads them."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    return tokenizer, transformers.AutoModelForCausalLM.from_pretrained(folder)


def text_nats(folder: Path, text: str) -> float:
    """Return −ln p(text) by the library's own loss, start symbol in front."""
    if not text:
        return 0.0
    tokenizer, model = reference(folder)
    ids = torch.tensor([[0, *tokenizer(text, add_special_tokens=False)["input_ids"]]])
    with torch.inference_mode():
        return float(model(ids, labels=ids).loss) * (ids.shape[1] - 1)


def surprisals(model: TransformersLM, texts: Sequence[str]) -> list[tuple[float, ...]]:
    return [row.surprisal for row in model.nats(texts)]


def close(found: Sequence[float], expected: Sequence[float], atol: float) -> None:
    np.testing.assert_allclose(found, expected, atol=atol, rtol=0)


def test_words_are_differences_of_prefixes_and_sum_to_the_text(toy_lm: Path) -> None:
    values = surprisals(lm(toy_lm), SENTENCES)
    for text, row in zip(SENTENCES, values, strict=True):
        words = text.split()
        prefixes = [text_nats(toy_lm, " ".join(words[:n])) for n in range(len(words) + 1)]
        close(row, np.diff(prefixes).tolist(), atol=1e-4)
        assert sum(row) == pytest.approx(prefixes[-1], abs=1e-4)


def test_entropy_is_that_of_what_may_come_before_a_word(toy_lm: Path) -> None:
    tokenizer, model = reference(toy_lm)
    for text, row in zip(SENTENCES, lm(toy_lm).nats(SENTENCES), strict=True):
        words = text.split()
        for n, found in enumerate(row.entropy):
            ids = tokenizer(" ".join(words[:n]), add_special_tokens=False)["input_ids"] if n else []
            with torch.inference_mode():
                log_p = torch.log_softmax(model(torch.tensor([[0, *ids]])).logits[0, -1].double(), -1)
            assert found == pytest.approx(float(-(log_p.exp() * log_p).sum()), abs=1e-4)


def test_batching_does_not_change_the_values(toy_lm: Path) -> None:
    one, many = (surprisals(lm(toy_lm, batch_size=size, bow=True), SENTENCES) for size in (1, 32))
    close([x for row in one for x in row], [x for row in many for x in row], atol=1e-5)
    assert lm(toy_lm).nats([]) == []


def test_a_text_longer_than_the_window(toy_lm: Path) -> None:
    """The first window is as it would be alone; later words still have half a window of context."""
    text = "The cat sat on the mat, and the dog sat on the old cat. " * 6
    (values,) = surprisals(lm(toy_lm), [text])
    assert len(values) == len(text.split())
    assert all(math.isfinite(x) and x > 0 for x in values)
    short = " ".join(text.split()[:8])
    close(values[:8], surprisals(lm(toy_lm), [short])[0], atol=1e-4)
    tokenizer, model = reference(toy_lm)
    ids = tokenizer(" ".join(text.split()), add_special_tokens=False)["input_ids"]
    assert len(ids) > 64  # otherwise this tests nothing
    # The last window, by hand: the start symbol and the last 63 tokens.
    window = torch.tensor([[0, *ids[-63:]]])
    with torch.inference_mode():
        log_p = torch.log_softmax(model(window).logits[0], -1)
    last_word = len(tokenizer(" cat.", add_special_tokens=False)["input_ids"])
    by_hand = -sum(float(log_p[i - 1, window[0, i]]) for i in range(64 - last_word, 64))
    assert values[-1] == pytest.approx(by_hand, abs=1e-4)


def test_the_correction_telescopes_to_its_two_ends(toy_lm: Path) -> None:
    naive = surprisals(lm(toy_lm), SENTENCES)
    fixed = surprisals(lm(toy_lm, bow=True), SENTENCES)
    tokenizer, model = reference(toy_lm)
    opens = [n for token, n in tokenizer.get_vocab().items() if token[0] in "ĠĊĉč" or n == 0]
    starts = [n for token, n in tokenizer.get_vocab().items() if token[0] not in "ĠĊĉč"]
    for text, before, after in zip(SENTENCES, naive, fixed, strict=True):
        ids = tokenizer(" ".join(text.split()), add_special_tokens=False)["input_ids"]
        with torch.inference_mode():
            p = torch.softmax(model(torch.tensor([[0, *ids]])).logits[0], -1)
        ends = math.log(float(p[0, starts].sum())) - math.log(float(p[-1, opens].sum()))
        assert sum(after) == pytest.approx(sum(before) + ends, abs=1e-4)
        assert len(before) == len(after)
    assert naive != fixed


def test_the_released_alignment_moves_single_token_words(toy_lm: Path) -> None:
    right = surprisals(lm(toy_lm), ["Unbelievable the cat"])[0]
    slipped = surprisals(lm(toy_lm, alignment="scandl-v1"), ["Unbelievable the cat"])[0]
    assert slipped[0] == right[0]
    assert slipped[1] != right[1]
    with pytest.raises(ScandlError, match="needs alignment 'offsets'"):
        lm(toy_lm, alignment="scandl-v1", bow=True)
    with pytest.raises(ScandlError, match="no alignment 'offset'; did you mean 'offsets'"):
        lm(toy_lm, alignment="offset")


def test_a_start_symbol_outside_the_vocabulary_is_replaced(
    toy_lm: Path, toy_lm_with_broken_start: Path
) -> None:
    with pytest.warns(UserWarning, match=r"its id \d+ is outside the vocabulary\): EOS '<\|endoftext\|>'"):
        values = surprisals(lm(toy_lm_with_broken_start), SENTENCES)
    close(
        [x for row in values for x in row],
        [x for row in surprisals(lm(toy_lm), SENTENCES) for x in row],
        1e-6,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert lm(toy_lm_with_broken_start).record["first word"] == "after <|endoftext|>"
    with pytest.raises(ScandlError, match="'<none>' is no token of this language model"):
        surprisals(lm(toy_lm, bos="<none>"), ["A cat"])


def test_the_record_holds_what_decides_the_values(toy_lm: Path) -> None:
    record = lm(toy_lm, bow=True).record
    assert record["model"] == "toy"
    assert record["revision"].startswith("sha256 ")
    assert record["context"] == "the text, at most 64 tokens"
    assert record["beginning-of-word correction"] == "yes"
    plain = lm(toy_lm).identity
    changed = [lm(toy_lm, bow=True), lm(toy_lm, alignment="scandl-v1"), lm(toy_lm, revision="r2")]
    assert all(other.identity != plain for other in changed)


def test_a_folder_that_is_no_model_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ScandlError, match="toy: cannot be loaded as a causal language model"):
        surprisals(lm(tmp_path), ["A cat"])


def test_units(toy_lm: Path) -> None:
    nats, bits = (surprisal(["The cat sat."], str(toy_lm), unit=unit) for unit in ("nats", "bits"))
    close(
        [x / math.log(2) for x in nats.values["The cat sat."]], list(bits.values["The cat sat."]), atol=1e-12
    )
    assert bits.record["unit"] == "bits"
    with pytest.raises(ScandlError, match="no unit of surprisal 'bit'; did you mean 'bits'"):
        surprisal([], str(toy_lm), unit="bit")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_an_independent_package_gives_the_same_naive_values(toy_lm: Path) -> None:
    scorer = pytest.importorskip("minicons.scorer", reason="minicons is not installed")
    theirs = scorer.IncrementalLMScorer(str(toy_lm), "cpu")
    sentences = ["The cat sat on the mat.", "Unbelievable cats sit"]
    tokens = theirs.token_score(sentences, surprisal=True, bos_token=True)
    ours = surprisals(lm(toy_lm), sentences)
    for theirs_row, ours_row in zip(tokens, ours, strict=True):
        assert sum(value for _, value in theirs_row) == pytest.approx(sum(ours_row), abs=1e-4)
    # The last word of the second sentence is one piece of the token list: compare it alone.
    words = [""]
    sums = [0.0]
    for token, value in tokens[1][1:]:
        if token[0] in "Ġ ":
            words.append("")
            sums.append(0.0)
        words[-1] += token.strip("Ġ ")
        sums[-1] += value
    assert words == sentences[1].split()
    close(sums, list(ours[1]), atol=1e-4)


def tokenizer(**ids: int | None) -> SimpleNamespace:
    names = {f"{kind}_token": f"<{kind}>" for kind in ("bos", "cls", "eos", "pad")}
    numbers = {f"{kind}_token_id": ids.get(kind) for kind in ("bos", "cls", "eos", "pad")}
    return SimpleNamespace(**names, **numbers, get_vocab=lambda: {"<mine>": 3, "<outside>": 10})


def test_a_proper_bos_is_taken_without_a_word() -> None:
    assert start_symbol(tokenizer(bos=0, eos=1), 10) == ("<bos>", 0)


@pytest.mark.parametrize(
    ("ids", "expected", "problem"),
    [
        ({"cls": 2, "eos": 1}, ("<cls>", 2), "none is named"),
        ({"bos": 10, "eos": 1}, ("<eos>", 1), "its id 10 is outside the vocabulary"),
        ({"bos": None, "eos": 12, "pad": 4}, ("<pad>", 4), "none is named"),
    ],
)
def test_another_symbol_stands_in_with_a_warning(
    ids: dict[str, int | None], expected: tuple[str, int], problem: str
) -> None:
    with pytest.warns(UserWarning, match=f"no usable beginning-of-text token \\({problem}\\)"):
        assert start_symbol(tokenizer(**ids), 10) == expected


def test_the_callers_choice_must_exist() -> None:
    assert start_symbol(tokenizer(bos=0), 10, "<mine>") == ("<mine>", 3)
    for wrong in ("<outside>", "<nowhere>"):
        with pytest.raises(ScandlError, match=f"'{wrong}' is no token of this language model"):
            start_symbol(tokenizer(bos=0), 10, wrong)


def test_none_at_all() -> None:
    with pytest.raises(ScandlError, match="no token that could begin a text"):
        start_symbol(tokenizer(), 10)


@given(st.integers(1, 200), st.integers(2, 40))
def test_every_token_is_scored_once_and_with_half_a_window_before_it(n_tokens: int, size: int) -> None:
    scored = []
    for number, (start, first, end) in enumerate(windows(n_tokens, size)):
        assert 0 <= start <= first < end
        assert end - start <= size
        assert number == 0 or first - start >= size // 2
        scored += range(first, end)
    assert scored == list(range(n_tokens))


@given(st.lists(st.integers(1, 50), max_size=30), st.integers(1, 5), st.integers(1, 100))
def test_every_sequence_is_in_one_batch_within_the_limits(lengths: list[int], rows: int, tokens: int) -> None:
    found = batches(lengths, rows, tokens)
    assert sorted(i for group in found for i in group) == list(range(len(lengths)))
    for group in found:
        assert len(group) == 1 or len(group) <= rows
        padded = len(group) * max(lengths[i] for i in group)
        assert len(group) == 1 or padded <= tokens
        assert padded <= 1.1 * sum(lengths[i] for i in group) + 1e-9


constants = pytest.importorskip("huggingface_hub.constants", reason="scandl[model] is not installed")


def test_a_downloaded_model_is_found_with_its_revision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    root = tmp_path / "models--gpt2"
    snapshot = root / "snapshots" / ("a" * 40)
    snapshot.mkdir(parents=True)
    (root / "refs").mkdir()
    (root / "refs" / "main").write_text("a" * 40)
    (snapshot / "config.json").write_text("{}")
    (snapshot / "model.safetensors").write_text("")
    assert model_folder("gpt2") == (snapshot, "a" * 40)


def test_a_folder_is_itself(tmp_path: Path) -> None:
    assert model_folder(str(tmp_path)) == (tmp_path, None)
