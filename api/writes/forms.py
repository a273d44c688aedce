"""One form for choices that pages spread over several addresses."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from annotation.pooling.forms import PoolForm
from datasets.models import Run


class NewPoolForm(PoolForm):
    """With the level of the runs, which the page has a tab for each of."""

    level = forms.ChoiceField(
        required=False,
        help_text=(
            "The level of the runs: topics, queries or sub-queries; by default that of most runs."
        ),
    )

    def __init__(
        self, data: Any = None, *args: Any, by_level: Mapping[str, Sequence[Run]], **kwargs: Any
    ) -> None:
        of_most = max(by_level.values(), key=len, default=[])
        runs = by_level.get((data or {}).get("level") or "", of_most)
        super().__init__(data, *args, runs=runs, **kwargs)
        level: Any = self.fields["level"]
        level.choices = [(str(key), str(key)) for key in by_level]
