"""The symbol before the first word, without which that word has no probability."""

from __future__ import annotations

import warnings
from typing import Any

from scandl.errors import ScandlError


def start_symbol(tokenizer: Any, n_vocabulary: int, chosen: str | None = None) -> tuple[str, int]:
    """Return the token that is put before a text, and its id.

    Some tokenizers name none, or one outside the model's vocabulary, which makes every first
    word about as surprising as a random number; then CLS, EOS or PAD stands in, with a warning.
    """
    if chosen is not None:
        number = tokenizer.get_vocab().get(chosen)
        if number is None or number >= n_vocabulary:
            raise ScandlError(f"{chosen!r} is no token of this language model: it cannot begin a text")
        return chosen, int(number)
    for kind in ("bos", "cls", "eos", "pad"):
        token, number = getattr(tokenizer, f"{kind}_token"), getattr(tokenizer, f"{kind}_token_id")
        if number is None or number >= n_vocabulary:
            continue
        if kind != "bos":
            found = tokenizer.bos_token_id
            problem = "none is named" if found is None else f"its id {found} is outside the vocabulary"
            warnings.warn(
                f"no usable beginning-of-text token ({problem}): {kind.upper()} {token!r} stands in",
                stacklevel=2,
            )
        return str(token), int(number)
    raise ScandlError("this language model has no token that could begin a text: name one with bos=")
