"""The hub of trained language models: what is here already, and whether it can be asked for more."""

from __future__ import annotations

import http.client
import os
import threading
import urllib.error
import urllib.request
from pathlib import Path

from scandl.extras import need

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
