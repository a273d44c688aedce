"""The options of a scale, as the adjudicator's screens name them."""

from functools import cached_property

from formats.decimals import printed_grade


class Scale:
    """The options of a topic's scale in their present wording, and how far apart two values lie.

    `facet` is the topic's, or empty for what does not ask about a topic.
    """

    def __init__(self, scheme, facet, *, version=None):
        self.scheme = scheme
        self.version = version or scheme.current
        scale = scheme.scale_of(facet)
        self.options, self.values, self.is_ordinal = scale.offered, scale.values, scale.is_ordinal
        self.words = self.version.words
        self.named = self.words.options_for(facet)

    @cached_property
    def facets(self):
        return list(self.scheme.shown_facets) if self.words.facets else []

    @property
    def labels_facets(self):
        """Whether sentences of papers carry labels that count as facets."""
        return any(facet.sentence_labels for facet in self.facets)

    def name(self, option):
        unnamed = "label not recorded" if option.is_import_only else option.key
        return self.named[option.key].name if option.key in self.named else unnamed

    def shortcut(self, option):
        return self.named[option.key].shortcut if option.key in self.named else ""

    def definition(self, option, facet):
        return self.words.judged(facet).definitions.get(option.key, "")

    def label(self, option):
        """An option in one line, such as "2 · Similar"; a label without an order by its name."""
        name = self.name(option)
        return f"{printed_grade(option.value)} · {name}" if self.is_ordinal else name

    def steps(self, lowest, highest):
        """The distance between two values in grades: steps on the scale, whatever its values
        are."""
        return self.values.index(highest) - self.values.index(lowest)
