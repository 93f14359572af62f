"""The symbol before the first word, on tokenizers that name it, name a wrong one, or name none."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from scandl.errors import ScandlError
from scandl_analysis.predictors.surprisal.bos import start_symbol


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
