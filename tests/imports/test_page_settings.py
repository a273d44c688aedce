"""How the form of the import page changes the settings of a draft."""

from django.http import QueryDict

from imports.models import Draft
from imports.page_settings import settings_from, with_scale_reversed

COLUMNS = [{"name": "qid"}, {"name": "docid"}, {"name": "alice"}, {"name": "bob"}]
PLAIN_FIELDS = [
    {"key": "query", "many": False},
    {"key": "document", "many": False},
    {"key": "grades", "many": True},
]
MAPPING = {
    "files": {"r.csv": {"part": "ratings", "columns": {"query": "qid", "grades": ["alice"]}}},
    "facets": {"Aim": "background"},
}


def draft(settings=None, **report):
    usual = {
        "format": "tables",
        "parts": [{"file": "r.csv", "columns": COLUMNS}, {"file": "notes.txt", "columns": []}],
        "fields": {"ratings": PLAIN_FIELDS, "pool": [{"key": "query", "many": False}]},
    }
    return Draft(settings={"mapping": MAPPING} | (settings or {}), report=usual | report)


def sent(text=""):
    """The settings after a form with these fields, as an address would write them."""
    return QueryDict(text, encoding="utf-8")


def columns_after(text):
    return settings_from(draft(), sent(text))["mapping"]["files"]["r.csv"]["columns"]


class TestColumns:
    def test_those_that_the_form_does_not_name_stay(self):
        assert settings_from(draft(), sent())["mapping"] == MAPPING

    def test_a_field_takes_the_column_that_was_chosen_for_it(self):
        assert columns_after("column:0:document=docid") == {
            "query": "qid",
            "document": "docid",
            "grades": ["alice"],
        }

    def test_of_a_field_with_one_column_the_last_choice_counts(self):
        assert columns_after("column:0:query=docid&column:0:query=qid")["query"] == "qid"

    def test_a_field_may_have_many_columns_where_its_kind_does(self):
        chosen = "column:0:grades=&column:0:grades=alice&column:0:grades=bob"
        assert columns_after(chosen)["grades"] == ["alice", "bob"]

    def test_a_field_without_a_column_is_left_out(self):
        assert columns_after("column:0:query=&column:0:grades=") == {}

    def test_those_of_a_file_that_is_not_matched_stay_away(self):
        parts = [{"file": "new.csv", "columns": COLUMNS}]
        settings = settings_from(draft(parts=parts), sent("column:0:query=docid"))
        assert settings["mapping"] == MAPPING

    def test_what_else_the_matching_says_stays(self):
        before = draft({"mapping": MAPPING | {"along": ["raters.csv"]}})
        assert settings_from(before, sent())["mapping"]["along"] == ["raters.csv"]

    def test_the_draft_itself_does_not_change(self):
        before = draft()
        settings_from(before, sent("column:0:query=docid&part:0=pool&facets=Aim = method"))
        assert before.settings["mapping"] == MAPPING


class TestParts:
    def test_a_file_of_another_part_has_its_columns_guessed_anew(self):
        entry = settings_from(draft(), sent("part:0=pool&column:0:query=docid"))["mapping"]
        assert entry["files"]["r.csv"] == {
            "part": "pool",
            "columns": {"query": "qid", "document": "docid"},
        }

    def test_a_file_that_is_left_alone_has_none(self):
        mapping = settings_from(draft(), sent("part:0="))["mapping"]
        assert mapping["files"]["r.csv"] == {"part": "", "columns": {}}

    def test_the_same_part_keeps_the_columns(self):
        mapping = settings_from(draft(), sent("part:0=ratings"))["mapping"]
        assert mapping["files"] == MAPPING["files"]

    def test_another_format_has_parts_of_its_own(self):
        settings = settings_from(draft(), sent("format=trec"))
        assert (settings["format"], settings["mapping"]) == ("trec", {})

    def test_the_same_format_keeps_them(self):
        assert settings_from(draft(), sent("format=tables"))["mapping"] == MAPPING


def test_facets_are_lines_of_theirs_and_ours():
    lines = "Aim = background\nA=B = method\n\nno sign\n=result"
    form = QueryDict(mutable=True)
    form["facets"] = lines
    mapping = settings_from(draft(), form)["mapping"]
    assert mapping["facets"] == {"Aim": "background", "A=B": "method", "": "result"}


