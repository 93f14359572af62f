"""Where a network runs: the device a user names, or the GPU where there is one."""

from __future__ import annotations

import torch

from scandl.errors import ScandlError


def chosen_device(name: str | None) -> torch.device:
    """Return the device of that name; without one the GPU where there is one."""
    if name is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError:
        raise ScandlError(f"--device {name}: expected cpu or cuda") from None
    there = {"cpu": 1, "cuda": torch.cuda.device_count(), "mps": int(torch.backends.mps.is_available())}
    if device.type not in there:
        raise ScandlError(f"--device {name}: expected cpu or cuda")
    n, kind = there[device.type], device.type.upper()
    if n == 0:
        raise ScandlError(f"--device {name}: no {kind} device is available here")
    if (device.index or 0) >= n:
        raise ScandlError(f"--device {name}: no such {kind} device, there {'is' if n == 1 else 'are'} {n}")
    return device
