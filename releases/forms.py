"""A lead's choices for an export."""

from django import forms

from agreement.study.filters import Channel
from evaluation.definitions.forms import Choice
from evaluation.definitions.reading import (
    mapping_named,
    mappings_of,
    protocol_named,
    protocols_of,
    usual_protocol,
)
from evaluation.protocols import Missing
from evaluation.queries.reading import has_text_queries
from evaluation.scores import Rule
from evaluation.sources.choices import sources_of
from releases.checks import unfit_formats
from releases.formats import Level
from releases.formats.registry import FORMATS
from releases.reading import programs_rated

GOLD = "gold"
WITH_LEVELS = " and ".join(
    export_format.name for export_format in FORMATS.values() if export_format.has_levels
)
WITH_SOURCES = ", ".join(
    export_format.name for export_format in FORMATS.values() if export_format.takes_sources
)
# What most exports leave as it is, so that the page folds it.
FURTHER = ("values", "mapping", "least", "protocol", "missing", "channel")
IN_QRELS = {Missing.UNJUDGED: "is left out", Missing.LOWEST: "is the lowest grade"}


class Named(Choice):
    """A choice from the list, or a version outside the list by its address."""

    def valid_value(self, value):
        return True


class ExportForm(forms.Form):
    """`values`, `mapping` and `least` are a source of values. Fields that a collection has no use
    for are left out: levels without text queries, mappings without any."""

    format = forms.ChoiceField(
        choices=[
            (export_format.key, export_format.description) for export_format in FORMATS.values()
        ],
        initial=next(iter(FORMATS)),
        widget=forms.RadioSelect,
    )
    level = Choice(
        label=f"{WITH_LEVELS}: the unit that counts as a query",
        choices=[
            (Level.QUERIES, "A whole query"),
            (Level.ASPECTS, "An aspect or sub-aspect"),
            (Level.SUB_QUERIES, "Two or three aspects of a query"),
            (Level.TWO_ASPECTS, "Two aspects of a query"),
            (Level.THREE_ASPECTS, "Three aspects of a query"),
        ],
        initial=Level.QUERIES,
        required=False,
    )
    rule = Choice(
        label="Which two or three aspects are a sub-query",
        choices=[
            (Rule.PAPER, "Their sentences speak of no other aspect (DORIS-MAE's paper)"),
            (Rule.CODE, "Their sentences speak of no more aspects than these (its code)"),
        ],
        initial=Rule.PAPER,
        required=False,
        help_text="They differ where an aspect has no sentence of its own.",
    )
    values = Choice(
        label=f"{WITH_SOURCES}: whose values",
        initial=GOLD,
        required=False,
        help_text="One source for all values. The manifest names it.",
    )
    mapping = Named(
        label=f"{WITH_SOURCES}: the grades of options",
        required=False,
        help_text="A mapping of the collection, in its latest version. The manifest holds it.",
    )
    least = forms.DecimalField(
        label="Least relevant grade",
        required=False,
        max_digits=7,
        decimal_places=3,
        widget=forms.NumberInput(attrs={"class": "input", "step": "any"}),
        help_text="Stands in the manifest, and measures the effect on scores of runs there.",
    )
    protocol = Named(
        label="Protocol",
        required=False,
        help_text=(
            "Measures, in the manifest, the effect of these values on the scores of the runs."
        ),
    )
    missing = Choice(
        label="Pairs that a seat gave no value",
        choices=[
            ("", "As the protocol says"),
            (Missing.UNJUDGED, "Left out, so unjudged"),
            (Missing.LOWEST, "The lowest grade"),
        ],
        required=False,
        help_text="The manifest says which.",
    )
    channel = Choice(
        label="Pairs that a program rated",
        choices=[(Channel.ANY, "With them"), (Channel.PAGES, "Leave them out")],
        required=False,
        help_text="Without them the gold is not complete, and files and manifest say so.",
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

    def __init__(self, *args, collection, by, **kwargs):
        super().__init__(*args, **kwargs)
        self.collection = collection
        self.unfit = unfit_formats(collection)
        self.fields["format"].widget.choices = [
            (key, description)
            for key, description in self.fields["format"].choices
            if key not in self.unfit
        ]
        self.fields["format"].help_text = " ".join(self.unfit.values())
        self.fields["values"].choices = [
            (source.address, source.in_words[:1].upper() + source.in_words[1:])
            for source in sources_of(collection)
        ]
        mappings = mappings_of(collection)
        self.fields["mapping"].choices = [
            ("", "Their values"),
            *((mapping.address, mapping.in_words) for mapping in mappings),
        ]
        if not mappings and not self.data.get("mapping"):
            del self.fields["mapping"]
        self.fields["protocol"].initial = usual_protocol(collection).key
        self.fields["protocol"].choices = [
            (protocol.key, f"{protocol.name}: a missing value {IN_QRELS[protocol.missing]}")
            for protocol in protocols_of(collection).values()
        ]
        if not programs_rated(collection, by):
            del self.fields["channel"]
        if not has_text_queries(collection):
            del self.fields["level"]
            del self.fields["rule"]

    def clean_format(self):
        key = self.cleaned_data["format"]
        if key in self.unfit:
            raise forms.ValidationError(self.unfit[key])
        return key

    def clean_mapping(self):
        """The address of the present version, so that the job takes this one and no later one."""
        mapping = self._named("mapping", mapping_named)
        return mapping.address if mapping else ""

    def clean_protocol(self):
        protocol = self._named("protocol", protocol_named)
        return protocol.key if protocol else ""

    def _named(self, field, read_definition):
        """The definition that a field names by its address; None if it names nothing."""
        address = self.cleaned_data[field]
        try:
            return read_definition(self.collection, address) if address else None
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None

    def clean(self):
        fields = super().clean()
        export_format = FORMATS.get(fields.get("format"))
        if export_format and not export_format.takes_sources and not self._is_plain_gold(fields):
            self.add_error(
                "values",
                f"{export_format.name} holds gold as it was made, never other values. "
                f"Choose gold without a mapping, or one of {WITH_SOURCES}.",
            )
        if fields.get("channel") and not fields.get("allow_incomplete"):
            self.add_error(
                "channel",
                "Without these pairs the gold is not complete. Choose “Also when gold is missing” "
                "(allow_incomplete), too.",
            )
        return fields

    @property
    def first_fields(self):
        aside = (*FURTHER, "allow_incomplete")
        return [field for field in self if field.name not in aside]

    @property
    def further_fields(self):
        """`allow_incomplete` is beside the choice that makes complete gold incomplete; elsewhere
        the page's button says it."""
        names = (*FURTHER, "allow_incomplete") if "channel" in self.fields else FURTHER
        return [field for field in self if field.name in names]

    @property
    def is_further_open(self):
        """Whether something there was chosen or is wrong, so that nothing hidden has an effect."""
        fields = self.further_fields if self.is_bound else []
        return any(field.errors or field.name in self.changed_data for field in fields)

    @staticmethod
    def _is_plain_gold(fields):
        is_gold = fields.get("values") in (None, "", GOLD)
        return is_gold and not fields.get("mapping") and fields.get("least") is None

    @property
    def wants_complete_gold(self):
        """Whether the export would be refused while a pair has no gold."""
        fields = self.cleaned_data
        is_gold = fields.get("values") in (None, "", GOLD) and FORMATS[fields["format"]].needs_gold
        return is_gold and not fields["allow_incomplete"]

    @property
    def params(self):
        """The parameters of the job."""
        fields = dict(self.cleaned_data)
        params = {
            "export_format": fields["format"],
            "with_notes": fields["with_notes"],
            "allow_incomplete": fields["allow_incomplete"],
        }
        if FORMATS[fields["format"]].has_levels:
            params["level"] = fields.get("level") or Level.QUERIES
        if fields.get("rule"):
            params["rule"] = fields["rule"]
        for name in FURTHER:
            if fields.get(name) not in (None, ""):
                params[name] = str(fields[name])
        return params
