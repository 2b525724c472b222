"""``kbai`` and ``python -m kbai``: the command line, quiet under Ctrl-C from the start.

Whatever is imported before ``main`` runs makes the time longer in which Ctrl-C shows a traceback.
"""

import os


def main() -> None:
    """Run the command line. Until it is loaded, Ctrl-C has nothing to tell and ends all."""
    try:
        import gc
        import signal

        # Modules are loaded to stay: looking for garbage among them took 6 % of a short command.
        gc.set_threshold(20_000, 20, 20)
        # Shells let programs in the background ignore Ctrl-C; that stays as it is.
        is_heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if is_heard:
            signal.signal(signal.SIGINT, _quit)
        from kbai.cli import main as run

        if is_heard:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            run()
        finally:
            gc.freeze()  # nor is there any at the end that the system does not clear away
    except KeyboardInterrupt:
        _quit()


def _quit(*_: object) -> None:
    os.write(2, b"Aborted!\n")
    os._exit(1)


if __name__ == "__main__":
    main()
