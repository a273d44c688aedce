"""The form of an audit."""

from django import forms

from adjudication.audits.actions import MAX_NAME_LENGTH, MAX_SEED_LENGTH, MAX_SIZE
from adjudication.audits.drawing import Limits
from datasets.models import Membership


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
    limits = forms.ChoiceField(label="Of", required=False)
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
        self.limits = dict(_limits(collection))
        self.fields["adjudicators"].choices = [
            (key, f"{member} (leads the collection too)" if member.is_lead else str(member))
            for key, member in self.members.items()
        ]
        self.fields["limits"].choices = [
            ("", "the whole collection"),
            *((key, words) for key, (words, _) in self.limits.items()),
        ]

    def clean_adjudicators(self):
        return [self.members[key] for key in self.cleaned_data["adjudicators"]]

    def clean_limits(self):
        _, limits = self.limits.get(self.cleaned_data["limits"], ("", Limits()))
        return limits


def _limits(collection):
    """(value, (words, limits)) of everything that an audit of the collection may be limited to."""
    words = collection.scheme.current.words
    for facet in collection.scheme.shown_facets:
        name = words.facet_name(facet.key)
        yield f"facet-{facet.key}", (f"facet {name}", Limits(facet=facet.key))
    for query in collection.queries.all():
        yield f"query-{query.public_id}", (f"query {query.external_id}", Limits(query=query))
    for batch in collection.batches.all():
        yield f"batch-{batch.public_id}", (f"batch {batch.name}", Limits(batch=batch))
