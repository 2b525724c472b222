"""Workers on other machines: a Dask cluster, with the packages of ``kbai[cluster]``."""

from __future__ import annotations

import importlib
import logging
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from kbai.compute.pools import TRIES, Pool, PoolFactory, interrupts_blocked
from kbai.core.errors import ParallelError
from kbai.core.version import installed_version

# Whatever Dask logs while it shuts down is harmless, even if it is called critical.
SILENT = logging.CRITICAL + 1
_ADDRESS = re.compile(r"local:(?P<local>[1-9]\d{0,3})|(?!local:)((tcp|tls|wss?)://)?[^\s/]+:\d+")


def cluster(address: str, *, timeout_s: float = 10, workers_s: float = 10) -> PoolFactory:
    """Return the workers of a Dask scheduler; ``local:4`` starts one with four processes here.

    The scheduler has to answer within ``timeout_s``, its first worker to be there within
    ``workers_s``.
    If you stop a run, tasks that have begun on the workers of another scheduler go on to their
    end; their results are dropped.
    """
    # Checked here, because Dask would first make a client and then close it noisily.
    known = _ADDRESS.fullmatch(address)
    if known is None:
        raise ParallelError(f"expected a cluster like tcp://host:8786 or local:4, got {address!r}.")

    @contextmanager
    def opened() -> Iterator[Pool]:
        # If Ctrl-C came in the middle of an import, Python could end itself by that signal at its
        # exit, though the interrupt was handled.
        with interrupts_blocked():
            dask = _import_distributed()
        with _quiet("distributed"), ExitStack() as stack:
            target: object = address
            if known["local"]:
                with interrupts_blocked():
                    target = stack.enter_context(_local_cluster(dask, int(known["local"])))
            client, size = _connect(dask, target, address, timeout_s, workers_s, stack)
            executor = client.get_executor(pure=False)  # pure: two equal calls would be one
            yield Pool(
                executor,
                # Workers may join later, and the scheduler keeps the tasks.
                max(4 * size, 256),
                lambda: executor.shutdown(wait=False),
                died=dask.KilledWorker,
                # Another scheduler tries four times before it reports a death.
                tries=TRIES if known["local"] else 2,
                exact=False,
                size=size,
                is_far=True,
            )

    return opened


def _import_distributed() -> Any:
    with _missing_packages():
        return importlib.import_module("distributed")


def _temporary_keys(dask: Any) -> Any:
    """Return a new certificate and key, which never reach the disk."""
    with _missing_packages():
        return dask.Security.temporary()


@contextmanager
def _missing_packages() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise ParallelError(
            f"a cluster needs more packages; run pip install 'kbai[cluster]' ({error})."
        ) from error


@contextmanager
def _local_cluster(dask: Any, count: int) -> Iterator[object]:
    # A worker stops being silent when it is stopped, even while it starts. A setting in its
    # environment holds to its end.
    security = _temporary_keys(dask)
    silence = {"distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical"}
    with importlib.import_module("dask.config").set(silence):
        made = dask.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            # Whoever connects can run code here: only our workers have the keys.
            protocol="tls://",
            security=security,
            silence_logs=SILENT,
            preload="kbai.compute.quiet_worker",
            scheduler_kwargs={
                # Report the death of a worker at once: `run` tries again, and counts.
                "allowed_failures": 0,
                # There is no dashboard, but its port is opened all the same; any free one will do,
                # or a second cluster on this machine would warn that it is taken.
                "dashboard": False,
                "dashboard_address": "127.0.0.1:0",
            },
        )
        try:
            yield made
        finally:
            # The replacement of a dead worker may be starting, and distributed asserts that it has
            # started. All results have arrived by then, and it ends with this process.
            with suppress(AssertionError):
                made.close()


def _connect(
    dask: Any, target: object, address: str, timeout_s: float, workers_s: float, stack: ExitStack
) -> tuple[Any, int]:
    """Return a client, and how many tasks its workers can run at a time."""
    if address.startswith("tls:") and not dask.Security().tls_client_cert:
        # Dask would say it with a traceback.
        raise ParallelError(
            f"{address} needs certificates; name them in Dask's configuration "
            "(distributed.comm.tls, see docs/cluster.md)."
        )
    try:
        client = dask.Client(target, timeout=timeout_s, set_as_default=False)
    except (OSError, ValueError) as error:  # such as TimeoutError, or a malformed address
        raise ParallelError(f"the cluster at {address} does not answer: {error}.") from error
    stack.callback(client.close)
    try:
        client.wait_for_workers(1, timeout=workers_s)
    except TimeoutError as error:
        raise ParallelError(f"the cluster at {address} has no workers.") from error
    try:
        versions = {"the scheduler": client.run_on_scheduler(_version), **client.run(_version)}
        size = sum(client.nthreads().values())
    except Exception as error:  # anything: the scheduler, too, unpickles tasks
        raise ParallelError(f"the cluster at {address} cannot run kbai: {error}.") from error
    for where, version in versions.items():
        if version != _version():  # other rules or bots would give other results
            raise ParallelError(f"{where} has kbai {version}, here is {_version()}.")
    return client, size


def _version() -> str:
    return installed_version() or "not installed"


@contextmanager
def _quiet(name: str) -> Iterator[None]:
    """Keep a library from logging to stderr; `run` reports what matters."""
    names = [
        known for known in logging.root.manager.loggerDict if f"{known}.".startswith(f"{name}.")
    ]
    before = {logger: logger.level for logger in map(logging.getLogger, names)}
    for logger in before:
        logger.setLevel(SILENT)
    try:
        yield
    finally:
        for logger, level in before.items():
            logger.setLevel(level)
