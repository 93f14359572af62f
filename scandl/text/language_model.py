"""Surprisal from a causal language model in a local folder, through ``transformers``."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from scandl.errors import ScandlError
from scandl.extras import need
from scandl.files.results import sha256
from scandl.text.pretrained import local_copy, offline
from scandl.text.token_alignment import (
    ALIGNMENTS,
    WordBeginnings,
    boundaries,
    corrected,
    owners,
    single_spaced,
)
from scandl.text.word_facts import WordNats
from scandl.workers import without_bars

if TYPE_CHECKING:
    import torch

Array = npt.NDArray[np.float64]
TOKENS_PER_BATCH = 1024  # with padding: bounds the logits, tokens × vocabulary × 4 bytes
_FILES = ["*.json", "*.txt", "*.model", "*.safetensors"]


def model_folder(name: str) -> tuple[Path, str | None]:
    """Return the folder of a model and, for one from a hub, its revision.

    ``name`` is a folder or a hub name such as ``gpt2``; what is not here yet is downloaded.
    """
    if Path(name).is_dir():
        return Path(name), None
    if not Path(name).is_absolute() and not name.startswith("."):
        folder = local_copy(name) or _download(name)
        return folder, folder.name
    raise ScandlError(f"{name}: no such folder of a language model")


def _download(name: str) -> Path:
    why_not = offline()
    if why_not is not None:
        raise ScandlError(
            f"language model {name!r} is no folder here and has no local copy, and {why_not}:"
            " name a folder, or one of smollm2, trigram, unigram, auto"
        )
    download = need("huggingface_hub", "model").snapshot_download
    ignored = ["onnx/*", "original/*"]
    try:
        folder = Path(download(name, allow_patterns=_FILES, ignore_patterns=ignored))
        if not any(folder.glob("*.safetensors")):
            folder = Path(download(name, allow_patterns=[*_FILES, "*.bin"], ignore_patterns=ignored))
    except (OSError, ValueError) as error:  # the hub's own errors are kinds of these
        reason = " ".join(str(error).split())[:200]
        raise ScandlError(f"language model {name!r} could not be downloaded: {reason}") from None
    return folder


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
            named = tokenizer.bos_token_id
            problem = "none is named" if named is None else f"its id {named} is outside the vocabulary"
            warnings.warn(
                f"no usable beginning-of-text token ({problem}): {kind.upper()} {token!r} stands in",
                stacklevel=2,
            )
        return str(token), int(number)
    raise ScandlError("this language model has no token that could begin a text: name one with bos=")


def windows(n_tokens: int, size: int) -> list[tuple[int, int, int]]:
    """Cut a text into windows of at most ``size`` tokens that overlap by at least half.

    Each window is (start, first token that is scored in it, end): every token is scored once,
    and from the second window on with at least half a window of context.

    >>> windows(5, 8)
    [(0, 0, 5)]
    >>> windows(11, 4)
    [(0, 0, 4), (2, 4, 6), (4, 6, 8), (6, 8, 10), (7, 10, 11)]
    """
    cut = [(0, 0, min(size, n_tokens))]
    step = max(1, size // 2)
    while cut[-1][2] < n_tokens:
        scored = cut[-1][2]
        end = min(scored + step, n_tokens)
        cut.append((end - size, scored, end))
    return cut


def batches(lengths: Sequence[int], rows: int, tokens: int) -> list[list[int]]:
    """Group sequences of similar length: at most ``rows`` of them, and ``tokens`` with padding.

    Padding costs as much as text, so a group is closed before it is more than a tenth of it.

    >>> batches([3, 9, 3, 9], rows=4, tokens=20)
    [[0, 2], [1, 3]]
    """
    groups: list[list[int]] = []
    filled = 0
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        n_rows = len(groups[-1]) + 1 if groups else rows + 1
        padded = n_rows * lengths[i]
        if n_rows <= rows and padded <= min(tokens, 1.1 * (filled + lengths[i])):
            groups[-1].append(i)
            filled += lengths[i]
        else:
            groups.append([i])
            filled = lengths[i]
    return groups


@dataclass(frozen=True, slots=True)
class _Piece:
    """One window of a text: the ids with the start symbol in front, and which tokens it scores."""

    text: int
    ids: tuple[int, ...]
    skip: int  # tokens of the window that an earlier one scored
    scored: slice  # the tokens of the text that this window scores


@dataclass(frozen=True, slots=True)
class _TokenScores:
    """What the model says of the tokens of one text."""

    tokens: Array  # −ln p(token | before)
    entropy: Array  # of the distribution that the token came from
    at_boundary: Array  # −ln p(a word begins or the text ends | up to this token)
    at_text_start: Array  # (1,): −ln p(a token that can begin a text | start symbol)


@dataclass(frozen=True, kw_only=True)
class TransformersLM:
    """A causal language model; the text is its own context, from a start symbol on."""

    folder: Path
    name: str  # what users call it
    provider: str = "transformers"
    revision: str | None = None  # of a model from a hub; a folder is known by its content
    bos: str | None = None
    bow: bool = False  # correct for beginnings of words, see ``token_alignment``
    alignment: str = "offsets"
    batch_size: int = 32
    cached = True

    def __post_init__(self) -> None:
        ALIGNMENTS[self.alignment]  # an unknown name is an error now, not after the forward pass
        if self.bow and self.alignment != "offsets":
            raise ScandlError("the correction for beginnings of words needs alignment 'offsets'")

    @cached_property
    def identity(self) -> Mapping[str, str]:
        """What decides the values; cheap, so that the cache can be asked before the model is loaded."""
        return {
            "provider": self.provider,
            "model": self.name,
            "revision": self.revision or f"sha256 {sha256(self.folder)}",
            "first word": f"after {self.bos or 'the start symbol of the tokenizer'}",
            "beginning-of-word correction": "yes" if self.bow else "no",
            "alignment": self.alignment,
            "punctuation": "counted with the word",
            "precision": "float32, each text alone" if self.batch_size == 1 else "float32",
        }

    @cached_property
    def record(self) -> Mapping[str, str]:
        """The identity, with the start symbol and the window that the model turned out to have."""
        start, _ = self._start
        context = f"the text, at most {self._window} tokens"
        return {**self.identity, "first word": f"after {start}", "context": context}

    def nats(self, texts: Sequence[str]) -> list[WordNats]:
        """Return surprisal, and entropy before the word, per word of each text."""
        if not texts:
            return []
        clean = [single_spaced(text) for text in texts]
        encoded = self._tokenizer(clean, add_special_tokens=False, return_offsets_mapping=True)
        scores = self._scores(encoded["input_ids"])
        return [
            self._words(text, spans, score)
            for text, spans, score in zip(clean, encoded["offset_mapping"], scores, strict=True)
        ]

    def _words(self, text: str, spans: Sequence[tuple[int, int]], score: _TokenScores) -> WordNats:
        n_words = len(text.split(" "))
        owner = owners(text, spans)
        values = ALIGNMENTS[self.alignment](score.tokens, owner, n_words)
        if self.bow:
            values = corrected(values, owner, score.at_boundary, float(score.at_text_start[0]))
        first = np.searchsorted(owner, np.arange(n_words))  # tokens stand in the order of words
        return WordNats(tuple(values.tolist()), tuple(score.entropy[first].tolist()))

    def _scores(self, token_ids: Sequence[Sequence[int]]) -> list[_TokenScores]:
        empty = [np.zeros((3, len(ids))) for ids in token_ids]
        scores = [_TokenScores(tokens, entropy, at, np.zeros(1)) for tokens, entropy, at in empty]
        pieces = list(self._pieces(token_ids))
        for group in batches([len(p.ids) for p in pieces], self.batch_size, TOKENS_PER_BATCH):
            for piece, outcome in zip(
                [pieces[i] for i in group], self._forward([pieces[i].ids for i in group]), strict=True
            ):
                tokens, entropy, at_boundary, at_text_start = outcome
                score = scores[piece.text]
                score.tokens[piece.scored] = tokens[piece.skip :]
                score.entropy[piece.scored] = entropy[piece.skip :]
                score.at_boundary[piece.scored] = at_boundary[1 + piece.skip :]
                if piece.scored.start == 0:
                    score.at_text_start[0] = at_text_start
        return scores

    def _pieces(self, token_ids: Sequence[Sequence[int]]) -> Iterator[_Piece]:
        _, start_id = self._start
        for text, ids in enumerate(token_ids):
            for start, scored, end in windows(len(ids), self._window - 1):
                yield _Piece(text, (start_id, *ids[start:end]), scored - start, slice(scored, end))

    def _forward(self, rows: Sequence[Sequence[int]]) -> list[tuple[Array, Array, Array, float]]:
        """Return per row: −ln p and entropy of all tokens but the first, B at all tokens, B₀ at the first."""
        torch = need("torch", "model")
        longest = max(map(len, rows))
        ids = torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows])  # (B, L)
        mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
        with torch.inference_mode():
            logits = self._model(input_ids=ids, attention_mask=mask).logits.float()  # (B, L, V)
            total = torch.logsumexp(logits, -1)  # (B, L)
            target = logits[:, :-1].gather(-1, ids[:, 1:, None])[..., 0]
            nats = (total[:, :-1] - target).double().numpy()  # (B, L - 1)
            at_boundary, at_start = self._at_boundaries(torch, logits, total)
            # Row by row: a second array of tokens × vocabulary would double the memory.
            mean = torch.stack([(row.softmax(-1) * row).sum(-1) for row in logits])  # of the logits, (B, L)
            entropy = (total - mean).double().numpy()
        return [
            (
                nats[i, : len(row) - 1],
                entropy[i, : len(row) - 1],
                at_boundary[i, : len(row)],
                float(at_start[i]),
            )
            for i, row in enumerate(rows)
        ]

    def _at_boundaries(self, torch: Any, logits: torch.Tensor, total: torch.Tensor) -> tuple[Array, Array]:
        if not self.bow:
            return np.zeros(total.shape), np.zeros(len(total))
        word, text = list(self._boundaries.word), list(self._boundaries.text)
        at_word = total - torch.logsumexp(logits[..., word], -1)  # (B, L)
        at_start = total[:, 0] - torch.logsumexp(logits[:, 0, text], -1)  # (B,)
        return at_word.double().numpy(), at_start.double().numpy()

    @cached_property
    def _boundaries(self) -> WordBeginnings:
        end = self._tokenizer.eos_token_id
        if end is None:
            _, end = self._start
        vocabulary = {t: n for t, n in self._tokenizer.get_vocab().items() if n < self._config_vocabulary}
        return boundaries(vocabulary, end, self._tokenizer.all_special_ids)

    @cached_property
    def _start(self) -> tuple[str, int]:
        return start_symbol(self._tokenizer, self._config_vocabulary, self.bos)

    @cached_property
    def _tokenizer(self) -> Any:
        tokenizer = _load("AutoTokenizer", self.folder, self.name)
        if not tokenizer.is_fast:
            raise ScandlError(f"{self.name}: its tokenizer does not say which characters a token covers")
        return tokenizer

    @cached_property
    def _config(self) -> Any:
        return _load("AutoConfig", self.folder, self.name)

    @property
    def _config_vocabulary(self) -> int:
        return int(self._config.vocab_size)

    @property
    def _window(self) -> int:
        return int(getattr(self._config, "max_position_embeddings", None) or 1024)

    @cached_property
    def _model(self) -> Any:
        torch = need("torch", "model")
        return _load("AutoModelForCausalLM", self.folder, self.name, dtype=torch.float32).eval()


def _load(auto_class: str, folder: Path, name: str, **options: Any) -> Any:
    transformers = need("transformers", "model")
    try:
        with without_bars(transformers.utils.logging):
            return getattr(transformers, auto_class).from_pretrained(folder, local_files_only=True, **options)
    except (OSError, ValueError, KeyError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ScandlError(f"{name}: cannot be loaded as a causal language model: {reason}") from None
