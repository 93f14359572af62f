"""Where a language model's files are: a folder, the local copy of a hub, or the hub itself."""

from __future__ import annotations

from pathlib import Path

from scandl.errors import ScandlError
from scandl.extras import need
from scandl.text.pretrained import local_copy, offline

__all__ = ["local_copy", "model_folder", "offline"]

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
