"""Key components of several raters side by side."""

from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from adjudication.components import Comparison, same_text


def rater(letter, *components):
    parts = [{"text": text, "met": met} for text, met in components]
    return SimpleNamespace(letter=letter, rating=SimpleNamespace(components=parts))


def words(line):
    return (line.text, [cell.word for cell in line.cells], [cell.differs for cell in line.cells])


def test_components_are_one_up_to_white_space_and_case():
    comparison = Comparison(
        [
            rater("A", ("Detects  faults", "met"), ("in machines", "met")),
            rater("B", ("in\u00a0Machines ", "partly"), ("detects faults", "met")),
        ]
    )

    assert [words(line) for line in comparison.differing] == [
        ("in machines", ["Met", "Partly"], [True, True])
    ]
    assert [words(line) for line in comparison.same] == [
        ("Detects  faults", ["Met", "Met"], [False, False])
    ]
    assert comparison.one_sided == []


def test_what_not_everybody_has_is_listed_apart_unless_its_marks_differ():
    comparison = Comparison(
        [
            rater("A", ("all", "met"), ("two differ", "met"), ("alone", "not")),
            rater("B", ("all", "met"), ("two differ", "not"), ("two agree", "partly")),
            rater("C", ("all", "met"), ("two agree", "partly")),
        ]
    )

    assert [words(line) for line in comparison.differing] == [
        ("two differ", ["Met", "Not met", ""], [True, True, False])
    ]
    assert [line.text for line in comparison.one_sided] == ["alone", "two agree"]
    assert [line.text for line in comparison.same] == ["all"]


def test_a_rater_without_components_has_no_column():
    comparison = Comparison([rater("A", ("one", "met")), rater("B"), rater("C", ("one", "met"))])

    assert [rater.letter for rater in comparison.raters] == ["A", "C"]
    assert [rater.letter for rater in comparison.without] == ["B"]
    assert [line.text for line in comparison.same] == ["one"]


def test_without_any_components_there_is_nothing_to_compare():
    assert not Comparison([rater("A"), rater("B")])
    assert not Comparison([])


TEXTS = st.sampled_from(["one", "ONE ", "two", " t w o", "three"])
MARKS = st.sampled_from(["met", "partly", "not"])
SPLITS = st.lists(st.lists(st.tuples(TEXTS, MARKS), max_size=5), min_size=1, max_size=4)


@given(SPLITS)
def test_every_component_stands_in_one_line_in_any_order_of_the_raters(splits):
    raters = [rater(letter, *split) for letter, split in zip("ABCD", splits, strict=False)]

    def lists(comparison):
        kinds = (comparison.differing, comparison.one_sided, comparison.same)
        return [sorted(same_text(line.text) for line in lines) for lines in kinds]

    texts_by_kind = lists(Comparison(raters))

    texts = {same_text(text) for split in splits for text, _ in split}
    assert sorted(text for kind in texts_by_kind for text in kind) == sorted(texts)
    assert lists(Comparison(raters[::-1])) == texts_by_kind
