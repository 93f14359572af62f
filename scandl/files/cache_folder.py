"""Where things are kept that can be made again."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Return the user's cache folder for this project; ``SCANDL_CACHE`` names another."""
    chosen = os.environ.get("SCANDL_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "scandl" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "scandl"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "scandl"
