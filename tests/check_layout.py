"""Check where files stand, for ``make check``: small folders, unique names, tests beside their modules.

- no folder holds more than 34 modules;
- no file name stands twice within a package, but ``__init__`` and ``cli``;
- every module has its test, ``tests/<room>/.../test_<module>.py``, and every test its module, unless it
  lies in a folder named ``end_to_end``.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = {  # package -> its tests
    "scandl": "tests/scandl",
    "benchmarks/scandl_eval": "tests/benchmarks",
    "analysis/scandl_analysis": "tests/analysis",
    "reports/scandl_reports": "tests/reports",
}
LARGEST = 34
SHARED_NAMES = ("__init__", "__main__", "cli")


def crowded_folders(root: Path) -> Iterator[str]:
    """Yield a line for every folder with too many modules."""
    for package in PACKAGES:
        counts = Counter(path.parent for path in modules(root / package))
        for folder, n in sorted(counts.items()):
            if n > LARGEST:
                yield f"{folder.relative_to(root)}: found {n} modules, expected at most {LARGEST}"


def repeated_names(root: Path) -> Iterator[str]:
    """Yield a line for every name that two modules of a package have."""
    for package in PACKAGES:
        by_name: dict[str, list[Path]] = {}
        for path in modules(root / package):
            by_name.setdefault(path.name, []).append(path)
        for paths in by_name.values():
            if len(paths) > 1:
                where = " and ".join(str(path.relative_to(root)) for path in paths)
                yield f"{where}: found one name twice, expected a name of its own"


def modules_without_test(root: Path) -> Iterator[str]:
    """Yield a line for every module that no test file is named after."""
    for package, tests in PACKAGES.items():
        for path in modules(root / package):
            own = root / tests / path.relative_to(root / package).parent / f"test_{path.name}"
            if not own.exists():
                yield f"{path.relative_to(root)}: found no test file, expected {own.name}"


def tests_without_module(root: Path) -> Iterator[str]:
    """Yield a line for every test file that is named after no module."""
    for package, tests in PACKAGES.items():
        for path in sorted((root / tests).rglob("test_*.py")):
            own = path.relative_to(root / tests)
            module = root / package / own.parent / own.name.removeprefix("test_")
            if "end_to_end" not in own.parts and not module.exists() and not is_package(module):
                yield f"{path.relative_to(root)}: found no module of this name, expected one, or end_to_end/"


def is_package(module: Path) -> bool:
    """Return whether a package stands where a module of this name would: its ``__init__`` is tested."""
    return (module.with_suffix("") / "__init__.py").exists()


def modules(package: Path) -> list[Path]:
    """Return the modules of a package that do something of their own."""
    return sorted(path for path in package.rglob("*.py") if path.stem not in SHARED_NAMES)


def faults(root: Path) -> list[str]:
    """Return what is wrong, a line each."""
    rules = crowded_folders, repeated_names, tests_without_module, modules_without_test
    return [line for rule in rules for line in rule(root)]


def main() -> int:
    """Print what is wrong."""
    found = faults(ROOT)
    print("\n".join([*found, f"layout: {len(found)} faults"]))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
