"""From the name a user gives to the provider that computes; never another one in silence."""

from __future__ import annotations

from typing import Any

from scandl.errors import ScandlError
from scandl.extras import install_command, is_installed
from scandl_analysis.predictors.surprisal.provider import Provider


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
    if name in ("trigram", "unigram"):
        return _word_model(name, language, options), "asked for by name"
    if name == "smollm2":
        from scandl_analysis.predictors.surprisal.smollm2 import smollm2

        _only_english(name, language)
        return smollm2(**options), "asked for by name"
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
    from scandl_analysis.predictors.surprisal import smollm2

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
    from scandl_analysis.predictors.surprisal.hub import local_copy, offline

    if local_copy("gpt2") is not None:
        return None
    why_not = offline()
    return None if why_not is None else f"no local copy, and {why_not}"


def _language_model(name: str, options: dict[str, Any]) -> Provider:
    from scandl_analysis.predictors.surprisal.hub import model_folder
    from scandl_analysis.predictors.surprisal.transformers_lm import TransformersLM

    folder, revision = model_folder(name)
    return TransformersLM(folder=folder, name=name, revision=revision, **options)


def _word_model(name: str, language: str, options: dict[str, Any]) -> Provider:
    if options["bow"] or options["alignment"] != "offsets":
        raise ScandlError(
            f"surprisal {name!r} knows whole words only: correction and alignment are for language"
            " models with tokens"
        )
    if name == "unigram":
        from scandl_analysis.predictors.surprisal.unigram import Unigram

        return Unigram(language)
    from scandl_analysis.predictors.surprisal.trigram import Trigram

    _only_english(name, language)
    return Trigram()


def _only_english(name: str, language: str) -> None:
    if language != "en":
        raise ScandlError(f"surprisal {name!r} is English, and the texts are {language!r}")
