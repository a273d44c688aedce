"""The form of an audit."""

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html

from adjudication.audits.actions import MAX_NAME_LENGTH, MAX_SEED_LENGTH, MAX_SIZE
from adjudication.audits.drawing import Limits
from agreement.pages.frame import Control
from datasets.models import Membership


class LongSelect(forms.Select):
    """A list of thousands of options: a template for each took half a second."""

    def render(self, name, value, attrs=None, renderer=None):
        options = Control(name, "", list(self.choices), value or "").as_html
        attributes = self.build_attrs(self.attrs, {**(attrs or {}), "name": name})
        return format_html("<select{}>{}</select>", flatatt(attributes), options)


class AuditForm(forms.Form):
    """The size, scope and adjudicators of an audit. `limits` is one choice: everything, or one
    facet, query or batch of the collection."""

    name = forms.CharField(
        max_length=MAX_NAME_LENGTH, help_text="The adjudicators see it, so let it tell nothing."
    )
    size = forms.IntegerField(
        label="Agreed pairs",
        min_value=1,
        max_value=MAX_SIZE,
        initial=59,
        help_text="If none has another value, 59 show that at most 5% have one, 149 at most 2%, "
        "299 at most 1%.",
    )
    control_count = forms.IntegerField(
        label="Disputed pairs mixed in",
        required=False,
        min_value=0,
        max_value=MAX_SIZE,
        help_text="As many as there are, up to this. A quarter of the agreed pairs if left empty.",
    )
    limits = forms.ChoiceField(label="Of", required=False, widget=LongSelect)
    adjudicators = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose who decides."},
        help_text="Pairs that any of them rated, decided or had open are not drawn.",
    )
    seed = forms.CharField(
        max_length=MAX_SEED_LENGTH,
        help_text="The same seed on the same state draws the same pairs. It is kept.",
    )

    def __init__(self, *args, collection, **kwargs):
        super().__init__(*args, **kwargs)
        self.members = {
            str(member.public_id): member
            for member in Membership.objects.current().filter(
                collection=collection, is_adjudicator=True, user__is_active=True
            )
        }
        self.collection = collection
        self.fields["adjudicators"].choices = [
            (key, f"{member} (leads the collection too)" if member.is_lead else str(member))
            for key, member in self.members.items()
        ]
        self.fields["limits"].choices = [("", "the whole collection"), *_limits(collection)]

    def clean_adjudicators(self):
        return [self.members[key] for key in self.cleaned_data["adjudicators"]]

    def clean_limits(self):
        kind, _, key = self.cleaned_data["limits"].partition("-")
        if kind == "facet":
            return Limits(facet=key)
        if kind == "query":
            return Limits(query=self.collection.queries.get(public_id=key))
        if kind == "batch":
            return Limits(batch=self.collection.batches.get(public_id=key))
        return Limits()


def _limits(collection):
    """(value, words) of everything that an audit of the collection may be limited to."""
    words = collection.scheme.current.words
    for facet in collection.scheme.shown_facets:
        yield f"facet-{facet.key}", f"facet {words.facet_name(facet.key)}"
    for public_id, name in collection.queries.values_list("public_id", "external_id"):
        yield f"query-{public_id}", f"query {name}"
    for public_id, name in collection.batches.values_list("public_id", "name"):
        yield f"batch-{public_id}", f"batch {name}"
