"""Drawing samples: batches of pairs chosen at random from all that wait."""

from accounts.models import User
from annotation.assigning.actions.batches import hand_out
from annotation.models import Batch
from annotation.sampling.drawing import deal, draw, strata
from annotation.sampling.strata import By, drawable_pairs
from audit.refusals import Invalid
from audit.transactions import locked, one_transaction
from datasets.models import Collection
from formats.records import MAX_OVERLAP
from formats.words import counted

MAX_PARTS = 20
MAX_NAME_LENGTH = 200


@one_transaction
def draw_sample(
    *,
    collection: Collection,
    name: str,
    size: int,
    overlap: int,
    seed: str,
    by: User,
    stratify: str = By.NOTHING,
    parts: int = 1,
    way: str = Batch.Way.BY_TOPIC,
) -> list[Batch]:
    """Draw `size` of the pairs that no batch holds and hand them out in so many batches.

    Every part has the overlap `overlap`, so that groups of annotators can share the work. Samples
    never overlap, since a drawn pair waits no more. How the sample was drawn is kept on each batch
    (`Batch.drawn`): the same seed on the same state draws the same pairs. Returns the batches.
    """
    _check(name, overlap, seed, parts, way)
    # One draw at a time: two would find the same pairs waiting.
    locked(collection)
    pairs = drawable_pairs(collection, stratify)
    if not 1 <= size <= len(pairs):
        waiting = counted(len(pairs), "pair waits", "pairs wait")
        raise Invalid(f"{waiting} for a batch. Draw between 1 and that many.")
    if parts > size:
        raise Invalid(f"{size:,} pairs cannot be split into {parts} batches.")
    drawn = {
        "sample": name,
        "size": size,
        "seed": seed,
        "waiting": len(pairs),
        "stratified_by": stratify,
        "strata": [[stratum.name, stratum.size, stratum.drawn] for stratum in strata(pairs, size)],
        "parts": parts,
    }
    batches = []
    for part, of_part in enumerate(deal(draw(pairs, total=size, seed=seed), parts), start=1):
        part_name = name if parts == 1 else f"{name}, part {part} of {parts}"
        batch = Batch(name=part_name, overlap=overlap, way=way, drawn=drawn | {"part": part})
        batches.append((batch, [pair.key for pair in of_part]))
    return hand_out(batches, collection=collection, by=by)


def _check(name: str, overlap: int, seed: str, parts: int, way: str) -> None:
    if not name.strip() or len(name) > MAX_NAME_LENGTH:
        raise Invalid(f"Give the sample a name of at most {MAX_NAME_LENGTH} characters.")
    if not seed.strip():
        raise Invalid("A sample needs a seed: any word or number.")
    if not 1 <= overlap <= MAX_OVERLAP:
        raise Invalid(f"A pair has 1 to {MAX_OVERLAP} ratings.")
    if not 1 <= parts <= MAX_PARTS:
        raise Invalid(f"A sample has 1 to {MAX_PARTS} batches.")
    if way not in Batch.Way:
        raise Invalid("Choose one of the two ways to work.")
