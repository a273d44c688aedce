"""Forms for a collection and its details."""

from django import forms

from datasets.actions import DETAILS, SIGN_IN_RULES
from datasets.models import Collection


class DetailsForm(forms.ModelForm):
    class Meta:
        model = Collection
        fields = DETAILS
        widgets = {
            name: forms.Textarea(attrs={"rows": rows})
            for name, rows in [("description", 2), ("source", 2), ("citation", 3)]
        }
        help_texts = {
            "licence": "Of the data. Every export carries it.",
            "source": "Where queries, pools and abstracts come from.",
            "citation": "How others should cite the collection.",
        }


class SignInRulesForm(forms.ModelForm):
    class Meta:
        model = Collection
        fields = SIGN_IN_RULES
        help_texts = {
            "lead_idle_hours": "The strictest of all the collections and roles of a person counts.",
            "leads_need_second_factor": "At their next sign-in, leads without one set it up: a "
            "code of an authenticator app besides the password.",
        }
