"""What engines and their files need beyond the base installation, asked for before any work."""

from __future__ import annotations

from scandl.extras import check_installed

_SAMPLERS = ("arviz_stats", "nutpie")
_LIBRARIES = ("arviz_stats", "bambi")
_NEEDED = {"hmc": ("arviz_stats",), "nuts": _SAMPLERS, "imh": _SAMPLERS} | dict.fromkeys(
    ("pymc", "nutpie", "numpyro"), _LIBRARIES
)


def check_engine(engine: str) -> None:
    """Raise if a package is missing that the engine would import after minutes; quick looks need none.

    >>> check_engine("laplace")
    """
    check_installed(*_NEEDED.get(engine, ()), extra="analysis")


def check_netcdf() -> None:
    """Raise if a package is missing without which draws could not be written."""
    check_installed("xarray", "h5netcdf", "h5py", extra="analysis")
