"""The parts of a scheme that are fixed once somebody has rated under it."""

from collections.abc import Callable
from typing import Any

from accounts.models import User
from annotation.models import Batch, Rating, Scale, Scheme


def is_fixed(scheme: Scheme, *, by: User) -> bool:
    """Whether facets, values and rule are fixed, since somebody has rated.

    For a lead who rates in an unfinished batch they are: whether the others have come to rate yet
    is not for a fellow annotator to learn.
    """
    ratings = Rating.objects.filter(pair__topic__collection=scheme.collection_id)
    shared = Batch.objects.filter(collection=scheme.collection_id).blind_to(by)
    return shared.exists() or ratings.exists()


def rules_of(scheme: Scheme) -> dict[str, Any]:
    """The rules that settle pairs; the distance is one, or by facet if each has its scale."""
    return {
        "rule": scheme.rule,
        "rule_distance": _by_facet(scheme, lambda scale: scale.distance),
        "overlap": scheme.overlap,
        "hides_ratings": scheme.hides_ratings,
    }


def terms_of(scheme: Scheme) -> dict[str, Any]:
    """Facets with their sentence labels, and options with their values: what is fixed for ever.

    Options, and whether they are ordered, stand by facet where each has its scale. Their order is
    named apart, as databases keep no order of keys.
    """
    return {
        "facets": {facet.key: facet.sentence_labels for facet in scheme.facets.all()},
        "is_ordinal": _by_facet(scheme, lambda scale: scale.is_ordinal),
        "options": _by_facet(
            scheme,
            lambda scale: {option.key: f"{option.value:.3f}" for option in scale.option_list},
        ),
        "order": _by_facet(scheme, lambda scale: [option.key for option in scale.option_list]),
    }


def _by_facet(scheme: Scheme, value_of: Callable[[Scale], Any]) -> Any:
    if scheme.shares_a_scale:
        return value_of(scheme.scale_of(""))
    return {scale.facet: value_of(scale) for scale in scheme.all_scales}
