"""The options of a scale, as the adjudicator's screens name them."""

from functools import cached_property

from formats.records import PLAIN_FACET


class Scale:
    """The options of a topic's scale in their present wording, and how far apart two values lie.

    `facet` is the topic's, or empty for what does not ask about a topic.
    """

    def __init__(self, scheme, facet, *, version=None):
        self.scheme = scheme
        self.version = version or scheme.current
        scale = scheme.scale_of(facet)
        self.options, self.values, self.is_ordinal = scale.offered, scale.values, scale.is_ordinal
        self.words = self.version.options_for(facet)

    @cached_property
    def facets(self):
        return list(self.scheme.shown_facets) if self.version.wording["facets"] else []

    @property
    def labels_facets(self):
        """Whether sentences of papers carry labels that count as facets."""
        return any(facet.sentence_labels for facet in self.facets)

    def name_of(self, key):
        """What a facet that is shown is called; empty for aspects and for plain relevance."""
        return "" if key in ("", PLAIN_FACET) else self.facet(key).get("name", "")

    def facet(self, key):
        """Name, question and definitions of a facet, or of aspects where the key is empty."""
        return self.version.words_for(key)

    @property
    def causes(self):
        return self.version.wording["causes"]

    @property
    def rule(self):
        """What goes to an adjudicator, as a sentence."""
        return self.scheme.rule_in_words

    def name(self, option):
        unnamed = "label not recorded" if option.is_import_only else option.key
        return self.words.get(option.key, {}).get("name", unnamed)

    def shortcut(self, option):
        return self.words.get(option.key, {}).get("shortcut", "")

    def definition(self, option, facet):
        return self.facet(facet).get("definitions", {}).get(option.key, "")

    def label(self, option):
        """An option in one line, such as "2 · Similar"."""
        return f"{option.value.normalize():f} · {self.name(option)}"

    def steps(self, lowest, highest):
        """How many grades two values lie apart: steps on the scale, whatever its values are."""
        return self.values.index(highest) - self.values.index(lowest)
