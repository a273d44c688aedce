"""A collection's details, and the settings of its leads."""

from rest_framework import serializers

from annotation.collections.forms import DetailsForm, SignInRulesForm
from api.writes.call import calling
from api.writes.write import HOME, Write
from datasets import actions
from datasets.runs.forms import GuardForm

WRITES = [
    Write(
        "change-details",
        "Change the name, and the details in every export.",
        HOME,
        calling(actions.change_details),
        form=DetailsForm,
        method="patch",
    ),
    Write(
        "change-sign-in-rules",
        "Change how leads sign in. It holds within a few minutes.",
        f"{HOME}/settings/sign-in",
        calling(actions.change_sign_in_rules),
        form=SignInRulesForm,
        method="patch",
    ),
    Write(
        "change-scoring-guard",
        "Say whether the scores of runs wait until all topics are locked.",
        f"{HOME}/settings/scores",
        calling(actions.change_scoring_guard),
        form=GuardForm,
        method="patch",
    ),
    Write(
        "change-programs",
        "Let programs rate in the collection, or not any more.",
        f"{HOME}/settings/programs",
        calling(actions.change_programs),
        fields={
            "programs_may_rate": serializers.BooleanField(help_text="Whether tokens may rate.")
        },
        method="patch",
    ),
]
