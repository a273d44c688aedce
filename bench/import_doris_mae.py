"""Import a made-up DORIS-MAE file of the true size, and tell time and memory.

    python bench/import_doris_mae.py [--size 363133] [--queries 100] [--database URL]
    python bench/import_doris_mae.py --broken [--size 750000]

The file and a database of its own are made in a temporary folder (see TMPDIR; the true size needs
some 2 GB, 2 GB of text twice that) and deleted afterwards. bench/shared/importing.py says what is
measured. With --broken a bracket is missing in the last 5 % of the file: the import must say where,
and store nothing.
"""

import argparse
import json
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.shared.importing import folders, measure, read_options

SEED = 20260101
ASPECTS = 8  # and as many sub-aspects: with 103 candidates 100 queries have about 165,000 pairs
SUB_ASPECTS = 8
POOLED = 103
RATED = 250
SENTENCE = "We show how {} can be found where {} others look alike, and what it costs to do so. "
VALUES = [0, 1, 2]


def abstract(number, draw):
    """About 2.8 kB, as long as an entry of the release."""
    text = "".join(SENTENCE.format(f"thing {number}.{part}", number) for part in range(12)).strip()
    return {
        "original_abstract": text,
        "masked_abstract": text.replace("thing", "[MASK]"),
        "title": f"Finding thing {number}",
        "url": f"https://example.org/abs/{number}",
        "primary_category": "cs.IR",
        "categories": ["cs.IR", "cs.LG"],
        "ss_id": f"{number:040x}",
        "incoming_citations": [draw.randrange(400_000) for _ in range(draw.randrange(30))],
        "outgoing_citations": [draw.randrange(400_000) for _ in range(draw.randrange(30))],
        "abstract_id": number,
    }


def make_queries(queries, size, draw):
    texts, new_queries = {}, []
    for position in range(queries):
        ids = []
        for number in range(ASPECTS + SUB_ASPECTS):
            ids.append(str(len(texts)))
            texts[ids[-1]] = f"The paper does part {number} of what query {position} asks for."
        roots, subs = ids[:ASPECTS], ids[ASPECTS:]
        sentences = {
            f"I look for part {root} of what nobody has written so far in so many words.": [root]
            for root in roots
        }
        new_queries.append(
            {
                "query_text": " ".join(sentences),
                "query_type": "ML",
                "idea_from": position,
                "candidate_pool": sorted(draw.sample(range(size), min(POOLED, size))),
                "sent2aspect_id": sentences,
                "aspect_id2sent": {aspects[0]: [text] for text, aspects in sentences.items()},
                "aspects": {root: [sub] for root, sub in zip(roots, subs, strict=True)},
            }
        )
    return texts, new_queries


def make_file(path, size, queries, *, is_broken):
    """Write the file; (pairs, bytes)."""
    draw = random.Random(SEED)
    texts, new_queries = make_queries(queries, size, draw)
    pairs = [
        (aspect, abstract_id)
        for query in new_queries
        for root, subs in query["aspects"].items()
        for aspect in [root, *subs]
        for abstract_id in query["candidate_pool"]
    ]
    with path.open("w") as file:
        file.write('{"aspect2aspect_id": ')
        json.dump({text: aspect for aspect, text in texts.items()}, file)
        file.write(', "aspect_id2aspect": ')
        json.dump(texts, file)
        file.write(', "Query": ')
        json.dump(new_queries, file)
        file.write(', "Annotation": [')
        for number, (aspect, abstract_id) in enumerate(pairs):
            answer = {
                "aspect_id": aspect,
                "abstract_id": abstract_id,
                "gpt_response": SENTENCE.format(aspect, abstract_id) * 4,
                "score": draw.choice(VALUES),
            }
            file.write((", " if number else "") + json.dumps(answer))
        file.write('], "Test_set": ')
        rated = [
            {
                "aspect_id": aspect,
                "abstract_id": abstract_id,
                "human_annotation": {f"annotator_{n}": draw.choice(VALUES) for n in (1, 2, 3)},
            }
            for aspect, abstract_id in draw.sample(pairs, min(RATED, len(pairs)))
        ]
        json.dump(rated, file)
        file.write(', "Corpus": [')
        broken = int(size * 0.97) if is_broken else -1
        for number in range(size):
            text = json.dumps(abstract(number, draw))
            if number == broken:
                text = text[:-1]
            file.write((",\n" if number else "\n") + text)
        file.write("\n]}\n")
        return len(pairs), file.tell()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=363_133, help="abstracts in Corpus")
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--broken", action="store_true")
    parser.add_argument(
        "--database", default="", metavar="URL", help="an empty PostgreSQL database"
    )
    options = read_options(parser)
    with folders(options.keep, options.database) as (folder, state):
        path = folder / "DORIS-MAE_dataset_v1.json"
        started = time.monotonic()
        pairs, size = make_file(path, options.size, options.queries, is_broken=options.broken)
        print(
            f"{options.size:,} abstracts, {pairs:,} pairs, {size / 1e6:,.0f} MB, "
            f"written in {time.monotonic() - started:.0f} s",
            flush=True,
        )
        measure(
            state,
            "import_doris_mae",
            str(path),
            database=options.database,
            is_refused=options.broken,
        )


if __name__ == "__main__":
    main()
