"""All models by name, and how one is opened: by name, by file, by a class in a Python file, as an object.

Another package adds a model with an entry point in the group ``scandl.models``.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from scandl.errors import ScandlError, did_you_mean
from scandl.extras import install_command, is_installed
from scandl.models.baselines.times_by_word import TimesByWord
from scandl.models.model import AnyObject, Model
from scandl.models.trained_model import (
    DEFAULT,
    ENDINGS,
    ModelOptions,
    TrainedModel,
    model_file,
    open_trained,
    shipped_models,
)

GROUP = "scandl.models"
"""The group of entry points in which other packages name their models."""
TIMES = "+times-by-word"
"""Behind the name of a model: its paths with durations by word length and frequency."""
BASELINES = {
    "ezreader": "cognitive.cognitive_generator:EZReader",
    "left-to-right": "baselines.trivial:LeftToRight",
    "markov": "baselines.markov:Markov",
    "markov-text": "baselines.markov:MarkovText",
    "medoid": "baselines.trivial:Medoid",
    "simplified-swift": "simplified_swift.simplified_swift_generator:SimplifiedSwift",
    "skip-short": "baselines.trivial:SkipShort",
    "swift": "cognitive.cognitive_generator:Swift",
    "train-label-dist": "baselines.trivial:TrainLabelDist",
    "uniform": "baselines.trivial:Uniform",
    "uniform-45": "baselines.trivial:Uniform45",
    "uniform-m": "baselines.trivial:UniformM",
    "uniform-n": "baselines.trivial:UniformN",
    "uniform-saccade": "baselines.trivial:UniformSaccade",
}
"""Models that are ready, or fitted in seconds."""
TRAINED = {
    "eyettention": "eyettention.eyettention_generator:Eyettention",
    "eyettention-small": "eyettention.eyettention_generator:EyettentionSmall",
    "people-like": "pointer.people_generator:PeopleLike",
    "scandl": "diffusion.scandl_generator:ScandlGenerator",
    "scandl-continuous": "pointer.pointer_generator:ScandlContinuous",
    "scandl-masked": "pointer.pointer_generator:ScandlMasked",
    "scandl-paper": "diffusion.scandl_generator:PaperScandlGenerator",
    "scandl-paper-cosine": "diffusion.scandl_generator:CosineScandl",
    "scandl-paper-linear": "diffusion.scandl_generator:LinearScandl",
    "scandl-paper-no-condition": "diffusion.scandl_generator:UnconditionalScandl",
    "scandl-paper-no-text": "diffusion.scandl_generator:TextlessScandl",
    "scanpath-transformer": "pointer.pointer_generator:ScanpathTransformer",
}
"""Models that a fold takes minutes to train, or that build on trained ones: they run where they are named."""
QUICKLY_TRAINED = ("scanpath-transformer",)
"""Trained models that a fold takes less than a minute of: with the baselines they are what ``all`` means."""


def open_model(what: Model | Path | str | object | None = None, options: ModelOptions | None = None) -> Model:
    """Open a model, which then reads by :func:`scandl.models.readings.readings`.

    Parameters
    ----------
    what
        A name of ``scandl-eval baseline list``, a checkpoint of ``scandl train`` or its folder, a file
        of ``scandl export``, a class in a Python file such as ``my_reader.py:MyReader``, or an object
        with ``fit`` and ``read``. None is the model of the package that learned from people.
    options
        Device, weights, batch, sampling and context of a trained model.

    Returns
    -------
    Model
        The model; one that learns from people is not fitted yet.

    Examples
    --------
    >>> open_model("uniform").name, open_model().name
    ('uniform', 'people')
    """
    if what is None:
        return open_trained(DEFAULT, options)
    if isinstance(what, Path | str):
        return _named(str(what), options)
    if isinstance(what, TrainedModel) and options is not None and options.sampling is not None:
        return what.with_sampling(options.sampling)
    if isinstance(what, Model):
        return what
    if hasattr(what, "fit") and hasattr(what, "read"):
        return AnyObject(what() if isinstance(what, type) else what)
    raise ScandlError(f"models: found {type(what).__name__}, expected a name or an object with fit and read")


def _named(name: str, options: ModelOptions | None) -> Model:
    path, colon, attribute = name.rpartition(":")
    if colon and path.endswith(".py"):
        return _ours(_class_in(Path(path), attribute), attribute)
    if name in shipped_models() or _is_file_of_weights(name):
        return open_trained(name, options)
    if options is not None and replace(options, context=None) != ModelOptions():
        raise ScandlError(f"{name}: device, weights, batch and denoising steps are of trained models alone")
    if name.endswith(TIMES):
        return TimesByWord(_named(name.removesuffix(TIMES), options))
    model = _ours(model_class(name), name)
    return model if options is None or options.context is None else model.with_context(options.context)


def _is_file_of_weights(name: str) -> bool:
    """Say whether a name is that of a file or folder of weights; names of models come first."""
    known = name in BASELINES | TRAINED or name in _entry_points()
    return not known and (Path(name).suffix in ENDINGS or Path(name).is_dir())


def _ours(found: Any, name: str) -> Model:
    """Return the model that a class, a function without arguments or an object of anyone's stands for."""
    made = found() if callable(found) else found
    model = made if isinstance(made, Model) else open_model(made)
    if not model.name:
        model.name = name
    return model


