"""Reading a DORIS-MAE file: what is accepted and kept, what is refused and with which sentence."""

import json
import pickle
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formats.doris_mae import write
from formats.doris_mae.read import read_dataset
from formats.problems import BadInputError
from tests.factories.doris_mae import answer, make_abstract, make_dataset, rated

VALUES = {Decimal(0), Decimal(1), Decimal(2)}


@pytest.fixture
def dataset():
    return make_dataset()


@pytest.fixture
def read(tmp_path):
    def read(content, **options):
        path = tmp_path / "file.json"
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        path.write_bytes(data)
        return read_dataset(path, name=path.name, values=VALUES, **options)

    return read


def problems_of(read, content):
    with pytest.raises(BadInputError) as caught:
        read(content)
    return [str(problem) for problem in caught.value.problems]


def written(study):
    """What is read, written again as the lists of the file."""
    return {
        "Query": [write.query_entry(query, at) for at, query in enumerate(study.queries)],
        "Corpus": list(map(write.abstract_entry, study.papers())),
        "Annotation": list(map(write.machine_entry, study.answers())),
        "Test_set": list(map(write.rated_entry, study.rated)),
    }


# What is taken


def test_pairs_are_the_aspects_with_the_union_of_the_pools_in_order(read, dataset):
    study = read(dataset)

    assert {aspect: list(pool) for aspect, pool in study.pairs.items()} == {
        "a": ["20", "10"], "a1": ["20", "10"], "b": ["20", "10", "30"], "c": ["10", "30"],
    }  # fmt: skip
    assert list(study.offsets) == ["30", "10", "20"]  # 900 is in no pool
    assert study.abstracts_read == 4


def test_sentences_are_linked_with_their_aspects(read, dataset):
    study = read(dataset)

    assert study.queries[0].sentences == [
        {"text": "I look after machines.", "topics": []},
        {"text": "I want to hear them.", "topics": ["a"]},
        {"text": "Be cheap.", "topics": ["b"]},
    ]


def test_an_abstract_is_split_into_sentences_and_given_back_as_it_was(read, dataset):
    dataset["Corpus"][1]["original_abstract"] = "  One sentence.\n\nAnd  another one. "
    study = read(dataset)

    assert [sentence["text"] for sentence in study.paper("10").sentences] == [
        "Abstract 10 says why.", "It says how, e.g. by ear.", "It ends.",
    ]  # fmt: skip
    assert [sentence["text"] for sentence in study.paper("30").sentences] == [
        "One sentence.", "And  another one.",
    ]  # fmt: skip
    assert written(study)["Corpus"] == dataset["Corpus"][1:]


def test_a_paper_without_title_is_called_by_its_number(read, dataset):
    dataset["Corpus"][2]["title"] = None
    dataset["Corpus"][3]["title"] = " "
    study = read(dataset)

    assert study.paper("10").title == "Abstract 10"
    assert study.paper("20").title == "Abstract 20"
    assert written(study)["Corpus"] == dataset["Corpus"][1:]


def unknown_keys(dataset):
    dataset["Corpus"][1] |= {"arxiv_id": "2101.00001", "numbers": [1.50, 1e3, {"b": 1, "a": []}]}
    dataset["Query"][0]["difficulty"] = {"of": "ours"}
    dataset["Annotation"][0] |= {"tokens": 12}
    dataset["Test_set"][1] |= {"minutes": 4.0}
    dataset["licence"] = "CC BY-NC 4.0"


def lists_for_idea_from(dataset):
    dataset["Query"][0] |= {"idea_from": [900, 30], "query_type": None}


def no_links(dataset):
    for query in dataset["Query"]:
        query |= {"sent2aspect_id": {}, "aspect_id2sent": {}}


def links_of_aspects_alone(dataset):
    dataset["Query"][0]["sent2aspect_id"] = {}


def links_of_sentences_alone(dataset):
    dataset["Query"][0]["aspect_id2sent"] = None
    del dataset["Query"][1]["aspect_id2sent"]


def links_that_differ(dataset):
    dataset["Query"][0]["aspect_id2sent"]["a"] = ["Be cheap."]


def links_with_a_stranger(dataset):
    dataset["Query"][0]["sent2aspect_id"]["Be cheap."] = ["b", "c"]


def other_orders_of_keys(dataset):
    for name in ["Query", "Corpus", "Annotation", "Test_set"]:
        dataset[name] = [dict(reversed(entry.items())) for entry in dataset[name]]


