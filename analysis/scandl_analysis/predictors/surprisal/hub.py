"""Where a language model's files are: a folder, the local copy of a hub, or the hub itself."""

from __future__ import annotations

import os
import urllib.error
import urllib.request
from pathlib import Path

from scandl.errors import ScandlError
from scandl.extras import need

WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "pytorch_model.bin")
_FILES = ["*.json", "*.txt", "*.model", "*.safetensors"]


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
    try:
        with urllib.request.urlopen(urllib.request.Request(endpoint, method="HEAD"), timeout=3):
            return None
    except urllib.error.HTTPError:
        return None  # it answers, if not politely
    except (OSError, ValueError):
        return f"{endpoint} does not answer"


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
