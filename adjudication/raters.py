"""The ratings of a pair without their authors."""

import hashlib
import hmac
from dataclasses import dataclass

from annotation.models import Rating

LETTERS = "ABCDEFGHI"


SHAPES = ["round", "square", "arch"]


@dataclass(frozen=True)
class Rater:
    """One rating without its author: a letter and a shape stand for them; for a lead the number of
    the seat stands in the letter's place."""

    letter: str
    rating: Rating
    label: str

    @property
    def seconds(self):
        seconds = round(self.rating.active_seconds)
        return f"{seconds} s" if seconds < 100 else f"{seconds // 60} min {seconds % 60} s"

    @property
    def shape(self):
        """The shape of the letter, or of the number of a seat, from 1."""
        place = int(self.letter) - 1 if self.letter.isdigit() else LETTERS.index(self.letter)
        return SHAPES[place % len(SHAPES)]

    @property
    def has_words(self):
        """They said something beside their grade."""
        return bool(self.rating.note or self.rating.cannot_judge)


def nameless(pair, user, scale):
    """The ratings of a pair as A, B and so on, in an order of the pair's own.

    The order comes from a keyed hash, so that it is the same at every look and says nothing of
    seats, names or who was first. The key never leaves the server.
    """
    key = bytes.fromhex(pair.topic.collection.pseudonym_key)

    def place(rating):
        identity = f"{pair.public_id}\x1f{rating.public_id}"
        return hmac.digest(key, identity.encode(), hashlib.sha256)

    ratings = Rating.objects.visible_to(user).filter(pair=pair).select_related("option")
    return [
        Rater(letter, rating, scale.label(rating.option) if rating.option else "Cannot judge")
        for letter, rating in zip(LETTERS, sorted(ratings, key=place), strict=False)
    ]
