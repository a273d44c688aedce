"""The command `facetwise`: pull tables, push runs."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import httpx
import pandas as pd

from facetwise.client import Client
from facetwise.connection import Refused
from facetwise.frames import as_csv, flat

TABLES = ["documents", "queries", "topics", "pools", "pairs", "ratings", "decisions", "gold"]
WRITERS: dict[str, Callable[[pd.DataFrame, Path], object]] = {
    "csv": lambda frame, path: path.write_bytes(as_csv(frame)),
    "jsonl": lambda frame, path: frame.to_json(
        path,
        orient="records",
        lines=True,
        date_format="iso",
        # As exact as pandas goes: by itself it rounds to milliseconds and to ten decimals.
        date_unit="us",
        double_precision=15,
        force_ascii=False,
    ),
    "parquet": lambda frame, path: flat(frame).to_parquet(path, index=False),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the status that it ends with."""
    options = _parser().parse_args(arguments)
    try:
        with Client(options.url) as client:
            status: int = options.run(client, options)
            return status
    except httpx.TransportError as error:
        print(f"facetwise: The server does not answer: {error}.", file=sys.stderr)  # noqa: T201
        return 1
    except (Refused, ValueError, OSError, ImportError, httpx.HTTPError) as error:
        print(f"facetwise: {error}", file=sys.stderr)  # noqa: T201 - a command talks
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="facetwise",
        description="The token comes from FACETWISE_TOKEN, so that no list of processes shows it.",
    )
    parser.add_argument("--url", default="", help="by default FACETWISE_URL")
    commands = parser.add_subparsers(required=True)
    pull = commands.add_parser("pull", help="write tables of a collection into a folder")
    pull.add_argument("collection")
    pull.add_argument("--out", type=Path, default=Path(), help="the folder, by default this one")
    pull.add_argument("--tables", nargs="+", default=TABLES, help=f"by default {' '.join(TABLES)}")
    pull.add_argument("--format", choices=WRITERS, default="csv")
    pull.set_defaults(run=_pull)
    push = commands.add_parser("push-run", help="store runs of systems, all of them or none")
    push.add_argument("collection")
    push.add_argument("files", nargs="+", type=Path)
    push.add_argument("--kind", default="retrieval", help="retrieval, reranking, human or machine")
    push.add_argument("--order", default="score", help="score or rank")
    push.add_argument("--level", default="", help="topics, queries or sub-queries")
    push.set_defaults(run=_push_run)
    return parser


def _pull(client: Client, options: argparse.Namespace) -> int:
    options.out.mkdir(parents=True, exist_ok=True)
    collection = client.collection(options.collection)
    for name in options.tables:
        frame = collection.table(name)
        path = options.out / f"{options.collection}-{name}.{options.format}"
        WRITERS[options.format](frame, path)
        print(f"{path}: {len(frame):,} rows")  # noqa: T201 - a command talks
    return 0


def _push_run(client: Client, options: argparse.Namespace) -> int:
    stored = client.collection(options.collection).upload_run(
        *options.files, kind=options.kind, order=options.order, level=options.level
    )
    for row in stored.itertuples():
        print(f"{row.tag}: {'stored' if row.is_new else 'there already'}")  # noqa: T201
    return 0
