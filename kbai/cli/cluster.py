"""Workers on other machines: the option of the commands that can use them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from kbai.compute.pools import PoolFactory

cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Use the workers of a Dask scheduler, such as tcp://host:8786; needs kbai[cluster].",
)


def refuse_workers(cluster: str | None, workers: int | None) -> None:
    """Raise if both a cluster and a number of workers are given."""
    if cluster is not None and workers is not None:
        raise click.UsageError("--cluster brings its own workers; leave out --workers.")


def cluster_pool(address: str) -> PoolFactory:
    """Return the workers of a cluster."""
    from kbai.compute.cluster import cluster
    from kbai.core.errors import ParallelError

    try:
        return cluster(address)
    except ParallelError as error:
        raise click.BadParameter(str(error), param_hint="'--cluster'") from error
