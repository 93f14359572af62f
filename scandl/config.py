"""Settings as frozen dataclasses: read from TOML, checked by rules, changed by ``--set a.b=c``."""

from __future__ import annotations

import copy
import json
import math
import tomllib
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from scandl.errors import ConfigError, did_you_mean

Rule = tuple[Callable[[Any], bool], str]
"""Whether a value can be, and what is expected."""


def at_least(least: int) -> Rule:
    """Return the rule of a finite number that is not below ``least``."""
    return (lambda value: least <= value < math.inf), f"at least {least}"


ABOVE_0: Rule = ((lambda value: 0 < value < math.inf), "a number above 0")
DECAY: Rule = ((lambda value: 0 <= value < 1), "at least 0 and below 1")
SHARE: Rule = ((lambda value: 0 < value < 1), "above 0 and below 1")


def check_values(group: str, settings: object, **rules: Rule) -> None:
    """Refuse a value that cannot be; None stands for a setting that is off."""
    for name, (holds, expected) in rules.items():
        value = getattr(settings, name)
        if value is not None and not holds(value):
            raise ConfigError(f"setting '{group}.{name}': found {value}, expected {expected}")


def check_sizes(group: str, settings: object, **most: int) -> None:
    """Refuse sizes far beyond any model: they would only fill the memory until the process is killed."""
    check_values(group, settings, **{name: at_most(limit) for name, limit in most.items()})


def at_most(most: int) -> Rule:
    """Return the rule of a number that is not above ``most``."""
    return (lambda value: value <= most), f"at most {most:,}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingConfig:
    """The optimiser and its run."""

    steps: int = 80_000
    batch: int = 64  # over all processes
    lr: float = 1e-4
    weight_decay: float = 0.0
    lr_schedule: Literal["linear", "constant"] = "linear"
    warmup: int = 0
    ema_decay: float = 0.9999
    ema_warmup: bool = False  # True: decay = min(ema_decay, (1 + step)/(10 + step)), for short trainings
    clip_norm: float | None = None
    # no: float32. tf32: shorter factors in matrix products, on GPUs that have them; elsewhere the same as no.
    precision: Literal["no", "tf32", "bf16", "fp16"] = "no"
    accumulate: int = 1  # parts that a process takes its share of a batch in, where memory is short
    compile: bool = False  # torch.compile: some minutes once, then faster on a GPU
    seed: int = 101
    save_every: int = 5_000
    log_every: int = 50
    # loss, as released: a share of the scanpaths is held out, their loss is logged and decides nothing.
    # energy and nld generate for them and keep the best checkpoint beside the last. none learns from all.
    validation: Literal["none", "loss", "energy", "nld"] = "loss"
    validation_seed: int = 77  # of the choice of what is held out
    validation_share: float = 0.1
    validation_paths: int = 200  # at most so many are generated
    validation_steps: int = 20  # denoising steps
    validate_every: int | None = None  # steps; None = whenever a checkpoint is saved
    patience: int | None = None  # validations without a better one after which training stops; None = never

    @property
    def chooses(self) -> bool:
        """Whether validation chooses a checkpoint, and not only tells."""
        return self.validation in ("energy", "nld")

    def __post_init__(self) -> None:
        once, never_negative = at_least(1), at_least(0)
        check_values(
            "training",
            self,
            steps=once,
            batch=once,
            lr=ABOVE_0,
            weight_decay=never_negative,
            warmup=never_negative,
            ema_decay=DECAY,
            clip_norm=ABOVE_0,
            seed=never_negative,
            save_every=once,
            log_every=once,
            accumulate=once,
            validation_seed=never_negative,
            validation_share=SHARE,
            validation_paths=once,
            validation_steps=at_least(2),
            validate_every=once,
            patience=once,
        )
        check_sizes("training", self, batch=100_000, validation_paths=10_000_000, validation_steps=1_000_000)


C = TypeVar("C")


def read_config(cls: type[C], path: Path | str | None = None, overrides: Iterable[str] = ()) -> C:
    """Return a ``cls`` from a TOML file (or its defaults) with ``a.b=c`` overrides on top."""
    table = {} if path is None else _read(Path(path))
    changed = copy.deepcopy(table)
    for override in overrides:
        _set(changed, override)
    try:
        return from_table(cls, changed)
    except ConfigError as error:
        raise _placed(error, cls, table, path) from None


