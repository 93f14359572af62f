"""``python -m scandl_analysis``: the command ``scandl-analysis``."""

import sys

from scandl_analysis.cli import main

if __name__ == "__main__":
    sys.exit(main())
