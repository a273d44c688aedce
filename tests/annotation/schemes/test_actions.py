"""A scheme as it is stored: made from a definition, replaced before anybody rates, its rules."""

from decimal import Decimal

import pytest

from annotation.models import Option, Scheme
from annotation.schemes.actions import (
    change_rules,
    create_scheme,
    edit_wording,
    load_definition,
    write_scheme,
)
from annotation.schemes.files import definition_of
from audit.models import Event
from audit.refusals import Invalid, Locked, Stale
from config.integrity import findings
from datasets.models import Collection, Import
from tests.factories.studies import make_aspect_study, make_study, make_topic
from tests.shelf import shelved

OF_DISTANCES = "difference_of_at_least"


@shelved
def study(db):
    return make_study(assign=False)


def last(verb):
    return Event.objects.filter(verb=verb).latest("id")


def write(study, definition, **options):
    return write_scheme(
        scheme=study.scheme, definition=definition, by=study.lena, **options
    ).current


class TestMaking:
    def make(self, key):
        collection = Collection.objects.create(slug="new", name="New")
        return create_scheme(collection=collection, definition=load_definition(key), by=None)

    def test_facets_and_options_stand_in_the_order_of_the_definition(self, db):
        scheme = self.make("csfcube")
        assert [(facet.key, facet.sentence_labels) for facet in scheme.facets.all()] == [
            ("background", ["background_label", "objective_label"]),
            ("method", ["method_label"]),
            ("result", ["result_label"]),
        ]
        assert [(option.key, option.value) for option in scheme.scale_of("method").option_list] == [
            *(("irrelevant", 0), ("related", 1), ("similar", 2), ("identical", 3))
        ]

    def test_scales_of_facets_stand_in_the_order_of_the_facets(self, db):
        scheme = self.make("litsearch")
        facets = [facet.key for facet in scheme.facets.all()]
        assert [scale.facet for scale in scheme.all_scales] == facets
        assert not scheme.shares_a_scale

    def test_the_trail_has_what_was_made_and_the_hash_of_its_words(self, db):
        scheme = self.make("litsearch")
        after = last("create scheme").after
        assert after["scheme"] == "litsearch"
        assert after["wording"] == scheme.current.wording_sha256
        assert (after["rule"], after["overlap"]) == (scheme.rule, scheme.overlap)
        assert list(after["options"]) == [facet.key for facet in scheme.facets.all()]
        assert after["facets"] == {facet.key: [] for facet in scheme.facets.all()}


class TestReplacing:
    def test_another_definition_is_the_next_version_with_what_was_before(self, study):
        ours = definition_of(study.scheme) | {"overlap": 3, "title": "Ours"}
        version = write(study, ours)

        event = last("write scheme")
        assert (version.number, version.scheme.title, version.created_by) == (2, "Ours", study.lena)
        assert (event.before["overlap"], event.after["overlap"]) == (2, 3)
        assert (event.after["version"], event.after["wording"]) == (2, version.wording_sha256)
        assert findings() == []

    @pytest.mark.parametrize("name", ["key", "description"])
    def test_what_the_scheme_does_not_keep_makes_no_version(self, study, name):
        assert write(study, definition_of(study.scheme) | {name: "another"}).number == 1
        assert not Event.objects.filter(verb="write scheme").exists()

    def test_an_editor_of_an_earlier_version_is_told_of_the_present_one(self, study):
        ours = definition_of(study.scheme)
        write(study, ours | {"title": "Ours"}, based_on=1)
        with pytest.raises(Stale) as refused:
            write(study, ours | {"title": "Theirs"}, based_on=1)
        assert str(refused.value) == "Version 2 was saved meanwhile. Nothing was changed."
        assert Scheme.objects.get().title == "Ours"

    def test_an_import_keeps_the_scheme_that_it_began_with(self, study):
        Import.objects.create(collection=study.collection, kind="tables", fingerprint="1")
        with pytest.raises(Locked, match="An import is being written"):
            write(study, definition_of(study.scheme) | {"title": "Ours"})

    def test_an_import_into_another_collection_is_in_nobodys_way(self, study):
        other = make_study(slug="other", assign=False)
        Import.objects.create(collection=other.collection, kind="tables", fingerprint="1")
        assert write(study, definition_of(study.scheme) | {"title": "Ours"}).number == 2

    @pytest.mark.parametrize(
        ("topics", "words"), [(1, "1 topic of"), (2, "2 topics of the collection stand under")]
    )
    def test_a_facet_with_topics_stays(self, study, topics, words):
        if topics == 2:
            make_topic(study.collection, "q2")
        with pytest.raises(Locked, match=words) as refused:
            write(study, load_definition("trec-graded"))
        assert str(refused.value).endswith("under method, so this facet stays.")

    def test_a_facet_without_topics_may_go(self, study):
        ours = definition_of(study.scheme)
        ours["facets"] = [facet for facet in ours["facets"] if facet["key"] == "method"]
        ours["definitions"] = {"method": ours["definitions"]["method"]}
        write(study, ours)
        assert [facet.key for facet in Scheme.objects.get().facets.all()] == ["method"]

    def test_aspects_of_queries_hold_a_scheme_that_judges_aspects(self, db):
        study = make_aspect_study(assign=False)
        with pytest.raises(Locked, match="The collection has aspects of queries, so its scheme"):
            write(study, load_definition("csfcube"))

    def test_first_rating_fixes_everything_but_the_wording(self, db):
        study = make_study()
        study.rate("alice", study.first_pair("alice"), 1)
        with pytest.raises(Locked, match="There are ratings already"):
            write(study, definition_of(study.scheme) | {"overlap": 3})
        with pytest.raises(Locked, match="so the rule is fixed"):
            change_rules(scheme=study.scheme, by=study.lena, rule="majority", overlap=2)

    def test_options_of_another_collection_stay(self, study):
        other = make_study(slug="other", assign=False)
        options = Option.objects.filter(scale__scheme=other.scheme)
        before = list(options.order_by("pk").values_list("pk", "key"))
        write(study, definition_of(study.scheme) | {"title": "Ours"})
        assert before
        assert list(options.order_by("pk").values_list("pk", "key")) == before

    def test_topics_of_another_collection_hold_no_facet(self, study):
        empty = Collection.objects.create(slug="empty", name="Empty")
        scheme = create_scheme(
            collection=empty, definition=load_definition("csfcube"), by=study.lena
        )
        write_scheme(scheme=scheme, definition=load_definition("trec-graded"), by=study.lena)
        assert [facet.key for facet in scheme.facets.all()] == ["relevance"]


