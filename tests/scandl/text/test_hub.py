"""Finding a model's files without waiting for a network that is not there."""

from __future__ import annotations

import socket
import threading
import urllib.error
from email.message import Message
from pathlib import Path

import pytest

from scandl.text.hub import local_copy, offline

constants = pytest.importorskip("huggingface_hub.constants", reason="scandl[model] is not installed")


def test_a_downloaded_model_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    root = tmp_path / "models--gpt2"
    snapshot = root / "snapshots" / ("a" * 40)
    snapshot.mkdir(parents=True)
    (root / "refs").mkdir()
    (root / "refs" / "main").write_text("a" * 40)
    (snapshot / "config.json").write_text("{}")
    assert local_copy("gpt2") is None  # only half downloaded
    (snapshot / "model.safetensors").write_text("")
    assert local_copy("gpt2") == snapshot
    assert local_copy("not a hub name!") is None


def test_a_dead_endpoint_is_noticed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.delenv("TRANSFORMERS_OFFLINE", raising=False)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert offline() == "http://127.0.0.1:9 does not answer"
    monkeypatch.setenv("TRANSFORMERS_OFFLINE", "true")
    assert offline() == "TRANSFORMERS_OFFLINE is set"


def test_an_address_that_swallows_everything_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a look-up of the name nor a connection that never comes about keeps anybody waiting."""
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("scandl.text.hub.SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes the connection and never speaks
        endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}"
        monkeypatch.setenv("HF_ENDPOINT", endpoint)
        assert offline() == f"{endpoint} does not answer"
    released = threading.Event()

    def look_up(*_: object, **__: object) -> None:
        released.wait(60)
        raise socket.gaierror

    monkeypatch.setattr("socket.getaddrinfo", look_up)
    monkeypatch.setenv("HF_ENDPOINT", "http://hub")
    assert offline() == "http://hub does not answer"
    assert not released.is_set()
    released.set()


def test_a_gateway_that_does_not_reach_the_hub_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_ENDPOINT", "http://hub")
    for status, why in ((404, None), (503, "http://hub does not answer (status 503)")):

        def answer(*_: object, status: int = status, **__: object) -> None:
            raise urllib.error.HTTPError("http://hub", status, "", Message(), None)

        monkeypatch.setattr("urllib.request.urlopen", answer)
        assert offline() == why
