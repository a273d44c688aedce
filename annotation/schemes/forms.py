"""Forms for editing a scheme."""

import copy

from django import forms

from annotation.forms import LinesField
from annotation.rating.consensus import RULES, in_words
from annotation.schemes.draft import MAX_DEFINITION, MAX_GUIDELINES, MAX_LINE, key_of_line
from annotation.schemes.draft_parts import MAX_NAME
from annotation.schemes.examples import guidelines_for, with_examples
from annotation.schemes.wording import OptionWords
from formats.records import MAX_OVERLAP

NEW_ROWS = 2


class WordingForm(forms.Form):
    """Names, questions, definitions, keys, reasons, causes and guidelines of one version.

    Fields are made from the scheme's facets and options, which themselves stay as they are. An
    emptied reason is dropped, and empty rows at the end take new ones. Causes are kept, since
    decisions name them, and so are examples in the guidelines that the `reader` may not read.
    """

    guidelines = LinesField(
        required=False,
        strip=False,
        max_length=MAX_GUIDELINES,
        widget=forms.Textarea(attrs={"rows": 24}),
        help_text="Markdown: # headings, *emphasis*, - lists, tables. HTML is shown as text.",
    )
    change_note = forms.CharField(
        label="What changed, and why",
        max_length=500,
        help_text="Kept with the version.",
        error_messages={"required": "Say what changed, so that others can follow it."},
    )
    based_on = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args, scheme, version, reader, **kwargs):
        self.scheme, self.version, self.words = scheme, version, version.words
        self.facets = list(scheme.facets.all())
        self.guidelines = guidelines_for(reader, version)
        super().__init__(*args, **kwargs)
        self.initial.setdefault("guidelines", self.guidelines)
        self.initial.setdefault("based_on", version.number)
        for scale in scheme.all_scales:
            option_words = self.words.options_for(scale.facet)
            for option in scale.offered:
                words, prefix = option_words.get(option.key, OptionWords("")), _prefix(option)
                self._add(f"{prefix}.name", "Name", words.name, max_length=MAX_NAME)
                self._add(f"{prefix}.shortcut", "Key", words.shortcut, max_length=1)
        for facet in self.facets:
            self._add_words(f"facet.{facet.key}", facet.key)
        if version.judges_aspects:
            self._add_words("aspects", "")
        if components := self.words.key_components:
            self.fields["components.is_asked"] = forms.BooleanField(
                label="Let annotators split the aspect into key components and judge each",
                required=False,
                initial=components.is_asked,
            )
            self._add("components.question", "Question", components.question)
        for kind, is_required in [("cannot_judge_reasons", False), ("causes", True)]:
            rows = getattr(self.words, kind)
            for index in range(len(rows) + NEW_ROWS):
                current_name = rows[index].name if index < len(rows) else ""
                self._add(
                    f"{kind}.{index}",
                    f"Number {index + 1}",
                    current_name,
                    required=is_required and bool(current_name),
                )

    def clean_guidelines(self):
        return with_examples(self.cleaned_data["guidelines"], self.version)

    def _add(self, name, label, initial, **options):
        self.fields[name] = LinesField(label=label, **({"max_length": MAX_LINE} | options))
        self.initial.setdefault(name, initial)

    def _add_words(self, prefix, facet):
        words = self.words.judged(facet)
        self._add(f"{prefix}.name", "Name", words.name, max_length=MAX_NAME)
        self._add(f"{prefix}.question", "Question", words.question, required=False)
        for option in self.scheme.scale_of(facet).offered:
            self._add(
                f"{prefix}.{option.key}",
                self.words.option_name(facet, option.key, unnamed=option.key),
                words.definitions.get(option.key, ""),
                max_length=MAX_DEFINITION,
                widget=forms.Textarea(attrs={"rows": 2}),
            )

    @property
    def option_rows(self):
        """The options of the shared scale; none where each facet has its own."""
        return self._option_rows(self.scheme.scale_of("")) if self.scheme.shares_a_scale else []

    def _option_rows(self, scale):
        return [
            (option, self[f"{_prefix(option)}.name"], self[f"{_prefix(option)}.shortcut"])
            for option in scale.offered
        ]

    @property
    def facet_groups(self):
        """The fields of each facet, and of aspects where the scheme judges those."""
        groups = [self._group(f"facet.{facet.key}", facet.key) for facet in self.facets]
        if self.version.judges_aspects:
            groups.append(self._group("aspects", ""))
        return groups

    def _group(self, prefix, facet):
        scale = self.scheme.scale_of(facet)
        return {
            "prefix": prefix.replace(".", "-"),
            "facet": facet,
            "name": self[f"{prefix}.name"],
            "question": self[f"{prefix}.question"],
            "option_rows": self._option_rows(scale) if scale.facet else [],
            "definitions": [(option, self[f"{prefix}.{option.key}"]) for option in scale.offered],
        }

    @property
    def components(self):
        """The fields of the key components; none where the scheme has no such thing."""
        return [self[name] for name in self.fields if name.startswith("components.")]

    @property
    def reasons(self):
        return self._rows("cannot_judge_reasons")

    @property
    def causes(self):
        return self._rows("causes")

    def _rows(self, kind):
        return [self[name] for name in self.fields if name.startswith(f"{kind}.")]

    @property
    def edited(self):
        """The wording as typed; what the form has no field for is kept."""
        typed = self.cleaned_data
        wording = copy.deepcopy(self.version.wording)
        for facet in self.facets:
            words = wording["facets"].setdefault(facet.key, {})
            words |= self._words(f"facet.{facet.key}", facet.key, words)
        if "aspects" in wording:
            wording["aspects"] |= self._words("aspects", "", wording["aspects"])
        for scale in self.scheme.all_scales:
            of_scale = wording["facets"][scale.facet] if scale.facet else wording
            for option in scale.offered:
                words = of_scale.setdefault("options", {}).setdefault(option.key, {})
                words["name"] = typed[f"{_prefix(option)}.name"]
                words["shortcut"] = typed[f"{_prefix(option)}.shortcut"].lower()
        if "key_components" in wording:
            for name in ["is_asked", "question"]:
                wording["key_components"][name] = typed[f"components.{name}"]
        for kind in ["cannot_judge_reasons", "causes"]:
            wording[kind] = self._named(kind, wording[kind])
        return wording

    def _words(self, prefix, facet, before):
        typed = self.cleaned_data
        return {
            "name": typed[f"{prefix}.name"],
            "question": typed[f"{prefix}.question"],
            "definitions": before.get("definitions", {})
            | {
                option.key: typed[f"{prefix}.{option.key}"]
                for option in self.scheme.scale_of(facet).offered
            },
        }

    def _named(self, kind, before):
        """[{"key", "name"}]: keys of known rows stay, new rows get one made from their name."""
        used_keys = {"own"} | {row["key"] for row in before}  # "own" is the workbench's own words
        rows = []
        for index in range(len(before) + NEW_ROWS):
            name = self.cleaned_data[f"{kind}.{index}"]
            if not name:
                continue
            if index < len(before):
                rows.append(before[index] | {"name": name})
                continue
            key = key_of_line(name, used_keys)
            used_keys.add(key)
            rows.append({"key": key, "name": name})
        return rows


def _prefix(option):
    """Of the fields for an option, which several scales may have under one key."""
    facet = option.scale.facet
    return f"option.{facet}.{option.key}" if facet else f"option.{option.key}"


class RulesForm(forms.Form):
    """The rules that settle pairs. The rule is fixed after the first rating, the rest is not."""

    rule = forms.ChoiceField(
        label="Consensus rule",
        choices=[(key, in_words(key)) for key in RULES],
        widget=forms.RadioSelect,
    )
    rule_distance = forms.DecimalField(
        label="Distance",
        required=False,
        max_digits=6,
        decimal_places=3,
        help_text="The set distance, for example 2; for the rule that names one.",
    )
    overlap = forms.IntegerField(
        label="Ratings a pair",
        min_value=1,
        max_value=MAX_OVERLAP,
        help_text="For batches made from now on. Raise that of an existing batch on its page.",
    )
    hides_ratings = forms.BooleanField(
        label="Hide the ratings from adjudicators until they give a first value", required=False
    )

    def __init__(self, *args, is_fixed, **kwargs):
        super().__init__(*args, **kwargs)
        if is_fixed:
            del self.fields["rule"], self.fields["rule_distance"]
