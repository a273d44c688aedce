"""A scheme while it is written: what is wrong with each part, at its bounds."""

from decimal import Decimal

import pytest

from annotation.schemes.draft import Draft, key_of_line, slug_of
from annotation.schemes.draft_parts import DraftFacet, DraftOption, DraftScale, decimal_of
from annotation.schemes.files import as_file, read_definition

OF_DISTANCES = "difference_of_at_least"
ROW = {"key": "slip", "name": "A slip"}


def option(number, **fields):
    usual = {"key": f"o{number}", "value": str(number), "name": f"O{number}"}
    return DraftOption(**{**usual, "shortcut": str(number), **fields})


def scale(count=2, **fields):
    return DraftScale(options=[option(number) for number in range(count)], **fields)


def facet(count=2, **fields):
    usual = {"key": "method", "name": "Method", "definitions": ["It is."] * count}
    return DraftFacet(**{**usual, **fields})


def draft(**fields):
    usual = {"title": "Ours", "causes": [ROW], "facets": [facet()], "scales": [scale()]}
    return Draft(**{**usual, **fields})


def told(problems):
    """[(field, its place, how the sentence begins)]."""
    return [(problem.field, problem.place, problem.sentence.split(".")[0]) for problem in problems]


def test_a_draft_that_says_everything_has_no_problem():
    assert draft().problems() == []


def test_an_empty_draft_is_told_everything_in_the_order_of_the_form():
    assert told(Draft(overlap="").problems()) == [
        ("title", "Title", "Give the scheme a title of at most 160 characters"),
        ("overlap", "Ratings a pair", "Give a number from 1 to 9"),
        ("causes", "Causes", "Name at least one cause of a difference"),
        ("kind", "Facets", "There can be 1 to 12 facets"),
    ]


@pytest.mark.parametrize(
    ("offered", "of_imports", "is_right"),
    [(2, 0, True), (1, 3, False), (22, 2, True), (22, 3, False)],
)
def test_a_scale_has_as_many_options_as_its_problem_says(offered, of_imports, is_right):
    options = [option(number) for number in range(offered)]
    options += [option(number, is_import_only=True) for number in range(100, 100 + of_imports)]

    problems = DraftScale(options=options).problems("scale-0", "", has_distance=False)

    sentences = [problem.sentence for problem in problems if problem.field == "scale-0-options"]
    expected = "A scale has at least 2 options to choose from, and at most 24."
    assert sentences == ([] if is_right else [expected])


def test_a_problem_in_words_names_its_place():
    [problem] = draft(title="").problems()
    assert str(problem) == "Title: Give the scheme a title of at most 160 characters."


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"title": "x" * 160}, None),
        ({"title": "x" * 161}, "title"),
        ({"title": "  "}, "title"),
        ({"rule": "majority"}, None),
        ({"rule": "loudest"}, "rule"),
        ({"overlap": "1"}, None),
        ({"overlap": "9"}, None),
        ({"overlap": "0"}, "overlap"),
        ({"overlap": "10"}, "overlap"),
        ({"overlap": "2.5"}, "overlap"),
        ({"guidelines": "x" * 100_000}, None),
        ({"guidelines": "x" * 100_001}, "guidelines"),
        ({"reasons": [{"key": "a", "name": "x" * 200}]}, None),
        ({"reasons": [{"key": "a", "name": "x" * 201}]}, "reasons"),
        ({"reasons": [{"key": "a", "name": " "}]}, "reasons"),
        ({"reasons": [{"key": "", "name": "Blurred"}]}, "reasons"),
        ({"causes": [ROW, {"key": "slip", "name": "Another"}]}, "causes"),
        ({"causes": [ROW, {"key": "other", "name": "A slip"}]}, None),
        ({"causes": []}, "causes"),
        ({"facets": [facet(key=f"f{n}") for n in range(12)]}, None),
        ({"facets": [facet(key=f"f{n}") for n in range(13)]}, "kind"),
    ],
)
def test_a_bound_of_the_whole_is_told_at_its_field(fields, wrong):
    assert [problem.field for problem in draft(**fields).problems()] == ([wrong] if wrong else [])