class TestWording:
    def edit(self, study, *, note="Clearer.", guidelines="# Ours", **options):
        current = study.scheme.current
        return edit_wording(
            scheme=study.scheme,
            wording=current.wording,
            guidelines=guidelines,
            change_note=note,
            by=study.lena,
            **options,
        )

    def test_an_edit_is_the_next_version_with_its_reason_on_the_trail(self, study):
        versions = [self.edit(study, guidelines=text) for text in ("# Ours", "# Better")]
        event = last("edit scheme")
        assert [version.number for version in versions] == [2, 3]
        assert (versions[1].guidelines, versions[1].change_note) == ("# Better", "Clearer.")
        assert (event.before, event.reason) == ({"version": 2}, "Clearer.")
        assert event.after == {"version": 3, "wording": versions[1].wording_sha256}

    def test_an_edit_that_changes_nothing_makes_no_version(self, study):
        assert self.edit(study, guidelines=study.scheme.current.guidelines).number == 1
        assert not Event.objects.filter(verb="edit scheme").exists()

    def test_an_editor_of_an_earlier_version_overwrites_none(self, study):
        self.edit(study, based_on=1)
        with pytest.raises(Stale) as refused:
            self.edit(study, guidelines="# Theirs", based_on=1)
        assert refused.value.current.guidelines == "# Ours"

    def test_a_wording_that_lacks_a_name_is_refused(self, study):
        wording = study.scheme.current.wording
        wording["facets"]["method"]["name"] = " "
        with pytest.raises(Invalid, match="The facet method needs a name"):
            edit_wording(
                scheme=study.scheme, wording=wording, guidelines="", change_note="", by=study.lena
            )

    def test_aspects_need_a_word_too(self, db):
        study = make_aspect_study(assign=False)
        wording = study.scheme.current.wording
        wording["aspects"]["name"] = ""
        with pytest.raises(Invalid, match="What an aspect is called needs a name"):
            edit_wording(
                scheme=study.scheme, wording=wording, guidelines="", change_note="", by=study.lena
            )


class TestRules:
    def change(self, study, **rules):
        usual = {"overlap": 2, "rule": "any_difference"}
        return change_rules(scheme=study.scheme, by=study.lena, **{**usual, **rules})

    def test_a_change_is_on_the_trail_with_what_was_before(self, study):
        self.change(study, rule=OF_DISTANCES, rule_distance="0.5", overlap=3, hides_ratings=True)
        event = last("change rules")
        assert (event.before["rule"], event.after["rule"]) == ("any_difference", OF_DISTANCES)
        assert (event.before["rule_distance"], event.after["rule_distance"]) == (None, "0.5")
        assert (event.before["overlap"], event.after["overlap"]) == (2, 3)
        assert (event.before["hides_ratings"], event.after["hides_ratings"]) == (False, True)
        assert findings() == []

    def test_the_same_rules_leave_no_event(self, study):
        self.change(study)
        assert not Event.objects.filter(verb="change rules").exists()

    def test_without_a_rule_it_stays_with_its_distance(self, study):
        self.change(study, rule=OF_DISTANCES, rule_distance=2)
        scheme = self.change(study, rule="", overlap=4)
        assert (scheme.rule, scheme.scale_of("").distance, scheme.overlap) == (OF_DISTANCES, 2, 4)

    def test_a_rule_without_distances_takes_them_away(self, study):
        self.change(study, rule=OF_DISTANCES, rule_distance=2)
        self.change(study, rule="majority", rule_distance=2)
        assert Scheme.objects.get().scale_of("").distance is None

    @pytest.mark.parametrize(
        ("rules", "sentence"),
        [
            ({"rule": "loudest"}, "There is no rule 'loudest'; choose one of any_difference, "),
            ({"rule": OF_DISTANCES}, "The rule needs a distance, for example 2."),
            ({"rule": OF_DISTANCES, "rule_distance": "far"}, "The rule needs a distance, for "),
            ({"rule": OF_DISTANCES, "rule_distance": 0}, "The distance must be above 0."),
            ({"rule": OF_DISTANCES, "rule_distance": Decimal(-1)}, "The distance must be above 0."),
            ({"overlap": 0}, "The overlap lies between 1 and 9 annotators."),
            ({"overlap": 10}, "The overlap lies between 1 and 9 annotators."),
        ],
    )
    def test_rules_that_do_not_fit_are_refused_with_a_sentence(self, study, rules, sentence):
        with pytest.raises(Invalid) as refused:
            self.change(study, **rules)
        assert str(refused.value).startswith(sentence)

    def test_an_import_keeps_the_rule_but_not_the_overlap_of_later_batches(self, study):
        Import.objects.create(collection=study.collection, kind="tables", fingerprint="1")
        with pytest.raises(Locked, match="An import is being written"):
            self.change(study, rule="majority")
        assert self.change(study, overlap=9).overlap == 9