def missing_keys(dataset):
    del dataset["Corpus"][1]["title"], dataset["Corpus"][1]["incoming_citations"]
    del dataset["Query"][0]["idea_from"]
    del dataset["Annotation"][0]["gpt_response"]
    dataset["Annotation"][2]["gpt_response"] = None


def nothing_of_some(dataset):
    dataset["Corpus"][1] |= {"outgoing_citations": None, "categories": "cs.SD cs.LG", "url": None}


@pytest.mark.parametrize(
    "change",
    [
        unknown_keys, lists_for_idea_from, no_links, links_of_aspects_alone,
        links_of_sentences_alone, links_that_differ, links_with_a_stranger, other_orders_of_keys,
        missing_keys, nothing_of_some,
    ],
)  # fmt: skip
def test_what_is_accepted_comes_back_as_it_was(read, dataset, change):
    change(dataset)

    lists = written(read(dataset))

    expected = {name: dataset[name] for name in lists}
    expected["Corpus"] = expected["Corpus"][1:]  # 900 is in no pool
    assert lists == expected
    assert [list(entry) for name in lists for entry in lists[name]] == [
        list(entry) for name in lists for entry in expected[name]
    ]


def test_links_of_aspects_alone_put_the_sentences_in_the_order_of_the_text(read, dataset):
    links_of_aspects_alone(dataset)

    assert read(dataset).queries[0].sentences == [
        {"text": "I look after machines.", "topics": []},
        {"text": "I want to hear them.", "topics": ["a"]},
        {"text": "Be cheap.", "topics": ["b"]},
    ]


def test_links_with_an_aspect_of_another_query_are_left_out_and_reported(read, dataset):
    links_with_a_stranger(dataset)
    study = read(dataset)

    assert study.queries[0].sentences[2] == {"text": "Be cheap.", "topics": ["b"]}
    assert study.notes == [
        "Query[0]: sentences are linked with c, which is not among the query's aspects. The links "
        "are kept for export only."
    ]


def test_a_text_that_stands_at_two_places_is_one_aspect(read, dataset):
    study = read(dataset)

    assert study.queries[0].aspects == ["a", "a1", "b"]
    assert study.queries[0].tree == {"a": ["a1"], "b": ["a1"]}


def test_one_of_the_two_maps_is_enough(read, dataset):
    aspects = dataset.pop("aspect_id2aspect")

    assert read(dataset).aspects == aspects


def test_ratings_and_answers_may_be_missing(read, dataset):
    del dataset["Annotation"], dataset["Test_set"]
    study = read(dataset)

    assert (study.rated, list(study.answers())) == ([], [])


def test_the_papers_spelling_of_the_test_set_is_known(read, dataset):
    dataset["Test Set"] = dataset.pop("Test_set")

    assert len(read(dataset).rated) == 3


def test_an_unparsed_answer_has_no_value_and_is_listed(read, dataset):
    study = read(dataset)

    assert [answer.value for answer in study.answers()] == [2, None, 0]
    assert (study.unparsed, study.unparsed_count) == (["aspect a, abstract 20"], 1)


def test_null_in_the_test_set_is_cannot_judge(read, dataset):
    dataset["Test_set"][0]["human_annotation"]["annotator_2"] = None

    assert read(dataset).rated[0].answers["annotator_2"] is None


def test_a_pooled_abstract_without_text_has_no_pairs(read, dataset):
    dataset["Corpus"][2]["original_abstract"] = None
    dataset["Annotation"] = dataset["Test_set"] = []
    study = read(dataset)

    assert list(study.pairs["c"]) == ["30"]
    assert json.loads(study.without_text["10"]) == dataset["Corpus"][2]


def test_an_aspect_of_no_query_is_reported(read, dataset):
    dataset["aspect_id2aspect"]["z"] = "The paper does what nobody asks."
    dataset["aspect2aspect_id"]["The paper does what nobody asks."] = "z"
    study = read(dataset)

    assert list(study.unused_aspects) == ["z"]
    assert "stand in no query, so that nobody rates them: z." in study.notes[0]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_keys_may_stand_in_any_order_and_chunks_may_end_anywhere(read, data):
    dataset = make_dataset()
    unknown_keys(dataset)
    expected = written(read(dataset))
    keys = data.draw(st.permutations(list(dataset)))
    content = {key: dataset[key] for key in keys}

    study = read(content, chunk_bytes=data.draw(st.integers(1, 3000)))

    assert written(study) == expected
    assert [key for key, _ in study.keys] == keys


# What is refused