class TestFacets:
    @pytest.mark.parametrize(
        ("fields", "wrong"),
        [
            ({"name": "x" * 60}, None),
            ({"name": "x" * 61}, "facet-0-name"),
            ({"name": " "}, "facet-0-name"),
            ({"question": "x" * 200}, None),
            ({"question": "x" * 201}, "facet-0-question"),
            ({"key": "a" * 60}, None),
            ({"key": "a" * 61}, "facet-0-key"),
            ({"key": "Method"}, "facet-0-key"),
            ({"key": ""}, "facet-0-key"),
            ({"key": "-a"}, "facet-0-key"),
            ({"key": "a\n"}, "facet-0-key"),
            ({"key": "relevance"}, "facet-0-key"),
            ({"key": "all"}, "facet-0-key"),
        ],
    )
    def test_names_questions_and_keys_have_bounds(self, fields, wrong):
        problems = draft(facets=[facet(**fields)]).problems()
        assert [problem.field for problem in problems] == ([wrong] if wrong else [])

    def test_the_second_of_one_key_is_told(self):
        problems = draft(facets=[facet(), facet(name="Again")]).problems()
        assert told(problems) == [("facet-1-key", "Again", "Another facet has this key")]

    def test_plain_relevance_has_the_key_that_no_other_facet_may_have(self):
        assert draft(kind="relevance", facets=[facet(key="relevance")]).problems() == []

    def test_aspects_have_no_key(self):
        assert draft(kind="aspects", facets=[facet(key="")]).problems() == []

    def test_labels_of_sentences_are_divided_by_spaces_or_commas(self):
        labels = facet(labels="aim_label, goal_label  purpose").definition()["sentence_labels"]
        assert labels == ["aim_label", "goal_label", "purpose"]

    def test_a_facet_of_a_definition_gives_it_back(self):
        written = {
            "key": "method",
            "name": "Method",
            "question": "Is it done alike?",
            "sentence_labels": ["aim_label", "goal_label"],
        }
        ours = DraftFacet.of(written, {"o1": "Some of it.", "o9": "Of no option."}, scale())

        assert ours.definition() == written
        assert ours.definitions == ["", "Some of it."]


class TestDefinitions:
    def test_each_option_is_defined_under_each_facet_that_shares_the_scale(self):
        facets = [
            facet(definitions=["Yes.", " "]),
            facet(key="result", name="", definitions=["", "No."]),
        ]
        problems = [p for p in draft(facets=facets).problems() if "definition" in p.field]
        assert told(problems) == [
            ("facet-1-definition-0", "Facet 2, O0", "Define it, in at most 600 characters"),
            ("facet-0-definition-1", "Method, O1", "Define it, in at most 600 characters"),
        ]

    def test_an_option_without_a_name_is_told_by_its_number(self):
        nameless = DraftScale(options=[option(0), option(1, name="")])
        problems = draft(facets=[facet(definitions=["Yes.", ""])], scales=[nameless]).problems()
        assert "Method, Option 2" in [problem.place for problem in problems]

    @pytest.mark.parametrize(("length", "is_told"), [(600, False), (601, True)])
    def test_a_definition_has_a_length_that_a_card_bears(self, length, is_told):
        problems = draft(facets=[facet(definitions=["x" * length, "No."])]).problems()
        assert bool(problems) == is_told

    def test_a_facet_with_a_scale_of_its_own_defines_the_options_of_that_alone(self):
        facets = [facet(), facet(3, key="tone", name="Tone", definitions=["a", "b", ""])]
        problems = draft(facets=facets, is_shared=False, scales=[scale(), scale(3)]).problems()
        assert told(problems) == [
            ("facet-1-definition-2", "Tone, O2", "Define it, in at most 600 characters")
        ]

    def test_an_option_for_imports_alone_needs_no_definition_and_gives_none(self):
        scales = [scale()]
        scales[0].options.append(option(2, is_import_only=True))
        ours = draft(facets=[facet(definitions=["Yes.", "No.", ""])], scales=scales)

        assert ours.problems() == []
        assert ours.definition()["definitions"] == {"method": {"o0": "Yes.", "o1": "No."}}