class TestGrades:
    HISTOGRAMS = (
        {"scale": "", "rows": [{"literal": "0"}, {"literal": "x"}]},
        {"scale": "tone", "rows": [{"literal": "0"}]},
    )

    def after(self, text, grades=None):
        settings = {"grades": grades} if grades else None
        return settings_from(draft(settings, grades=self.HISTOGRAMS), sent(text))["grades"]

    def test_each_literal_of_each_scale_is_matched_by_its_place(self):
        assert self.after("grade:0:0=irrelevant&grade:0:1=similar&grade:1:0=angry") == {
            "": {"0": "irrelevant", "x": "similar"},
            "tone": {"0": "angry"},
        }

    def test_a_literal_without_an_option_is_not_matched_any_more(self):
        assert self.after("grade:0:0=", {"": {"0": "related", "1": "similar"}}) == {
            "": {"1": "similar"}
        }

    def test_literals_that_are_not_shown_keep_their_option(self):
        assert self.after("", {"": {"7": "related"}}) == {"": {"7": "related"}}


def test_people_are_matched_and_let_go_by_their_place():
    report = {"people": [{"name": "ann"}, {"name": "bob"}]}
    before = draft({"people": {"bob": "member-2", "cy": "member-3"}}, **report)
    settings = settings_from(before, sent("person:0=member-1&person:1="))
    assert settings["people"] == {"ann": "member-1", "cy": "member-3"}


def test_boxes_that_are_not_ticked_are_off():
    boxes = ("keep_unpooled", "answers_to_come", "keep")
    before = draft(dict.fromkeys(boxes, True))
    for ticked in boxes:
        settings = settings_from(before, sent(f"{ticked}=on"))
        assert {box for box in boxes if settings[box]} == {ticked}


def test_the_credits_in_the_files_fill_the_collections_only_if_asked_for():
    report = {"credits": {"licence": "MIT"}}
    assert settings_from(draft(**report), sent("credits=on"))["fills"] == {"licence": "MIT"}
    assert settings_from(draft(**report), sent())["fills"] == {}


def test_what_a_kind_asks_is_a_text_or_yes_or_no():
    asks = [{"key": "model", "yes_or_no": False}, {"key": "with_ratings", "yes_or_no": True}]
    settings = settings_from(draft(asks=asks), sent("ask:model=+gpt+&ask:with_ratings=on"))
    assert (settings["model"], settings["with_ratings"]) == ("gpt", True)
    assert settings["settings"] == {"model": "gpt", "with_ratings": True}

    settings = settings_from(draft({"settings": {"other": 1}}, asks=asks), sent())
    assert settings["settings"] == {"other": 1, "model": "", "with_ratings": False}


def test_settings_that_the_last_look_gave_go_before_those_of_the_draft():
    before = draft({"people": {"ann": "m"}})
    before.report["settings"] = {"people": {"bob": "n"}, "level": "topics"}
    settings = settings_from(before, sent())
    assert (settings["people"], settings["level"]) == ({"bob": "n"}, "topics")


class TestReversedScale:
    OPTIONS = ({"key": "no"}, {"key": "maybe"}, {"key": "yes"})
    REPORT = {
        "grades": [
            {
                "scale": "",
                "options": OPTIONS,
                "rows": [
                    {"literal": "1", "option": "no"},
                    {"literal": "2", "option": "maybe"},
                    {"literal": "3", "option": "yes"},
                    {"literal": "n/a", "option": "cannot-judge"},
                ],
            }
        ]
    }

    def test_the_first_option_becomes_the_last_and_what_is_no_grade_stays(self):
        settings = {"grades": {"": {"n/a": "cannot-judge", "0": "no"}, "tone": {"1": "calm"}}}
        assert with_scale_reversed(settings, self.REPORT, "")["grades"] == {
            "": {"n/a": "cannot-judge", "0": "no", "1": "yes", "2": "maybe", "3": "no"},
            "tone": {"1": "calm"},
        }

    def test_all_else_stays(self):
        assert with_scale_reversed({"keep": True}, self.REPORT, "")["keep"]

    def test_a_scale_that_the_files_do_not_have_changes_nothing(self):
        assert with_scale_reversed({"keep": True}, self.REPORT, "tone") == {"keep": True}