def model_class(name: str) -> Any:
    """Return the class of a model by name: one of ours, or what another package offers."""
    ours = BASELINES | TRAINED
    if name in ours:
        module, _, attribute = ours[name].partition(":")
        return getattr(import_module(f"scandl.models.{module}"), attribute)
    if name in (points := _entry_points()):
        return points[name].load()
    raise ScandlError(f"no model {name!r}{did_you_mean(name, model_names())}")


def _entry_points() -> dict[str, Any]:
    return {point.name: point for point in entry_points(group=GROUP)}


@lru_cache(maxsize=16)
def _module_of(path: Path, changed: float) -> Any:
    """Import a Python file under its own name; again where it has changed."""
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ScandlError(f"{path}: expected a Python file")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _class_in(path: Path, attribute: str) -> Any:
    if not path.is_file():
        raise ScandlError(f"{path}: no such file; expected a Python file with a class {attribute}")
    try:
        module = _module_of(path.absolute(), path.stat().st_mtime)
    except Exception as error:  # whatever a stranger's file does wrong is one line about that file
        raise ScandlError(f"{path}: {type(error).__name__}: {error}") from error
    if not hasattr(module, attribute):
        classes = [name for name, value in vars(module).items() if isinstance(value, type)]
        raise ScandlError(f"{path}: no class {attribute!r}{did_you_mean(attribute, classes)}")
    return getattr(module, attribute)


def code_of(source: str) -> Path | None:
    """Return the file that a model of another's is in: its code or its weights; None for one of ours."""
    path = source.rpartition(":")[0]
    if path.endswith(".py"):
        return Path(path)
    if source in shipped_models() or source.removesuffix(TIMES) in BASELINES | TRAINED:
        return None
    if _is_file_of_weights(source):
        return model_file(Path(source))
    try:
        file = inspect.getsourcefile(model_class(source.removesuffix(TIMES)))
    except TypeError:
        return None
    return None if file is None else Path(file)


def model_sources(sources: Iterable[str]) -> dict[str, str]:
    """Return what opens each model, by name; two of one name are refused."""
    by_name: dict[str, str] = {}
    for source in sources:
        name = open_model(source).name
        if by_name.setdefault(name, source) != source:
            raise ScandlError(
                f"models: found {name!r} twice, as {by_name[name]} and {source}: expected two names"
            )
    return by_name


def model_names() -> list[str]:
    """Return the names of all models: ours, those that ship trained, and those of other packages."""
    return sorted({*BASELINES, *TRAINED, *shipped_models(), *_entry_points()})


def all_names() -> list[str]:
    """Return what ``all`` means: the baselines and, where torch is there, the model trained quickest."""
    if is_installed("torch"):
        return [*BASELINES, *QUICKLY_TRAINED]
    warnings.warn(
        f"all: without {', '.join(QUICKLY_TRAINED)}, which needs torch: {install_command('model')}",
        stacklevel=2,
    )
    return list(BASELINES)
