"""Terms of rating as forms and columns take them, without a database."""

from decimal import Decimal

from annotation.models import Facet, Option, Scale, SchemeVersion
from annotation.workbench.cache import Terms

GRADES = {"irrelevant": 0, "related": 1, "similar": 2, "identical": 3}
REASONS = [{"key": "language", "name": "Not in English"}, {"key": "cut", "name": "Text cut off"}]


def scale_of(values, *, facet="", is_ordinal=True, hidden=()):
    """A scale of {option key: value}; nobody can choose an option of `hidden`."""
    scale = Scale(facet=facet, is_ordinal=is_ordinal)
    scale.option_list = [
        Option(
            pk=100 + number,
            key=key,
            value=Decimal(str(value)),
            position=number,
            is_import_only=key in hidden,
        )
        for number, (key, value) in enumerate(values.items())
    ]
    return scale


def options_in_words(values):
    """{option key: its name, and its value as the key that chooses it}."""
    return {
        key: {"name": key.capitalize(), "shortcut": str(value)} for key, value in values.items()
    }


def terms_of(*scales, **wording):
    """Terms with these scales; the shared one of GRADES where none is given."""
    scales = scales or (scale_of(GRADES),)
    facets = [Facet(key=key) for key in wording.get("facets", {})]
    version = SchemeVersion(
        number=2,
        wording={"options": options_in_words(GRADES), "cannot_judge_reasons": REASONS} | wording,
    )
    return Terms(version=version, facets=facets, scales={scale.facet: scale for scale in scales})
