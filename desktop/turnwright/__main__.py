"""Starts the command line for `python -m turnwright`."""

import sys

from turnwright.cli import main

if __name__ == "__main__":
    sys.exit(main())
