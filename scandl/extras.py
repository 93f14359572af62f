"""Optional dependencies: imported where needed, and named when absent."""

from __future__ import annotations

import importlib
from types import ModuleType

from scandl.errors import ScandlError


def need(module: str, extra: str) -> ModuleType:
    """Import ``module`` or say which ``pip install`` brings it.

    >>> need("no_such_module", "model")
    Traceback (most recent call last):
    scandl.errors.ScandlError: this needs no_such_module, which is not installed: pip install 'scandl[model]'
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and not module.startswith(error.name):
            raise
        package = module.split(".")[0]
        raise ScandlError(
            f"this needs {package}, which is not installed: pip install 'scandl[{extra}]'"
        ) from None