class TestScales:
    def fields(self, ours, **more):
        facets = [facet(len(ours.options))]
        return [p.field for p in draft(facets=facets, scales=[ours], **more).problems()]

    @pytest.mark.parametrize(("count", "is_told"), [(1, True), (2, False), (24, False), (25, True)])
    def test_there_are_two_options_to_choose_from_and_not_too_many(self, count, is_told):
        letters = "bcdiopqrtvz"
        ours = scale(count)
        for number, each in enumerate(ours.options):
            each.shortcut = str(number) if number < 10 else letters[(number - 10) % 11]
        assert ("scale-0-options" in self.fields(ours)) == is_told

    def test_options_for_imports_alone_are_not_among_those_to_choose_from(self):
        ours = scale()
        ours.options[1].is_import_only = True
        assert self.fields(ours) == ["scale-0-options"]

    def test_options_of_one_value_leave_nothing_to_disagree_about(self):
        ours = DraftScale(options=[option(1), option(2, value="1.0", shortcut="b")])
        [problem] = draft(scales=[ours]).problems()
        assert problem.sentence == "All options stand for one value, so nobody could disagree."

    @pytest.mark.parametrize(
        ("fields", "wrong"),
        [
            ({"name": ""}, "name"),
            ({"name": " ", "key": "blank"}, "name"),
            ({"name": "x" * 61, "key": "long"}, "name"),
            ({"name": "O0", "key": "o0"}, "name"),
            ({"value": "many"}, "value"),
            ({"shortcut": "0"}, "shortcut"),
        ],
    )
    def test_what_is_wrong_with_an_option_is_told_at_its_field(self, fields, wrong):
        ours = scale()
        ours.options[1] = option(1, **fields)
        assert f"scale-0-option-1-{wrong}" in self.fields(ours)

    def test_a_name_has_up_to_sixty_letters(self):
        ours = scale()
        ours.options[1] = option(1, name="x" * 60)
        assert self.fields(ours) == []

    def test_an_option_that_has_no_name_yet_is_told_by_its_number(self):
        ours = scale()
        ours.options[1] = option(1, name="", value="")
        assert [problem.place for problem in draft(scales=[ours]).problems()] == ["Option 2"] * 3

    def test_the_second_option_of_one_key_is_told_who_has_it(self):
        ours = DraftScale(options=[option(0, shortcut="a"), option(1, shortcut="a")])
        [problem] = draft(scales=[ours]).problems()
        assert told([problem]) == [
            ("scale-0-option-1-shortcut", "O1", "O0 has the key “a”"),
        ]

    @pytest.mark.parametrize(
        ("values", "following"),
        [
            (["0", "1", "2"], "3"),
            (["1"], "2"),
            (["0.5", "1.5"], "2.5"),
            (["-1", "0"], "1"),
            (["0", "2"], ""),
            (["2", "1"], ""),
            (["0", ""], ""),
            ([], ""),
        ],
    )
    def test_one_more_grade_counts_on_where_they_count_by_one(self, values, following):
        ours = DraftScale(options=[DraftOption(value=value) for value in values])
        ours.options.append(DraftOption(value="9", is_import_only=True))
        assert ours.next_value() == following

    def test_a_key_that_was_given_just_now_is_given_no_other(self):
        ours = DraftScale(options=[DraftOption(value="1", name="Best") for _ in range(3)])
        ours.give_missing_keys()
        assert [each.shortcut for each in ours.options] == ["1", "b", "t"]

    def test_two_options_of_one_name_are_told_by_the_second(self):
        ours = scale()
        ours.options[1] = option(1, key="o0")
        problem = draft(scales=[ours]).problems()[0]
        assert told([problem]) == [("scale-0-option-1-name", "O1", "Another option has this name; "
                                    "options need different names")]  # fmt: skip

    @pytest.mark.parametrize(
        ("distance", "is_told"),
        [("2", False), ("0.5", False), ("0,5", False), ("0", True), ("-1", True), ("", True)],
    )
    def test_a_rule_of_distances_needs_one_above_zero(self, distance, is_told):
        ours = scale(distance=distance)
        told_fields = self.fields(ours, rule=OF_DISTANCES)
        assert told_fields == (["scale-0-distance"] if is_told else [])
        assert self.fields(ours) == []  # the usual rule has none

    @pytest.mark.parametrize("typed", ["0.5", "0,5", " 0.50 "])
    def test_a_distance_is_kept_as_a_plain_number(self, typed):
        ours = draft(scales=[scale(distance=typed)], rule=OF_DISTANCES)
        assert ours.definition()["rule"] == {"name": OF_DISTANCES, "distance": "0.5"}

    def test_a_rule_of_distances_needs_an_order(self):
        assert self.fields(scale(is_ordinal=False, distance="2"), rule=OF_DISTANCES) == ["rule"]

    def test_the_scale_of_a_facet_is_told_by_its_name(self):
        facets = [facet(), facet(1, key="tone", name="Tone")]
        problems = draft(facets=facets, is_shared=False, scales=[scale(), scale(1)]).problems()
        assert told(problems)[0][:2] == ("scale-1-options", "Tone, Options")

    def test_missing_keys_are_given_to_what_has_a_name_or_a_value(self):
        ours = DraftScale(
            options=[
                option(1, shortcut=""),
                option(2, value="0.5", name="Bright", shortcut=""),
                option(3, value="", name="", shortcut=""),
                option(4, value="7", name="Brown", shortcut="b"),
                option(5, value="8", shortcut="", is_import_only=True),
            ]
        )
        ours.give_missing_keys()
        assert [each.shortcut for each in ours.options] == ["1", "r", "", "b", ""]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", "2"),
        (" 0.5 ", "0.5"),
        ("0,5", "0.5"),
        ("-1", "-1"),
        ("\u22121", "-1"),
        ("0.125", "0.125"),
        ("999.999", "999.999"),
        ("-999.999", "-999.999"),
        ("1000", None),
        ("-1000", None),
        ("0.0625", None),
        ("1e400", None),
        ("1e1000000", None),  # beyond what Python's decimals compute with
        ("-1e1000000", None),
        ("1e-1000000", None),
        ("nan", None),
        ("inf", None),
        ("", None),
        ("1 2", None),
        ("two", None),
    ],
)
def test_a_value_is_a_number_below_a_thousand_with_three_decimals(text, value):
    assert decimal_of(text) == (None if value is None else Decimal(value))