def changed(path, value):
    """A change of the entry at this path; `...` deletes it."""

    def change(dataset):
        *way, last = path
        for key in way:
            dataset = dataset[key]
        if value is ...:
            del dataset[last]
        elif isinstance(dataset, list) and last == len(dataset):
            dataset.append(value)
        else:
            dataset[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        # aspects
        (
            changed(["Query", 0, "aspects", "a"], ["a2"]),
            "file.json, Query[0]: the aspect a2 has no text. Add it to aspect_id2aspect",
        ),
        (
            changed(["Query", 0, "sent2aspect_id", "Be cheap."], ["y"]),
            "file.json, Query[0]: the aspect y has no text.",
        ),
        (
            changed(["aspect_id2aspect", "c"], "The method is cheap."),
            "aspect_id2aspect[c]: the text “The method is cheap.” is aspect b already.",
        ),
        (
            changed(["aspect2aspect_id", "One more text."], "c"),
            "aspect2aspect_id: the aspect c has two texts",
        ),
        (
            changed(["aspect2aspect_id", "The method is cheap."], "x"),
            "aspect_id2aspect[b]: the text “The method is cheap.” is aspect b here, but aspect x",
        ),
        (
            changed(["aspect2aspect_id", "The method is cheap."], ...),
            "is aspect b here, but no aspect in aspect2aspect_id",
        ),
        (
            changed(["aspect2aspect_id", "One more text."], "x"),
            "the aspect x is not in aspect_id2aspect. Both maps must say the same.",
        ),
        (changed(["aspect_id2aspect", "c"], " "), "the aspect c has no text"),
        (changed(["aspect_id2aspect", "c"], None), "the aspect c has no text"),
        (changed(["aspect_id2aspect", "c d"], "Some text."), "'c d' has white space"),
        (changed(["aspect_id2aspect"], []), "aspect_id2aspect: a list; expected an object"),
        # trees
        (
            changed(["Query", 0, "aspects"], {"a": ["b"], "b": ["a1"], "a1": ["a"]}),
            "Query[0].aspects (byte ",
        ),
        (
            changed(["Query", 0, "aspects"], {"a": ["b"], "b": ["a1"], "a1": ["a"]}),
            "the aspects go round in a circle: a > b > a1 > a.",
        ),
        (changed(["Query", 0, "aspects"], {"a": ["a"]}), "in a circle: a > a."),
        (
            changed(["Query", 0, "aspects", "a"], ["a1", "a1"]),
            "Query[0].aspects.a",
        ),
        (changed(["Query", 0, "aspects", "a"], "a1"), "'a' has text; expected a list of texts"),
        (changed(["Query", 0, "aspects"], None), "null; expected an object"),
        # queries and pools
        (
            changed(["Query", 1, "candidate_pool"], [10, 77]),
            "file.json, Query[1].candidate_pool: the pool of query 1 names the abstract 77, which "
            "is not in Corpus. Add the abstract, or take it out of the pool.",
        ),
        (changed(["Query", 1, "candidate_pool"], [10, 10]), "the abstract 10 occurs twice"),
        (changed(["Query", 1, "candidate_pool"], [0, 10, 0]), "the abstract 0 occurs twice"),
        (changed(["Query", 1, "candidate_pool"], ["10"]), "'10' is no abstract id"),
        (changed(["Query", 1, "candidate_pool"], [True]), "true is no abstract id"),
        (changed(["Query", 1, "candidate_pool"], None), "null; expected a list of abstract ids"),
        (changed(["Query", 1, "query_text"], " "), "the text of the query is empty"),
        (changed(["Query", 1, "query_text"], ...), "the text of the query is null"),
        (changed(["Query", 1, "query_type"], 3), "query_type (byte "),
        (changed(["Query", 1, "idea_from"], {}), "an object; expected an abstract id, a list"),
        (changed(["Query", 1, "facetwise_query_id"], "0"), "the query 0 is Query[0] already"),
        (changed(["Query", 1], []), "Query[1] (byte "),
        (changed(["Query"], {}), "Query: an object; expected a list"),
        (changed(["Query"], ...), "the key Query is missing"),
        # abstracts
        (changed(["Corpus", 4], make_abstract(10)), "the abstract 10 is Corpus[2] already"),
        (changed(["Corpus", 0, "abstract_id"], "900"), "text; expected a whole number"),
        (
            changed(["Corpus", 0, "abstract_id"], 10**200),
            "an identifier of 201 characters; at most 200 fit. Shorten it wherever it stands.",
        ),
        (changed(["Corpus", 0, "abstract_id"], ...), "null; expected a whole number"),
        (changed(["Corpus", 1, "original_abstract"], 5), "original_abstract (byte "),
        (changed(["Corpus", 1, "title"], []), "a list; expected text or null"),
        (changed(["Corpus", 1, "incoming_citations"], ["x"]), "'x' is no abstract id"),
        (changed(["Corpus", 1, "note"], "\x00"), "a NUL character"),
        (changed(["Corpus", 1, "note"], "\ud800"), "half a character"),
        (changed(["Corpus"], ...), "the key Corpus is missing"),
        # ratings
        (
            changed(["Test_set", 0, "human_annotation", "annotator_1"], 3),
            "Test_set[0].human_annotation.annotator_1 (byte ",
        ),
        (
            changed(["Test_set", 0, "human_annotation", "annotator_1"], 3),
            "the score 3 is outside the scale. The scheme takes 0, 1, 2, or null",
        ),
        (changed(["Test_set", 0, "human_annotation", "x"], -1), "the score -1 is outside"),
        (changed(["Test_set", 0, "human_annotation", "x"], "1"), "the score '1' is outside"),
        (changed(["Test_set", 0, "human_annotation", "x"], 1.0), "the score 1.0 is outside"),
        (changed(["Test_set", 0, "human_annotation", "x"], True), "the score true is outside"),
        (changed(["Test_set", 0, "human_annotation"], {}), "expected the scores of 1 to 9"),
        (changed(["Test_set", 0, "human_annotation"], None), "null; expected the scores"),
        (changed(["Test_set", 0, "aspect_id"], "q"), "Test_set[0]: the aspect q has no text"),
        (changed(["Test_set", 0, "abstract_id"], 77), "the abstract 77 is not in Corpus"),
        (
            changed(["Test_set", 0], rated("a", 30, 1, 1, 1)),
            "no query with the aspect a has the abstract 30 in its pool",
        ),
        (changed(["Test_set", 3], rated("b", 30, 1, 1, 1)), "is Test_set[0] already"),
        (changed(["Test Set"], []), "there are both Test_set and Test Set"),
        # machine answers
        (changed(["Annotation", 0, "score"], 3), "Annotation[0].score (byte "),
        (changed(["Annotation", 0, "score"], 3), "2, or -1 for a response that could not be read"),
        (changed(["Annotation", 0, "score"], -1.0), "the score -1.0 is outside"),
        (changed(["Annotation", 0, "score"], None), "the score null is outside"),
        (changed(["Annotation", 0, "gpt_response"], 7), "a number; expected text or null"),
        (changed(["Annotation", 0, "abstract_id"], 900), "has the abstract 900 in its pool"),
        (changed(["Annotation", 3], answer("c", 10, 1)), "is Annotation[0] already"),
        (changed(["Annotation", 0, "aspect_id"], 5), "the identifier 5 is a number"),
    ],
)
def test_what_is_refused_is_reported_with_its_place(read, dataset, change, expected):
    change(dataset)

    assert expected in "\n".join(problems_of(read, dataset))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (changed(["licence\x00"], "CC"), "file.json, 'licence\\x00': a NUL character (U+0000) at"),
        (changed(["licence"], ["CC", "\ud800"]), "file.json, 'licence': half a character (lone"),
        (
            changed(["aspect_id2aspect", "c"], "a\x00"),
            "file.json, aspect_id2aspect['c']: a NUL character",
        ),
        (
            changed(["aspect2aspect_id", "One\x00"], "c"),
            "file.json, aspect2aspect_id['One\\x00']: a NUL character",
        ),
    ],
)
def test_what_no_database_keeps_is_refused_also_beside_the_lists(read, dataset, change, problem):
    change(dataset)

    assert problems_of(read, dataset)[0].startswith(problem)


