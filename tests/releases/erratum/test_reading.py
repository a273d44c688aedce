"""Exports read from folders. Those of other versions are compared, or refused with a sentence."""

import hashlib
import json

import pytest
from django.core.management import CommandError, call_command

from releases.actions import write_export
from releases.erratum import tables
from releases.erratum.between import Erratum
from releases.erratum.changes import Grade
from releases.erratum.grades import READERS, grades_of
from releases.erratum.reading import Exported, NotComparable
from releases.erratum.reasons import last_event
from releases.formats.registry import GRADED
from releases.manifest import NAME

pytestmark = pytest.mark.once

LEAST = {"format": "csv", "files": [], "counts": {}}
HEAD = "topic,document,value,option\n"


@pytest.fixture
def folder(corrected, tmp_path):
    """The newer export as a folder."""
    write_export(
        collection=corrected.collection, export_format="csv", folder=tmp_path, allow_incomplete=True
    )
    return tmp_path


def changed(folder, change):
    """The export in the folder with another manifest."""
    manifest = json.loads((folder / NAME).read_text())
    change(manifest)
    (folder / NAME).write_text(json.dumps(manifest))
    return Exported.in_folder(folder)


def written(folder, name, text, **manifest):
    """An export of a single file."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    files = [{"name": name, "sha256": hashlib.sha256(text.encode()).hexdigest()}]
    (folder / NAME).write_text(json.dumps(LEAST | {"files": files} | manifest))
    return Exported.in_folder(folder)


def only(*names):
    def change(manifest):
        for name in manifest.keys() - set(names):
            del manifest[name]

    return change


def test_a_manifest_of_the_first_version_is_enough(corrected, folder):
    older = changed(folder, lambda manifest: manifest["scheme"].pop("version"))
    newer = changed(folder, only(*LEAST, "scheme"))
    for exported in (older, newer):
        erratum = Erratum(corrected.collection, Exported.of(corrected.older), exported)

        assert tables.sentence(erratum) == "Of 3 judgments 1 changed, 3 are new and 1 is gone."
        assert not any("wording" in note for note in tables.notes(erratum))
        assert exported.is_gold


def test_without_a_scheme_grades_have_no_names(corrected, folder):
    exported = changed(folder, only(*LEAST))

    erratum = Erratum(corrected.collection, Exported.of(corrected.older), exported)

    changed_row = next(tables.file_rows(erratum, erratum.changes.rows))
    assert changed_row[4:10] == (1, "related", "Related", 0, "irrelevant", "")
    assert len(tables.crossed(erratum, {})) == 1


def test_without_a_seal_reasons_go_up_to_the_event_of_the_export(corrected):
    moment = last_event(corrected.older, None)

    assert moment > 0
    assert last_event(corrected.older, {}) == moment
    assert last_event(corrected.older, {"is_complete": True}) == moment
    assert last_event(corrected.older, {"is_complete": False, "sha256": "0"}) == moment


@pytest.mark.parametrize(
    "part",
    [
        {"format": ["csv"]},
        {"files": [{"name": "gold.csv"}]},
        {"files": [{"sha256": "0"}]},
        {"files": 3},
        {"counts": []},
        {"counts": {"facets": 3}},
        {"levels": ["queries"]},
        {"values": {}},
        {"values": "gold"},
        {"collection": "study"},
        {"scheme": []},
        {"scheme": {"options": [{"key": "related"}]}},
        {"scheme": {"options": [{"value": "1", "name": "Related"}]}},
        {"scheme": {"options": [{"key": "related", "name": "Related"}]}},
        {"scheme": {"options": [{"key": "related", "value": "1"}]}},
        {"scheme": {"facets": 3}},
        {"scheme": {"scales": {"method": {"options": [3]}}}},
    ],
    ids=str,
)
def test_parts_of_another_shape_are_refused_with_a_sentence(tmp_path, part):
    (tmp_path / NAME).write_text(json.dumps(LEAST | part))

    with pytest.raises(NotComparable, match=r"its manifest\.json cannot be read"):
        Exported.in_folder(tmp_path)


def test_a_manifest_of_many_parts_within_each_other_is_refused_with_a_sentence(tmp_path):
    (tmp_path / NAME).write_text("[" * 100_000)

    with pytest.raises(NotComparable, match=r"its manifest\.json cannot be read"):
        Exported.in_folder(tmp_path)


def test_a_folder_that_names_no_collection_is_refused(corrected, folder):
    changed(folder, only(*LEAST))

    with pytest.raises(CommandError, match="not in this installation"):
        call_command("erratum", str(folder), str(folder))


def test_a_file_that_cannot_be_opened_is_refused_with_a_sentence(tmp_path):
    exported = written(tmp_path, "gold.csv", "topic,document,value,option\n")
    (tmp_path / "gold.csv").unlink()

    with pytest.raises(NotComparable, match=r"gold\.csv cannot be read: No such file"):
        grades_of(exported)
    (tmp_path / "gold.csv").mkdir()
    with pytest.raises(NotComparable, match=r"gold\.csv cannot be read: Is a directory\."):
        grades_of(exported)


def test_grades_are_read_to_the_last_digit(tmp_path):
    birco = {"qrel": {"q1_method": {"d1": 0.1, "d2": 1.50}}}

    exported = written(
        tmp_path, "birco.json", json.dumps(birco), format="birco", levels={"queries": {}}
    )

    assert grades_of(exported) == {"q1_method": {"d1": ("0.1", ""), "d2": ("1.5", "")}}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "topic,document\n",
        f"{HEAD}t,d,NaN,\n",
        f"{HEAD}t,d\n",
        f"{HEAD}\n",
        f"{HEAD}t,d,1e99999999,\n",
        f"{HEAD}t,d,1,\nt,d,2,\n",
    ],
    ids=["none", "no value", "no number", "short", "empty line", "vast", "twice"],
)
def test_a_file_without_grades_that_are_numbers_is_refused_with_a_sentence(tmp_path, text):
    exported = written(tmp_path, "gold.csv", text)

    with pytest.raises(NotComparable, match="its grades cannot be read"):
        grades_of(exported)


def test_options_of_one_value_on_a_single_scale_are_enough_for_the_note(tmp_path):
    def scale(*values):
        options = [{"key": f"o{i}", "value": value, "name": ""} for i, value in enumerate(values)]
        return {"options": options}

    scheme = {"scales": {"method": scale("0", "1"), "result": scale("0", "1", "1")}}
    shared = written(tmp_path, "qrels-all.txt", "", format="trec", scheme=scheme)

    assert shared.shares_values
    scheme["scales"].pop("result")
    assert not written(tmp_path, "qrels-all.txt", "", format="trec", scheme=scheme).shares_values
    # A table names the option of each grade.
    scheme["scales"]["result"] = scale("1", "1")
    assert not written(tmp_path, "gold.csv", "", scheme=scheme).shares_values


@pytest.mark.parametrize(
    ("values", "source"),
    [
        ({"from": "gold", "least_relevant_grade": "1"}, {"from": "gold"}),
        ({"from": "gold", "mapping": "binary"}, {"from": "gold", "mapping": "binary"}),
        ({"from": "seat:1", "least_relevant_grade": "1"}, {"from": "seat:1"}),
    ],
)
def test_the_source_is_whose_values_and_by_which_mapping(tmp_path, values, source):
    options = [{"key": "related", "value": "1", "name": "Related"}]
    exported = written(tmp_path, "gold.csv", "", values=values, scheme={"options": options})

    assert exported.source == source
    assert exported.is_gold == (source["from"] == "gold")
    # Grades of a mapping have no options.
    assert exported.name_of(Grade("1"), "") == ("" if "mapping" in source else "Related")


def test_aspects_may_be_the_key_of_a_facet(tmp_path):
    counts = {"facets": {"aspects": {}}}

    exported = written(
        tmp_path,
        "birco.json",
        "{}",
        format="birco",
        levels={"queries": {}},
        counts=counts,
        scheme={"facets": ["aspects"]},
    )

    assert exported.unit == "topics"


@pytest.mark.parametrize(
    ("level", "facets", "unit"),
    [
        ("queries", ["method"], "topics"),
        ("queries", ["aspects"], "queries"),
        ("aspects", ["aspects"], "topics"),
        ("aspects", ["aspects", "method"], "aspects"),
        ("aspects", [], "aspects"),
    ],
)
def test_a_level_is_that_of_topics_where_each_query_is_one(tmp_path, level, facets, unit):
    counts = {"facets": {facet: {} for facet in facets}}

    exported = written(
        tmp_path, "birco.json", "{}", format="birco", levels={level: {}}, counts=counts
    )

    assert exported.unit == unit


@pytest.mark.parametrize(
    ("export_format", "level", "counts", "has_averages", "has_sums"),
    [
        ("birco", "queries", {"facets": {"aspects": {}}}, True, False),
        ("beir", "queries", {"facets": {"aspects": {}}}, False, True),
        ("beir", "sub-queries", {"facets": {"aspects": {}}}, False, True),
        ("beir", "aspects", {"facets": {"aspects": {}, "method": {}}}, False, False),
        ("birco", "queries", {"facets": {"method": {}}}, False, False),
        # Judgments of whole queries are as they were written.
        ("beir", "queries", {"topics": 0, "facets": {}}, False, None),
        ("birco", "queries", {"topics": 0, "facets": {}}, True, False),
    ],
)
def test_grades_of_queries_are_averages_or_sums_over_their_aspects(
    tmp_path, export_format, level, counts, has_averages, has_sums
):
    exported = written(
        tmp_path, "file", "", format=export_format, levels={level: {}}, counts=counts
    )

    assert (exported.has_averages, exported.has_sums) == (has_averages, has_sums)


def test_grades_of_no_level_or_of_two_are_refused(tmp_path):
    for levels in ({}, {"queries": {}, "aspects": {}}):
        exported = written(tmp_path, "birco.json", "{}", format="birco", levels=levels)
        with pytest.raises(NotComparable, match="does not say what its grades are of"):
            exported.unit  # noqa: B018 - reads the manifest


def test_a_grade_has_the_name_of_its_option_or_of_all_that_stand_for_it(tmp_path):
    options = [{"key": key, "value": "1", "name": key.title()} for key in ("dispute", "agree")]
    exported = written(tmp_path, "gold.csv", "", scheme={"options": options})

    names = [exported.name_of(Grade("1", option), "") for option in ("agree", "")]

    assert names == ["Agree", "Dispute or Agree"]


@pytest.mark.parametrize(
    ("order", "words"),
    [
        # Manifests of earlier versions know no labels.
        ({}, ("\u22121", "\u22121 Against")),
        ({"is_ordinal": True}, ("\u22121", "\u22121 Against")),
        ({"is_ordinal": False}, ("Against", "Against")),
    ],
)
def test_a_grade_heads_a_table_by_its_value_and_a_label_by_its_name(tmp_path, order, words):
    scheme = {"options": [{"key": "against", "value": "-1", "name": "Against"}], **order}
    exported = written(tmp_path, "gold.csv", "", scheme=scheme)

    assert (exported.word("-1", ""), exported.in_words(Grade("-1"), "")) == words


def test_a_document_that_the_collection_does_not_hold_is_a_change_without_a_pair(
    corrected, tmp_path
):
    older, newer = (
        written(tmp_path / name, "gold.csv", f"topic,document,value,option\nt,d,{value},\n")
        for name, value in (("older", 0), ("newer", 1))
    )

    erratum = Erratum(corrected.collection, older, newer)

    [known] = erratum.known(erratum.changes.rows)
    assert (known.change.document, known.pair, known.title) == ("d", None, "")
    # The changes hold what is needed of the grades, which take much room.
    assert not vars(older).keys() & {"grades"}


def test_every_format_that_holds_grades_has_a_reader():
    assert sorted(READERS) == sorted(GRADED)
