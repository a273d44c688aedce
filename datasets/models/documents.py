"""Papers."""

from collections.abc import Iterable

from django.db import models
from django.utils.text import Truncator

from audit.constraints import unique
from audit.hashes import ContentHash
from audit.models import PublicRow
from datasets.models.collections import Collection
from datasets.models.imports import IDENTIFIER, Imported
from formats.sentences import joined

BEGINNING = 80  # characters


class Document(PublicRow, Imported):
    """A paper. `sentences` is a list of {"text": str, "label": str or null} in reading order.

    `metadata` holds bibliographic fields as imported (year, authors, venue, citations); it is kept
    for exports and never shown to annotators.
    """

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="documents")
    external_id = models.CharField(max_length=200, validators=[IDENTIFIER])
    title = models.TextField()
    sentences = models.JSONField(default=list)
    text_sha256 = ContentHash(of=["title", "sentences"])
    metadata = models.JSONField(default=dict, blank=True)
    # Keys of the source file that we do not interpret, for export.
    extra = models.JSONField(default=dict, blank=True)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [unique("external_id", "collection", "external_id")]

    def __str__(self):
        return self.title

    @property
    def heading(self) -> str:
        """The document's name in a list."""
        return self.title or beginning(self.sentences)


def read_untitled(documents: Iterable[Document]) -> None:
    """Read the texts of those without a title, by whose beginnings they are called, at once."""
    untitled = [document for document in documents if not document.title]
    texts = Document.objects.only("sentences").in_bulk([document.pk for document in untitled])
    for document in untitled:
        document.sentences = texts[document.pk].sentences


def beginning(sentences: list[dict[str, str]]) -> str:
    """The first whole words of a text without a title, in quotes; empty for no text."""
    words = joined(sentence["text"] for sentence in sentences[:BEGINNING]).strip()
    if not words:
        return ""
    cut = Truncator(words).chars(BEGINNING)
    whole = cut.rpartition(" ")[0]
    # A language without spaces is cut where it is.
    is_between_words = cut != words and len(whole) > BEGINNING // 2
    return f"“{whole} …”" if is_between_words else f"“{cut}”"
