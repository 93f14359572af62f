"""``python -m scandl``, and what launchers such as ``accelerate launch -m scandl`` start."""

import sys

from scandl.cli import main

if __name__ == "__main__":
    sys.exit(main())
