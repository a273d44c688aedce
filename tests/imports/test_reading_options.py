"""What a reader is told of a collection: its scheme, and what is stored in it."""

from imports.reading_options import reading_options
from imports.run import no_progress
from tests.factories.studies import make_study


def test_a_reader_knows_the_facets_and_what_is_stored(db):
    collection = make_study().collection
    query = collection.queries.get()
    query.text, query.document = "What is asked?", None
    query.save()

    options = reading_options(collection, {}, no_progress)

    assert options.facet_names == {
        words.name: key for key, words in collection.scheme.current.words.facets.items()
    }
    assert set(options.facet_names.values()) == set(options.facets)
    assert options.known_queries == {"q1": "What is asked?"}
    assert options.known_topics == {"q1_method": ["q1"]}
