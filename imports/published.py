"""A published dataset on its way in: its pairs come with the ratings that it has of them."""

from collections.abc import Callable, Container, Mapping

from datasets.models import Role
from imports import pairs as pairs_in
from imports.answers import BatchValues, OptionsOfTopics
from imports.life import Writer
from imports.run import Moving, Writing
from imports.stored import PairPlan


class PublishedMoving(Moving):
    """`pairs` are planned by `compare`, and `ratings` are those of new pairs."""

    pairs: PairPlan

    def __init__(self, collection, by):
        super().__init__(collection, by)
        self.ratings: list[BatchValues] = []

    @property
    def growing_topics(self) -> Container[str]:
        return self.pairs.new.keys()

    @property
    def ratings_count(self) -> int:
        return sum(ratings.count for ratings in self.ratings)

    def write_pairs(
        self,
        options: OptionsOfTopics,
        documents: Mapping[str, int],
        writer: Writer,
        *,
        name_of: Callable[[str], str],
        writing: Writing,
        decide=None,
    ) -> None:
        """Write the new pairs and their ratings, which become finished batches.

        `documents` is {external id: key}, `name_of` makes the name of a new member of an
        annotator's name in the files, and `decide` is that of `pairs.write_pairs`.
        """
        ratings = [values.in_options(options) for values in self.ratings]
        batches = pairs_in.write_pairs(
            self.pairs,
            ratings,
            writer,
            documents,
            decide=decide,
            progress=writing,
        )
        if not ratings:
            return
        annotators = sorted({name for values in self.ratings for name in values.annotators})
        members = pairs_in.write_people(
            {name: [Role.ANNOTATOR.value] for name in annotators},
            writer,
            names={name: name_of(name) for name in annotators},
        )
        version = self.collection.scheme.current
        pairs_in.write_ratings(batches, ratings, members, writer, version=version, progress=writing)
