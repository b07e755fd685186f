"""`python -m turnwright`: hands over to the command line."""

import sys

from turnwright.cli import main

if __name__ == "__main__":
    sys.exit(main())
