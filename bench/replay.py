"""Play a recorded study through a running Facetwise over HTTP, and compare what comes out.

    FACETWISE_PASSWORD=... python bench/replay.py FOLDER --url http://127.0.0.1:8000 \
        --email admin@example.org [--at-once 4]

FOLDER is a CSFCube release, or holds a DORIS-MAE file and `synthetic-ratings.json`.
A site admin makes a collection; its lead imports the folder's texts and pools, invites the people
that the folder names, makes batches and assigns them; the annotators give the recorded ratings by
the same requests as the browser's script, N of them at once; an adjudicator decides the disputes.
Then the agreement figures (also pooled ones, overruling, confusions and crossed facets) are fetched
and compared with a slow computation of its own, and the exported qrels, rating files and texts for
people are compared with the folder's. Exits with 1 when anything differs.

The URL must be on this machine: a replay makes people and thousands of ratings.
"""

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.replaying import csfcube, doris_mae
from bench.replaying.steps import Differences, decide_everything, stage


def main(arguments=None):
    options = read_options(arguments)
    player = doris_mae if doris_mae.is_recorded_in(options.folder) else csfcube
    recording = player.read_recording(options.folder)
    print(f"{options.folder.name}: {recording.summary}, {options.at_once} at once")
    study = player.FolderStudy(recording, options.url)
    with study:
        differences = play(player, recording, study, options)
    requests = sum(visitor.requests for visitor in study.visitors.values())
    print(f"{requests:,} requests; collection {study.slug}")
    for difference in differences[:50]:
        print(f"  {difference}")
    return 1 if differences else 0


def play(player, recording, study, options):
    """From founding the collection to the comparison; what differs from the recording."""
    with stage("found, invite, import, assign"):
        study.make_collection(options.email, options.password)
        for name in recording.annotators:
            study.invite(name, "annotator")
        for name in recording.adjudicators:
            study.invite(name, "adjudicator")
        study.prepare()
    with stage("rate and hand in") as done, ThreadPoolExecutor(options.at_once) as pool:
        counts = pool.map(lambda name: player.rate_everything(study, name), recording.annotators)
        done(f"{sum(counts):,} ratings")
    with stage("adjudicate") as done:
        done(f"{decide_everything(study):,} decisions")
    differences = Differences()
    with stage("compare") as done:
        player.compare(study, differences)
        done(f"{differences.compared:,} comparisons, {len(differences):,} differences")
    return differences


def read_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--url", required=True)
    parser.add_argument("--email", required=True, help="of a site admin")
    parser.add_argument("--at-once", type=int, default=4)
    options = parser.parse_args(arguments)
    options.password = os.environ.get("FACETWISE_PASSWORD")
    if not options.password:
        parser.error("set FACETWISE_PASSWORD to the site admin's password")
    if urlsplit(options.url).hostname not in ("127.0.0.1", "localhost", "::1"):
        parser.error("a replay makes people and ratings; it plays on this machine only")
    return options


if __name__ == "__main__":
    sys.exit(main())
