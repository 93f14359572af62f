"""Surprisal of words in their context: its sources, which one a name means, its values through a cache.

The trigram model is the one that the speech recogniser PocketSphinx carries: it runs anywhere without a
download, at some hundred thousand words a second, sees two words of context, and its values are
log-probabilities in steps of ln 1.0001. The unigram model is word frequency alone. Language models that
read tokens have modules of their own.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from scandl.errors import ScandlError, did_you_mean
from scandl.extras import install_command, is_installed, need
from scandl.files.results import cache_folder, sha256, write_text
from scandl.text import smollm2
from scandl.text.language_model import TransformersLM, model_folder
from scandl.text.pretrained import local_copy, offline
from scandl.text.small_surprisal import small
from scandl.text.word_facts import NEGLOG2_FLOOR, WordNats, bare_word, unigram_nats
from scandl.text.word_pairs import MODEL, START, STEP, UNKNOWN

UNITS = {"nats": 1.0, "bits": math.log(2.0)}
"""How many nats one unit is."""

VERSION = 2  # of the way values are computed; a new one makes old files unused


class Provider(Protocol):
    """Gives every word of a text its surprisal −ln p(word | the words before it in the text)."""

    @property
    def identity(self) -> Mapping[str, str]:
        """Everything that decides the values, in terms that are known before the model is loaded."""
        ...

    @property
    def record(self) -> Mapping[str, str]:
        """The same for a reader of the values: provider, model, revision, context, conventions."""
        ...

    @property
    def cached(self) -> bool:
        """Whether computing is slow enough for the disk cache."""
        ...

    def nats(self, texts: Sequence[str]) -> list[WordNats]:
        """Return one value per word of ``text.split()`` for each text; NaN = the source has none."""
        ...


@dataclass(frozen=True, slots=True)
class Surprisal:
    """The values by text, and how they came about."""

    values: Mapping[str, tuple[float, ...]]
    record: Mapping[str, str]
    unit: str = "nats"
    from_cache: int = 0  # texts that were not computed again
    reason: str = ""  # why this provider and no other

    def __str__(self) -> str:
        model = self.record.get("model", "")
        name = f"{self.record['provider']} ({model})" if model else self.record["provider"]
        return f"surprisal: {name}, {self.unit}; {self.reason}"


def surprisal(
    texts: Iterable[str],
    provider: str | Provider = "auto",
    *,
    language: str = "en",
    unit: str = "nats",
    bow: bool = False,
    alignment: str = "offsets",
    cache: Path | None = None,
) -> Surprisal:
    """Return the surprisal of every word of the texts, each text its own context.

    ``provider`` is ``auto``, ``smollm2``, ``small``, ``trigram``, ``unigram``, the folder or hub name of a
    causal language model, or an object that follows the protocol. ``cache`` is another folder
    than the user's own. The result says which provider it was, and why.
    """
    if unit not in UNITS:
        raise ScandlError(f"no unit of surprisal {unit!r}{did_you_mean(unit, UNITS)}")
    reason = "given by the caller"
    if isinstance(provider, str):
        provider, reason = resolve(provider, language=language, bow=bow, alignment=alignment)
    found = through_cache(provider, list(texts), cache)
    values = {text: tuple(x / UNITS[unit] for x in row.surprisal) for text, row in found.values.items()}
    return Surprisal(values, {**found.record, "unit": unit}, unit, found.from_cache, reason)


def resolve(
    name: str = "auto", *, language: str = "en", bow: bool = False, alignment: str = "offsets"
) -> tuple[Provider, str]:
    """Return the provider and the reason why it is this one.

    ``auto`` takes the best that is here: GPT-2 when it has a local copy or the hub answers, then
    SmolLM2, the trigram model, and word frequencies. Any other name means itself or is an error.
    """
    options: dict[str, Any] = {"bow": bow, "alignment": alignment}
    if name == "auto":
        return _best(language, options)
    if name in ("small", "trigram", "unigram"):
        return _word_model(name, language, options), "asked for by name"
    if name == "smollm2":
        _only_english(name, language)
        return smollm2.smollm2(**options), "asked for by name"
    return _language_model(name, options), "asked for by name"


def without_context(name: str) -> str:
    """Return the advice to install a source of surprisal where ``auto`` finds none; else nothing."""
    if name != "auto" or is_installed("torch", "transformers") or is_installed("pocketsphinx"):
        return ""
    return (
        "surprisal: only word frequencies are installed, which add nothing to frequency"
        f" ({install_command('analysis')} brings a trigram model)"
    )


def _best(language: str, options: dict[str, Any]) -> tuple[Provider, str]:
    """Return the first provider of the order that can be had, and why the ones before it cannot."""
    if language != "en":
        reason = f"no language model for {language!r} is known here, name one to have context"
        return _word_model("unigram", language, options), reason
    missing = _gpt2_missing()
    if missing is None:
        return _language_model("gpt2", options), "the first choice"
    reasons = [f"gpt2: {missing}"]
    if not is_installed("torch", "transformers"):
        reasons.append("smollm2: torch or transformers is not installed")
    elif not smollm2.installed():
        reasons.append(f"smollm2: not installed ({smollm2.INSTALL})")
    else:
        return smollm2.smollm2(**options), f"not {reasons[0]}"
    if is_installed("pocketsphinx"):
        return _word_model("trigram", language, options), f"not {'; not '.join(reasons)}"
    reasons.append(f"trigram: pocketsphinx is not installed ({install_command('trigram')})")
    return _word_model("unigram", language, options), f"not {'; not '.join(reasons)}"


def _gpt2_missing() -> str | None:
    """Return why GPT-2 cannot be had, or None when it can."""
    if not is_installed("torch", "transformers"):
        return f"torch or transformers is not installed ({install_command('model')})"
    if local_copy("gpt2") is not None:
        return None
    why_not = offline()
    return None if why_not is None else f"no local copy, and {why_not}"


def _language_model(name: str, options: dict[str, Any]) -> Provider:
    folder, revision = model_folder(name)
    return TransformersLM(folder=folder, name=name, revision=revision, **options)


def _word_model(name: str, language: str, options: dict[str, Any]) -> Provider:
    if options["bow"] or options["alignment"] != "offsets":
        raise ScandlError(
            f"surprisal {name!r} knows whole words only: correction and alignment are for language"
            " models with tokens"
        )
    if name == "unigram":
        return Unigram(language)
    _only_english(name, language)
    return small() if name == "small" else Trigram()


def _only_english(name: str, language: str) -> None:
    if language != "en":
        raise ScandlError(f"surprisal {name!r} is English, and the texts are {language!r}")


@dataclass(frozen=True, slots=True)
class Lookup:
    """The values of the distinct texts in nats, how they were made, and how many were on disk."""

    values: Mapping[str, WordNats]
    record: Mapping[str, str]
    from_cache: int = 0


def through_cache(provider: Provider, texts: Sequence[str], folder: Path | None = None) -> Lookup:
    """Return the values of the texts; the provider computes only those that are not on disk."""
    distinct = list(dict.fromkeys(texts))
    if not provider.cached:
        return Lookup(dict(zip(distinct, provider.nats(distinct), strict=True)), provider.record)
    path = _file(provider.identity, folder or cache_folder())
    known = _read(path)
    new = [text for text in distinct if text not in known.values]
    if not new:
        return Lookup({text: known.values[text] for text in distinct}, known.record, len(distinct))
    values = {**known.values, **dict(zip(new, provider.nats(new), strict=True))}
    # Another process may have added texts meanwhile; a lost entry is computed again, never wrong.
    _write(path, Lookup({**_read(path).values, **values}, provider.record))
    return Lookup({text: values[text] for text in distinct}, provider.record, len(distinct) - len(new))


def _file(identity: Mapping[str, str], folder: Path) -> Path:
    key = json.dumps({"version": VERSION, **identity}, sort_keys=True)
    return folder / "surprisal" / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.json"


def _read(path: Path) -> Lookup:
    """Return what the file holds; a file that cannot be read is as good as none."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        values = {
            str(text): WordNats(*(tuple(map(float, row)) for row in rows))
            for text, rows in content["nats"].items()
        }
        return Lookup(values, {str(name): str(value) for name, value in content["record"].items()})
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return Lookup({}, {})


