"""What a lead chooses of an export."""

from django import forms

from annotation.models import MachineRun
from evaluation.queries.reading import has_text_queries
from evaluation.scores import Rule
from releases.formats import Level
from releases.formats.registry import FORMATS

GOLD = "gold"
WITH_LEVELS = " and ".join(one.name for one in FORMATS.values() if one.has_levels)
WITH_RUNS = ", ".join(one.name for one in FORMATS.values() if one.takes_runs)


class ExportForm(forms.Form):
    """`values` is gold or the public id of a machine run. What a collection has no use for is not
    asked: levels without text queries, the source of values without machine runs."""

    format = forms.ChoiceField(
        choices=[(one.key, one.description) for one in FORMATS.values()],
        initial=next(iter(FORMATS)),
        widget=forms.RadioSelect,
    )
    level = forms.ChoiceField(
        label=f"{WITH_LEVELS}: what counts as a query",
        choices=[
            (Level.QUERIES, "A whole query"),
            (Level.ASPECTS, "An aspect or sub-aspect"),
            (Level.SUB_QUERIES, "Two or three aspects of a query"),
            (Level.TWO_ASPECTS, "Two aspects of a query"),
            (Level.THREE_ASPECTS, "Three aspects of a query"),
        ],
        initial=Level.QUERIES,
        required=False,
        widget=forms.Select(attrs={"class": "select"}),
    )
    rule = forms.ChoiceField(
        label="Which two or three aspects are a sub-query",
        choices=[
            (Rule.PAPER, "Their sentences speak of no other aspect (DORIS-MAE's paper)"),
            (Rule.CODE, "Their sentences speak of no more aspects than these (its code)"),
        ],
        initial=Rule.PAPER,
        required=False,
        widget=forms.Select(attrs={"class": "select"}),
        help_text="They differ where an aspect has no sentence of its own.",
    )
    values = forms.ChoiceField(
        label=f"{WITH_RUNS}: whose values",
        initial=GOLD,
        required=False,
        widget=forms.Select(attrs={"class": "select"}),
        help_text="One source for all values. The manifest names it.",
    )
    with_notes = forms.BooleanField(
        label="CSV: with notes and rationales",
        required=False,
        help_text="They are free text and may name people. Read them before you publish them.",
    )
    allow_incomplete = forms.BooleanField(
        label="Also when gold is missing",
        required=False,
        help_text="File names and manifest then say that it is incomplete.",
    )

    def __init__(self, *args, collection, **kwargs):
        super().__init__(*args, **kwargs)
        runs = list(MachineRun.objects.filter(collection=collection))
        self.fields["values"].choices = [
            (GOLD, "Gold"),
            *((str(run.public_id), f"Machine run: {run}") for run in runs),
        ]
        if not runs:
            del self.fields["values"]
        if not has_text_queries(collection):
            del self.fields["level"]
            del self.fields["rule"]

    def clean(self):
        chosen = super().clean()
        found = FORMATS.get(chosen.get("format"))
        if found and not found.takes_runs and chosen.get("values", GOLD) not in ("", GOLD):
            self.add_error(
                "values",
                f"{found.name} holds gold, never the values of a machine run. "
                f"Choose gold, or one of {WITH_RUNS}.",
            )
        return chosen

    @property
    def wants_complete_gold(self):
        """Whether the export would be refused while a pair has no gold."""
        chosen = self.cleaned_data
        return chosen.get("values", GOLD) in ("", GOLD) and not chosen["allow_incomplete"]

    @property
    def params(self):
        """What the job is given."""
        chosen = dict(self.cleaned_data)
        params = {
            "export_format": chosen["format"],
            "with_notes": chosen["with_notes"],
            "allow_incomplete": chosen["allow_incomplete"],
        }
        if FORMATS[chosen["format"]].has_levels:
            params["level"] = chosen.get("level") or Level.QUERIES
        if chosen.get("rule"):
            params["rule"] = chosen["rule"]
        if chosen.get("values", GOLD) not in ("", GOLD):
            params["machine_run"] = chosen["values"]
        return params