@pytest.mark.parametrize(
    ("name", "slug"),
    [("Near-identical", "near-identical"), ("  Très bon! ", "tres-bon"), ("很好", ""), ("", "")],
)
def test_a_key_follows_from_a_name(name, slug):
    assert slug_of(name) == slug
    assert len(slug_of("x" * 80)) == 50


@pytest.mark.parametrize(
    ("name", "used", "known", "key"),
    [
        ("Text cut off", (), "", "text_cut_off"),
        ("Text cut off", {"text_cut_off"}, "", "text_cut_off1"),
        ("Text cut off", {"text_cut_off", "text_cut_off1"}, "", "text_cut_off2"),
        ("Text cut off", (), "cut", "cut"),
        ("很好", (), "", "row"),
        ("很好", {"row"}, "", "row1"),
    ],
)
def test_a_line_keeps_the_key_that_is_known_of_it_or_gets_one(name, used, known, key):
    assert key_of_line(name, used, known_key=known) == key


def test_what_a_definition_leaves_out_is_what_most_schemes_have():
    definition = draft().definition()
    left_out = ("hides_ratings", "side_text", "description", "guidelines", "key")

    made = Draft.of_definition({key: definition[key] for key in definition if key not in left_out})

    assert (made.hides_ratings, made.side_text, made.key_components) == (False, False, None)
    assert (made.description, made.guidelines, made.key) == ("", "", "")


@pytest.mark.parametrize("order", ["ordinal", "nominal"])
def test_a_file_says_whether_grades_have_an_order(order):
    definition = draft(scales=[scale(is_ordinal=order == "ordinal")]).definition()

    made = read_definition(as_file(definition).encode())

    assert made == definition
    assert (definition["order"], made["order"]) == (order, order)
