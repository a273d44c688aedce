"""What a dry run says of its counts."""

from imports.foreseen import counts_in_words

RATED = {
    "papers": 2, "queries": 1, "ratings": 5, "decisions": 1, "judgment_sets": 1, "changed": 2,
    "rated_pairs": 3, "agreed": 1, "decided": 1, "to_adjudicate": 0, "to_rate": 1, "not_rated": 1,
}  # fmt: skip


def test_everything_that_an_import_would_do_is_said():
    assert list(counts_in_words(RATED)) == [
        "Dry run: nothing was written.",
        "2 documents, 1 query, 5 ratings, 1 decision, 1 set of judgments would be added; 2 stored "
        "entries would be updated.",
        "Ratings that are “cannot judge: not rated”, since others of the batch rated the pair: 1.",
        "Of 3 rated pairs 1 agree by the rule, 1 are decided and 0 go to the adjudicator's queue.",
        "Pairs with fewer ratings than their overlap: 1. They stay undecided, and their batches "
        "have free seats for the others.",
    ]


def test_an_import_that_would_do_nothing_says_so():
    assert list(counts_in_words({"changed": 0})) == [
        "Dry run: nothing was written.",
        "Nothing would be added.",
    ]
