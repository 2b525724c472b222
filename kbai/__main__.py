"""``python -m kbai`` is the command ``kbai``."""

from kbai.cli import main

if __name__ == "__main__":
    main()
