"""A lead's choices for a pool from runs, read from the address: runs, depth, seed."""

from django import forms

from annotation.pooling.draw import MAX_SEED_LENGTH, MAX_SIZE, Way

USUAL = "depth-20"
SEED = "42"


def in_short(pool):
    """The choice as a text. A page compares it to the choice that it showed."""
    runs, whole_runs = (
        sorted(str(run.public_id) for run in pool[key]) for key in ("runs", "whole")
    )
    return " ".join([pool["way"], str(pool["size"]), pool["seed"], *runs, "whole", *whole_runs])


class PoolForm(forms.Form):
    """`how` is a way and its size, as `depth-20` or `draw-13`; `depth` and `each` are sizes that
    stand in no row. `run` and `whole` are public ids of runs of one level."""

    how = forms.RegexField(r"^(depth|draw)-[1-9][0-9]{0,4}\Z", required=False)
    depth = forms.IntegerField(
        label="Another depth", min_value=1, max_value=MAX_SIZE, required=False
    )
    each = forms.IntegerField(
        label="Draw, another number each", min_value=1, max_value=MAX_SIZE, required=False
    )
    seed = forms.CharField(label="Seed of the draw", max_length=MAX_SEED_LENGTH, required=False)
    run = forms.MultipleChoiceField(required=False)
    whole = forms.MultipleChoiceField(required=False)

    def __init__(self, *args, runs, **kwargs):
        super().__init__(*args, **kwargs)
        self.runs = {str(run.public_id): run for run in runs}
        choices = [(key, run.label) for key, run in self.runs.items()]
        self.fields["run"].choices = self.fields["whole"].choices = choices

    @property
    def chosen(self):
        """The arguments of the action: way, size, seed, runs, and the runs taken whole.

        All runs where none is ticked. A number in a field of its own goes before the row.
        """
        fields = self.cleaned_data
        way, _, size = (fields["how"] or USUAL).partition("-")
        if fields["depth"]:
            way, size = Way.DEPTH, fields["depth"]
        elif fields["each"]:
            way, size = Way.DRAW, fields["each"]
        whole_runs = [self.runs[key] for key in fields["whole"]]
        ticked = [self.runs[key] for key in fields["run"]] or list(self.runs.values())
        return {
            "way": Way(way),
            "size": int(size),
            "seed": fields["seed"].strip() or SEED,
            "runs": list({run.pk: run for run in [*ticked, *whole_runs]}.values()),
            "whole": whole_runs,
        }
