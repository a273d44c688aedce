"""The disputes of an adjudicator's whole queue, and those of one kind as a row of pairs."""

from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from functools import cache

from django.db.models import Q
from django.urls import reverse

from adjudication.kinds import in_words
from adjudication.models import Decision, held
from adjudication.querysets import readable_by
from adjudication.queue import queue_place
from adjudication.scale import Scale
from adjudication.sequence import UNSTATED, Dispute, Raters, Sequence, gap_between
from adjudication.strip import Place, Strip
from annotation.models import Pair, Rating, Scheme, SchemeVersion
from annotation.querysets import PairQuerySet
from datasets.models import Collection, Document, Membership


def raters_of(collection: Collection) -> Raters:
    """Everybody who ever held a seat of the collection."""
    members = Membership.objects.filter(collection=collection, tenures__isnull=False)
    return Raters(collection, list(members.only("public_id").distinct()))


def disputes_of(member: Membership, scheme: Scheme) -> list[Dispute]:
    """A dispute for every pair of `_pairs_of`, in no particular order, to count them."""
    pairs = _pairs_of(member)
    return _disputes(pairs, pairs.values_list("pk", "topic__facet", "state"), member, scheme)


def _disputed_pairs(
    member: Membership, scheme: Scheme, *, current: Pair | None
) -> list[tuple[Pair, Dispute]]:
    """The pairs of `_pairs_of`, in no particular order, each with what a sequence knows of it."""
    pairs = _pairs_of(member, current=current)
    columns = ["public_id", "state", "position", "document_id", "topic__facet", "topic__position"]
    chosen_pairs = list(pairs.select_related("topic").only(*columns))
    rows = [(pair.pk, pair.topic.facet, pair.state) for pair in chosen_pairs]
    return list(zip(chosen_pairs, _disputes(pairs, rows, member, scheme), strict=True))


def _pairs_of(member: Membership, *, current: Pair | None = None) -> PairQuerySet:
    """Pairs that the member may decide, and their own decisions that they may change.

    Topics that another adjudicator has open are passed over, but for the pair in view.
    """
    elsewhere = held("topic__hold__") & ~Q(topic__hold__adjudicator=member)
    return readable_by(member).filter(
        ~elsewhere | Q(pk=current.pk if current else None),
        topic__collection=member.collection_id,
        topic__locked_at=None,
    )


def _disputes(
    pairs: PairQuerySet,
    rows: Iterable[tuple[int, str, str]],
    member: Membership,
    scheme: Scheme,
) -> list[Dispute]:
    """The disputes of the rows (pair, facet, state) of these pairs, in their order."""
    answers, causes = _answers(pairs, member, scheme), _causes(pairs)

    @cache
    def values_of(facet: str) -> tuple[Decimal, ...]:
        scale = scheme.scale_of(facet)
        return tuple(scale.values) if scale.is_ordinal else ()

    return [
        Dispute(
            facet=facet,
            answers=answers[pair],
            values=values_of(facet),
            # One that was reopened, or decided, while all this is read still waits.
            cause="" if state == Pair.State.DISPUTED else causes.get(pair, ""),
        )
        for pair, facet, state in rows
    ]


def _answers(
    pairs: PairQuerySet, member: Membership, scheme: Scheme
) -> defaultdict[int, dict[int, Decimal | None]]:
    answers: defaultdict[int, dict[int, Decimal | None]] = defaultdict(dict)
    if member.user is None:
        return answers
    ratings = Rating.objects.visible_to(member.user).filter(pair__in=pairs)
    # The values are those of the scheme: read from the database, each rating makes a decimal.
    values = {
        option.pk: option.value for scale in scheme.all_scales for option in scale.option_list
    }
    for pair, annotator, option in ratings.values_list("pair", "annotator", "option"):
        answers[pair][annotator] = None if option is None else values[option]
    return answers


def _causes(pairs: PairQuerySet) -> dict[int, str]:
    standing = Decision.objects.filter(superseded_at=None, pair__in=pairs)
    return {pair: cause or UNSTATED for pair, cause in standing.values_list("pair", "cause")}


def _sort_key(pair: Pair, dispute: Dispute, is_hidden: bool) -> tuple[Decimal | int, ...]:
    """The sort key of disputes: topics in their order, and the widest first in each, as in
    `adjudication.querysets.topic_pairs`."""
    difference = Decimal(-1)
    if dispute.ends and dispute.values and not is_hidden:
        difference = dispute.ends[1] - dispute.ends[0]
    return (pair.topic.position, pair.topic_id, -difference, pair.position, pair.pk)


def sequence_strip(
    *,
    member: Membership,
    sequence: Sequence,
    version: SchemeVersion,
    gap_key: str,
    current: Pair | None = None,
) -> Strip:
    """The member's disputes of one kind, those they decided among them; `version` is the present
    one of the scheme."""
    scheme = version.scheme
    collection = scheme.collection
    home = f"{reverse('adjudication:queue', args=[collection.slug])}?{sequence.address}"
    raters = raters_of(collection) if sequence.raters else Raters(collection, [])
    again = f"{reverse('adjudication:sequence', args=[collection.slug])}?{sequence.address}"

    def read() -> list[Place]:
        pairs = [
            (pair, dispute)
            for pair, dispute in _disputed_pairs(member, scheme, current=current)
            if sequence.holds(dispute, raters)
        ]
        pairs.sort(key=lambda row: _sort_key(row[0], row[1], scheme.hides_ratings))
        return _places(pairs, version, current)

    return Strip(
        read_places=read,
        home=home,
        # Meanwhile other disputes of the kind may have come up.
        beyond="" if sequence.is_of_decided else again + (f"&show={gap_key}" if gap_key else ""),
        title="Pairs taken in sequence",
        noun="pair",
        scope="in sequence",
        is_hidden=scheme.hides_ratings,
        gap_key=gap_key,
        query_string=sequence.address,
        in_words=in_words(sequence, raters, version),
        read_titles=_read_titles,
    )


def _places(
    pairs: Iterable[tuple[Pair, Dispute]], version: SchemeVersion, current: Pair | None
) -> list[Place]:
    """The places of a strip of these pairs, in their order."""

    @cache
    def scale_of(facet: str) -> Scale:
        return Scale(version.scheme, facet, version=version)

    is_hidden = version.scheme.hides_ratings
    return [
        queue_place(
            number,
            pair,
            None if is_hidden else gap_between(dispute, scale_of(dispute.facet)),
            current=current,
        )
        for number, (pair, dispute) in enumerate(pairs, 1)
    ]


def _read_titles(places: list[Place]) -> None:
    """Give the pairs of these places their documents, read with the titles alone."""
    papers = Document.objects.only("title").in_bulk([place.pair.document_id for place in places])
    for place in places:
        place.pair.document = papers[place.pair.document_id]
