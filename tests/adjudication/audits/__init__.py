"""A study to audit, with agreed and disputed pairs and a second adjudicator."""

from adjudication.audits.actions import draw_audit
from tests.factories.studies import make_member, make_study


def make_audit_study(*, agreed=6, disputed=2, facets=("method",), slug="study", **scheme):
    """Topics of that many agreed pairs, all on 2, then that many disputed ones, 0 and 3."""
    study = make_study(facets=facets, candidates=agreed + disputed, slug=slug, **scheme)
    study.members["dora"] = make_member(study.collection, "Dora", "adjudicator")
    for batch in study.collection.batches.all():
        study.finish(
            batch=batch, alice=[2] * agreed + [0] * disputed, bob=[2] * agreed + [3] * disputed
        )
    return study


def make_audit(study, *, size=4, seed="seed", name="Audit", adjudicators=("carol",), **details):
    return draw_audit(
        collection=study.collection,
        name=name,
        size=size,
        seed=seed,
        adjudicators=[study.members[each] for each in adjudicators],
        by=study.lena,
        **details,
    )


def entry(audit, *, is_control=False):
    """The first agreed pair of an audit in its order, or the first control."""
    return audit.audited_pairs.filter(is_control=is_control).first()
