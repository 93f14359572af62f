"""What a checkpoint of ScanDL holds beside its weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from scandl.errors import ScandlError
from scandl.models.diffusion.scandl_checkpoint import folded_from, read_scandl, without_text


def test_another_models_checkpoint_is_not_ours(tmp_path: Path) -> None:
    torch.save({"format": 1, "config": {}}, tmp_path / "other.pt")
    with pytest.raises(ScandlError, match=r"other\.pt: a checkpoint, but not of ScanDL"):
        read_scandl(tmp_path / "other.pt")


def test_the_encoder_comes_back() -> None:
    saved = {
        "name": "lexical",
        "identity": "lexical/2",
        "tokenizer": "",
        "table": torch.arange(6.0).reshape(3, 2),
        "bias": torch.ones(2),
    }
    folded = folded_from(saved)
    assert (folded.name, folded.identity) == ("lexical", "lexical/2")
    np.testing.assert_array_equal(folded.table, [[0, 1], [2, 3], [4, 5]])


def test_the_projection_alone_is_left_out() -> None:
    weights = {
        name: torch.zeros(1) for name in ("text.weight", "text.bias", "texture", "layers.0.text.weight")
    }
    assert list(without_text(weights)) == ["texture", "layers.0.text.weight"]
