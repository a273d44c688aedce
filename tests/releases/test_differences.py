from releases.differences import CHANGED, NEW, SAME, beside_earlier, complete_name, last_before
from releases.models import Export


def export(number, export_format="csv", files=None, **options):
    rows = [{"name": name, "sha256": digest} for name, digest in (files or {}).items()]
    return Export(pk=number, format=export_format, options=options, files=rows)


def test_the_last_export_before_is_one_of_the_same_kind():
    first, trec = export(1), export(2, "trec")
    second = export(3, allow_incomplete=True)

    assert last_before(second, [second, trec, first]) == first


def test_an_export_of_a_new_kind_comes_after_the_last_one_of_any():
    first, second, third = export(1), export(2), export(3, with_notes=True)

    assert last_before(third, [third, second, first]) == second
    assert last_before(first, [third, second, first]) is None


def test_a_facet_that_is_called_incomplete_has_files_of_its_own():
    names = ["qrels-incomplete.txt", "qrels.txt", "readable_annotations/a-incomplete-adju.txt"]

    assert [complete_name(name, False) for name in names] == names
    assert complete_name("qrels-incomplete-incomplete.txt", True) == "qrels-incomplete.txt"


def test_new_and_changed_files_differ_and_a_file_that_is_now_complete_does_not():
    before = export(1, files={"gold-incomplete.csv": "a", "ratings.csv": "b"})
    before.is_incomplete = True
    after = export(2, files={"gold.csv": "a", "ratings.csv": "c", "side-texts.csv": "d"})

    made, _ = beside_earlier([after, before])

    assert [change for _, change in made.files] == [SAME, CHANGED, NEW]
    assert made.different_count == 2
