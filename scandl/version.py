"""The version of the whole project: of all four packages, the wheel and ``--version``."""

__version__ = "0.1.0"