def _read(path: Path) -> dict[str, Any]:
    if path.exists() and not (path.is_file() or path.is_dir()):  # reading it could wait for ever
        raise ConfigError(f"{path}: found a pipe or device, expected a TOML file")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # not TOML, not text, or numbers of thousands of digits
        raise ConfigError(f"{path}: {error}") from None


def _placed(error: ConfigError, cls: type[C], table: dict[str, Any], path: Path | str | None) -> ConfigError:
    """Return the error with the name of the file, if the fault stands there and not in an override."""
    if path is None:
        return error
    try:
        from_table(cls, table)
    except ConfigError as of_file:
        if str(of_file) == str(error):
            return ConfigError(f"{path}: {error}")
    return error


def from_table(cls: type[C], table: Mapping[str, Any], where: str = "") -> C:
    """Build a config dataclass from a nested table; every key must exist and have its type."""
    hints = get_type_hints(cls)
    known = [field.name for field in fields(cls)]  # type: ignore[arg-type]
    values = {}
    for name, value in table.items():
        if name not in known:
            raise ConfigError(f"unknown setting {where + name!r}{did_you_mean(name, known)}")
        values[name] = _checked(value, hints[name], where + name)
    return cls(**values)


def to_table(config: Any) -> dict[str, Any]:
    """Return the nested table that ``from_table`` reads back; None is left out, TOML has no word for it."""
    return {
        name: to_table(value) if isinstance(value, dict) else value
        for name, value in (config if isinstance(config, dict) else asdict(config)).items()
        if value is not None
    }


def _set(table: dict[str, Any], override: str) -> None:
    """Apply one ``a.b=c``; the value is read as TOML and, failing that, as plain text."""
    name, equals, text = override.partition("=")
    if not equals or not name:
        raise ConfigError(f"--set {override!r}: expected name=value, for example model.layers=4")
    try:
        value = tomllib.loads(f"v = {text}")["v"]
    except tomllib.TOMLDecodeError:
        value = text
    except (ValueError, RecursionError):
        raise ConfigError(f"--set {name}: found a value that cannot be read, expected a plain one") from None
    *parents, last = name.split(".")
    for parent in parents:
        table = table.setdefault(parent, {})
        if not isinstance(table, dict):
            raise ConfigError(f"--set {override!r}: {parent!r} is a value, not a group of settings")
    table[last] = value


def _checked(value: Any, hint: Any, name: str) -> Any:
    """Return ``value`` if it has the annotated type; whole numbers pass for floats, lists for tuples."""
    options = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    for option in options:
        if get_origin(option) is Literal:
            if value in get_args(option):
                return value
        elif is_dataclass(option) and isinstance(value, Mapping):
            return from_table(option, value, f"{name}.")  # type: ignore[arg-type]
        elif get_origin(option) is Mapping:
            if isinstance(value, Mapping):
                return {
                    key: _checked(part, get_args(option)[1], f"{name}.{key}") for key, part in value.items()
                }
        elif get_origin(option) is tuple:
            if isinstance(value, list | tuple):
                return tuple(_checked(part, get_args(option)[0], name) for part in value)
        elif option is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        elif isinstance(value, option) and (option is bool or not isinstance(value, bool)):
            return value
    expected = " or ".join(
        getattr(option, "__name__", str(option))
        if get_origin(option) is None
        else str(option).replace("typing.", "")
        for option in options
    )
    raise ConfigError(f"setting {name!r}: found {value!r}, expected {expected}")


def toml_text(table: Mapping[str, Any]) -> str:
    """Return TOML for strings, numbers, booleans, lists and tables of them.

    >>> print(toml_text({"name": "demo", "dropped": {"no word": 3}}), end="")
    name = "demo"
    <BLANKLINE>
    [dropped]
    "no word" = 3
    """
    own = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    lines = [f"{_key(key)} = {_value(value)}" for key, value in own.items()]
    lines += _tables(table, "")
    return "\n".join(lines) + "\n"


def _tables(table: Mapping[str, Any], prefix: str) -> list[str]:
    lines: list[str] = []
    for key, value in table.items():
        if isinstance(value, Mapping):
            name = prefix + _key(key)
            lines += ["", f"[{name}]"]
            lines += [f"{_key(k)} = {_value(v)}" for k, v in value.items() if not isinstance(v, Mapping)]
            lines += _tables(value, name + ".")
    return lines


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else _value(key)


def _value(value: Any) -> str:
    # JSON's strings, numbers, booleans and arrays are TOML's too, but for DEL, which TOML wants escaped.
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False).replace(
        "\x7f", "\\u007F"
    )