def _write(path: Path, found: Lookup) -> None:
    try:
        nats = {text: (row.surprisal, row.entropy) for text, row in found.values.items()}
        write_text(path, json.dumps({"record": found.record, "nats": nats}, ensure_ascii=False))
    except OSError:
        return  # a cache that cannot be written costs time, not the result


@dataclass(frozen=True)
class Trigram:
    """English trigrams; words the model does not know get their frequency instead."""

    cached = False

    @cached_property
    def _file(self) -> Path:
        return Path(str(need("pocketsphinx", "trigram").__file__)).parent / MODEL

    @cached_property
    def _model(self) -> Any:
        return need("pocketsphinx", "trigram").NGramModel.readfile(str(self._file))

    @cached_property
    def record(self) -> Mapping[str, str]:
        """What decides the values."""
        return {
            "provider": "trigram",
            "model": f"pocketsphinx {version('pocketsphinx')} en-us.lm.bin",
            "sha256": sha256(self._file),
            "context": "two words, within the text",
            "first word": f"after {START}",
            "unknown words": f"-ln frequency, wordfreq {version('wordfreq')}",
            "punctuation": "not counted; a word of punctuation alone has no value",
        }

    @property
    def identity(self) -> Mapping[str, str]:
        """What decides the values."""
        return self.record

    def nats(self, texts: Sequence[str]) -> list[WordNats]:
        """Return −ln p(word | two words before) per word."""
        return [_alone(self._text(text)) for text in texts]

    def _text(self, text: str) -> list[float]:
        history: list[str] = [START]  # newest last
        values = []
        for word in text.split():
            form = bare_word(word).lower()
            if not form:
                values.append(math.nan)  # a dash does not break the context
                continue
            steps = self._model.prob([form, *history[:-3:-1]])  # the word, then the newest first
            if steps <= UNKNOWN:
                values.append(unigram_nats(word))
                history = []  # what follows an unknown word has no context in this model
            else:
                values.append(-steps * STEP)
                history.append(form)
        return values


@dataclass(frozen=True, slots=True)
class Unigram:
    """Word frequencies of wordfreq as a language model that knows no context."""

    language: str = "en"
    cached = False

    @property
    def record(self) -> Mapping[str, str]:
        """What decides the values."""
        return {
            "provider": "unigram",
            "model": f"wordfreq {version('wordfreq')}",
            "language": self.language,
            "context": "none",
            "unknown words": f"proportion {NEGLOG2_FLOOR:g}",
            "punctuation": "not counted; a word of punctuation alone has no value",
        }

    @property
    def identity(self) -> Mapping[str, str]:
        """What decides the values."""
        return self.record

    def nats(self, texts: Sequence[str]) -> list[WordNats]:
        """Return −ln proportion per word."""
        return [_alone([unigram_nats(word, self.language) for word in text.split()]) for text in texts]


def _alone(surprisal: Sequence[float]) -> WordNats:
    """Return the values of a source that knows no distribution at a place."""
    return WordNats(tuple(surprisal), (math.nan,) * len(surprisal))
