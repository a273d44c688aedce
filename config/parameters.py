"""The names that may stand in an address after its `?`: all there are, and what each is for.

No page turns a name into a column: each reads those that it knows and ignores the others of this
list. A name that no page reads is a mistake, or somebody trying (`pair__ratings__option=1`), and is
answered with 400, alike for every page and every person.
"""

from agreement.study.filters import NAMES
from annotation.pooling.forms import PoolForm
from annotation.sampling.forms import SampleForm

KNOWN = frozenset(
    [
        # Where to go on, or what to say there.
        *("next", "after", "saved", "pair", "preset", "kind", "all"),
        # The name of an invited person, which stands nowhere but in their link.
        "name",
        # What a scheme starts from, and which step of setting up is open.
        *("start", "step"),
        # Which texts a script fetches, and which of them it has.
        *("at", "known"),
        # Which rows of a list, in which order, and which page of it.
        *("words", "flagged", "noted", "order", "compare"),
        *("state", "show", "page", "sort", "chosen", "person", "aspect", "values", "file"),
        # The figures of agreement pages and of their files.
        *NAMES.values(),
        # Which disputes an adjudicator takes in sequence; their facet and distance stand above.
        *("walk", "boundary", "cause", "raters"),
        # Which list of pairs stands behind a number.
        *("list", "cell"),
        *("measure", "when", "topic", "relevant", "intervals"),
        # The scores of runs, two of them compared, and what other values do to their order.
        *("protocol", "level", "fold", "tag", "a", "b", "draws", "claims", "against"),
        # By which mapping values are read, and from which grade on they are relevant.
        *("mapping", "least"),
        # The export that another is compared with, and whether the file has free text, too.
        *("since", "with_notes"),
        # What a pair is that a seat gave no value.
        "missing",
        # Where a list for programs goes on, how much of it, and which of its rows.
        *("cursor", "rows", "document", "run", "hook"),
        # The form of a sample, which its page fills from the address.
        *SampleForm.base_fields,
        # The form of a pool from runs, and which runs it is about.
        *PoolForm.base_fields,
        "level",
    ]
)