def test_parts_that_were_not_read_whole_are_not_compared_with_others(read, dataset):
    # Without its query, each of its ratings would be refused too.
    dataset["Query"][0]["query_text"] = ""

    [problem] = problems_of(read, dataset)

    assert problem.startswith("file.json, Query[0].query_text (byte ")


def test_abstracts_that_cannot_be_read_are_not_compared_with_others(read, dataset):
    dataset["Corpus"][1]["title"] = 7

    [problem] = problems_of(read, dataset)

    assert problem.startswith("file.json, Corpus[1].title (byte ")


def test_all_keys_that_a_file_needs_are_told_at_once(read):
    assert problems_of(read, {"licence": "CC"}) == [
        f"file.json: the key {key} is missing. An object is expected with the keys of the official "
        "file."
        for key in ("Query", "Corpus", "aspect_id2aspect (or aspect2aspect_id)")
    ]


def test_progress_is_told_in_bytes_of_the_file(read, dataset):
    told = []

    read(dataset, chunk_bytes=1000, progress=lambda done, total: told.append((done, total)))

    total = len(json.dumps(dataset))
    assert told[-1] == (total, total)
    assert [done for done, _ in told][:3] == [64, 1064, 2064]


def test_a_hundred_answers_that_could_not_be_read_are_listed_and_all_counted(read, dataset):
    dataset["Query"][0]["candidate_pool"] = list(range(1000, 1101))
    dataset["Corpus"] += map(make_abstract, range(1000, 1101))
    dataset["Annotation"] = [answer("a", number, -1) for number in range(1000, 1101)]
    dataset["Test_set"] = []

    study = read(dataset)

    assert (len(study.unparsed), study.unparsed_count) == (100, 101)
    assert study.unparsed[0] == "aspect a, abstract 1000"


