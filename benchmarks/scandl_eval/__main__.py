"""``python -m scandl_eval``: the command ``scandl-eval``."""

import sys

from scandl_eval.cli import main

if __name__ == "__main__":
    sys.exit(main())