def test_the_first_hundred_problems_are_listed_and_all_counted(read, dataset):
    dataset["Test_set"] = [rated("b", 30, 7) for _ in range(150)]

    with pytest.raises(BadInputError) as caught:
        read(dataset)

    assert len(caught.value.problems) == 100
    assert caught.value.total == 150


def test_a_rating_of_an_abstract_without_text_is_refused(read, dataset):
    dataset["Corpus"][2]["original_abstract"] = " "

    problems = problems_of(read, dataset)

    assert "the abstract 10 is to be judged and has no text" in problems[0]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (pickle.dumps({"a": 1}), "file.json: this is a Python pickle"),
        (b"\x1f\x8b\x08\x00", "file.json: this is a gzip archive"),
        (b"\xef\xbb\xbf{}", "file.json: the file starts with a byte order mark"),
        (b"[]", "file.json, byte 0: broken JSON: Expecting an object."),
        (b"", "file.json, byte 0: broken JSON: the file ends too early."),
        (b"{}", "file.json: the key Query is missing."),
    ],
)
def test_what_is_no_such_file_at_all(read, data, message):
    assert problems_of(read, data)[0].startswith(message)


def test_what_is_broken_is_reported_with_entry_and_byte(read, dataset):
    text = json.dumps(dataset)
    at = text.index('"ss_id": "s10"')

    [problem] = problems_of(read, (text[:at] + text[at + 1 :]).encode())

    assert problem == (
        f"file.json, Corpus[2], byte {at:,}: broken JSON: Expecting property name enclosed in "
        "double quotes. Fetch the file again, or correct it at this place."
    )


@pytest.fixture(scope="module")
def large_file(tmp_path_factory):
    """200 MB, most of it abstracts of no pool, with a bracket missing after 97 %."""
    dataset = make_dataset()
    corpus = dataset.pop("Corpus")
    path = tmp_path_factory.mktemp("large") / "large.json"
    filler = json.dumps(make_abstract(0, masked_abstract="Nobody wants this. " * 1000))
    with path.open("w") as file:
        file.write(json.dumps(dataset)[:-1] + ', "Corpus": [')
        file.write(", ".join(map(json.dumps, corpus)))
        number = 1000
        while file.tell() < 200e6:
            for _ in range(100):
                number += 1
                entry = filler.replace('"abstract_id": 0', f'"abstract_id": {number}')
                is_broken = file.tell() > 195e6 and not number % 100
                file.write(", " + (entry[:-1] if is_broken else entry))
        file.write("]}")
    yield path
    path.unlink()


def test_a_large_file_that_is_broken_near_its_end_is_refused_with_the_place(large_file):
    size = large_file.stat().st_size

    with pytest.raises(BadInputError) as caught:
        read_dataset(large_file, name="large.json", values=VALUES)

    [problem] = caught.value.problems
    byte = int(problem.place.rpartition("byte ")[2].replace(",", ""))
    assert 0.95 * size < byte < size
    assert problem.place.startswith("Corpus[")
    assert problem.message.startswith("broken JSON: Expecting ")


def test_the_sample_of_the_release_is_read_whole(shared_data):
    path = shared_data / "doris-mae-sample" / "DORIS-MAE_dataset_v1.json"
    content = json.loads(path.read_text())

    study = read_dataset(path, name=path.name, values=VALUES)

    assert written(study) == {key: content[key] for key in written(study)}
    assert study.aspects == content["aspect_id2aspect"]
    assert (study.abstracts_read, sum(map(len, study.pairs.values()))) == (1520, 25603)
