"""Writing a scheme in the browser: what the form holds, what is refused, and what is kept."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from lxml import html
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from accounts.models import User
from annotation.models import Scheme
from annotation.rating.components import suggest
from annotation.schemes.actions import load_definition, shipped_schemes
from annotation.schemes.builder import Builder
from annotation.schemes.draft import Draft
from annotation.schemes.draft_form import (
    draft_of,
    focus_after,
    open_after,
    press,
    suggestions_of,
)
from annotation.schemes.draft_parts import DraftFacet, DraftOption, DraftScale
from annotation.schemes.files import definition_of, read_definition
from audit.models import Event
from audit.refusals import Invalid
from config.integrity import findings
from datasets.models import Membership
from formats.records import PLAIN_FACET
from tests.factories.studies import make_collection, make_member, make_study

EVERY_SCHEME = pytest.mark.parametrize("key", shipped_schemes())


def fields_of(page):
    """What a browser sends of the builder's form, as it stands on the page."""
    [form] = html.fromstring(page).xpath("//form[@id='builder']")
    sent = {name: value for name, value in form.form_values() if name != "csrfmiddlewaretoken"}
    # Browsers drop the line break that begins a text area.
    return sent | {area.name: area.value.removeprefix("\n") for area in form.xpath(".//textarea")}


# --- drafts ---


@pytest.mark.parametrize(
    ("button", "expected"),
    [
        ("save", 1),
        ("add-facet", 2),
        ("facet-1-up", 0),
        ("facet-1-down", 2),
        ("facet-2-down", 2),
        ("facet-1-remove", 1),
        ("facet-0-show", 0),
        ("scale-1-option-0-up", 1),
    ],
)
def test_the_facet_that_somebody_writes_stays_open(button, expected):
    draft = Draft.of_definition(load_definition("csfcube"))

    assert open_after({"open_facet": "1"}, button, draft) == expected


@pytest.mark.parametrize(
    ("button", "expected"),
    [
        ("scale-0-add", "scale-0-option-3-name"),
        ("scale-0-add_import", "scale-0-option-3-value"),
        ("scale-0-option-2-up", "scale-0-option-1-up"),
        ("scale-0-option-1-up", "scale-0-option-0-down"),
        ("scale-0-option-1-down", "scale-0-option-2-up"),
        ("scale-0-option-1-remove", "scale-0-option-1-remove"),
        ("scale-0-option-2-remove", "scale-0-option-1-remove"),
        ("facet-0-down", "facet-1-up"),
        ("facet-1-remove", "facet-0-name"),
        ("add-facet", "facet-2-name"),
        ("own", ""),
        ("scale-7-add", ""),
    ],
)
def test_a_keyboard_goes_on_from_the_row_that_a_button_changed(button, expected):
    draft = litsearch()

    press(draft, button)

    assert focus_after(button, draft) == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["0", "1", "2"], "3"),
        (["-1", "0"], "1"),
        (["1"], "2"),
        (["0", "2"], ""),
        (["1", "0"], ""),
        (["0", ""], ""),
        ([], ""),
    ],
)
def test_a_grade_that_is_added_goes_on_counting(values, expected):
    options = [DraftOption(value=value) for value in values]
    import_only = DraftOption(value="9", is_import_only=True)

    assert DraftScale(options=[*options, import_only]).next_value() == expected


def test_a_keyboard_goes_on_to_a_button_when_the_last_row_is_gone():
    draft = litsearch()
    for _ in range(3):
        press(draft, "scale-0-option-0-remove")

    assert focus_after("scale-0-option-0-remove", draft) == "scale-0-add"


def test_the_preview_shows_the_facet_in_hand_first():
    shared = Draft.of_definition(load_definition("csfcube"))

    assert [preview["title"] for preview in Builder(shared, open_facet=2).previews] == ["Result"]
    previews = Builder(litsearch(), open_facet=1).previews
    assert [preview["title"] for preview in previews] == ["Specificity", "Quality"]


@pytest.mark.parametrize("open_facet", ["", "x", "-1", "9" * 5000])
def test_an_unknown_facet_is_not_opened(open_facet):
    draft = litsearch()

    assert open_after({"open_facet": open_facet}, "save", draft) in (0, 1)


def test_the_facet_with_a_problem_is_marked_and_opened():
    draft = litsearch()
    draft.scales[1].options[0].shortcut = "n"

    builder = Builder(draft, draft.problems(), open_facet=0)

    assert [facet["problems"] for facet in builder.facets] == [0, 1]
    assert builder.open_facet == 1
    assert [facet["span"] for facet in builder.facets] == ["0 to 2", "0 to 1"]


@EVERY_SCHEME
def test_a_draft_gives_back_the_definition_it_was_made_of(key):
    definition = load_definition(key)

    draft = Draft.of_definition(definition)

    assert draft.problems() == []
    again = draft.definition()
    assert Draft.of_definition(again) == draft
    for name in ("title", "rule", "overlap", "causes", "cannot_judge_reasons", "guidelines"):
        assert again[name] == definition[name]


@EVERY_SCHEME
def test_a_file_is_read_as_it_was_written(key):
    definition = Draft.of_definition(load_definition(key)).definition()

    assert read_definition(json.dumps(definition).encode()) == definition


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff\xfe", "The file: line 1, byte 1: byte 0xff is not UTF-8. Save the file as UTF-8."),
        (b"{", "The file: line 1, column 2: broken JSON: "),
        (b'{"overlap": 2,\n"overlap": 3}', "the key 'overlap' occurs twice"),
        (b'{"overlap": NaN}', "NaN"),
        (b"[]", "not an object"),
        (b"[" * 100_000, "nested too deeply"),
        (b"{}", "no grades"),
        (b'{"facets": [{"scale": {}}, {"key": "tone"}]}', "has no grades: give `options` for all"),
        (b'{"options": 3}', "options is not a list"),
        (b'{"options": [3]}', r"options\[0\] is not an object"),
        (b'{"overlaps": 3}', "it has 'overlaps'; it may have key, title, .*, overlap, "),
        (b'{"rule": {"key": "majority"}}', "rule has 'key'; it may have name, distance"),
        (b'{"options": [{"label": "No"}]}', r"options\[0\] has 'label'; it may have key, value"),
        (b'{"facets": [{"scale": {"ordered": 0}}]}', r"facets\[0\].scale has 'ordered'"),
        (b'{"hides_ratings": "true"}', "hides_ratings is neither true nor false"),
        (b'{"options": [{"key": []}]}', r"options\[0\].key is not a text"),
        (b'{"options": [], "order": "backwards"}', "ordinal"),
        (b'{"options": [], "rule": {"distance": "far"}}', "rule.distance is no number such as 2"),
        (b'{"options": [], "distance": "far"}', ": distance is no number such as 2"),
        (b'{"options": [], "rule": {"distance": "nan"}}', "rule.distance is no number"),
        (b'{"options": [], "rule": {"distance": "1e999999"}}', "rule.distance is no number"),
        (b'{"options": [], "rule": {"distance": "1e1000000"}}', "rule.distance is no number"),
        (b'{"options": [], "rule": {"distance": "0.0001"}}', "with at most three decimals"),
        (b'{"options": [], "aspects": 3}', "aspects is not an object in braces"),
        (b'{"options": [], "definitions": []}', "definitions is not an object in braces"),
        (b'{"causes": [' + b"3," * 100 + b"3]}", "causes is not a list of at most 100"),
        (b'{"causes": [' + b"3," * 99 + b"3]}", r"causes\[0\] is not an object"),
        (b'{"options": [], "title": "A\\u0000"}', "NUL"),
        (b'{"options": [], "causes": [{"key": "k", "name": "\\ud800"}]}', "half"),
        (b'{"options": [], "title": "A"}', "at least 2 options"),
    ],
)
def test_a_file_that_is_no_scheme_is_refused_with_its_place(data, message):
    with pytest.raises(Invalid, match=message):
        read_definition(data)


def litsearch():
    return Draft.of_definition(load_definition("litsearch"))


@pytest.mark.parametrize(
    ("shortcut", "message"),
    [
        ("n", "opens the note"),
        ("?", "shows the list of keys"),
        ("7", "A digit is the key of its own value"),
        ("", "one small letter"),
        ("é", "one small letter"),
        ("1", "Acceptable has the key"),
    ],
)
def test_a_key_that_is_taken_says_whose_it_is(shortcut, message):
    draft = litsearch()
    draft.scales[0].options[2].shortcut = shortcut

    [problem] = draft.problems()

    assert problem.field == "scale-0-option-2-shortcut"
    assert problem.place == "Quality, Good"
    assert message in problem.sentence


def test_a_key_that_is_left_empty_is_the_value_else_a_letter_of_the_name():
    scale = DraftScale(
        options=[
            DraftOption(value="0", name="Useless", shortcut="0"),
            DraftOption(value="5", name="Perfect"),
            DraftOption(value="-1", name="Harmful"),
            DraftOption(value="5", name="As perfect"),
            DraftOption(value="10", name="\u5b8c\u7f8e"),
            DraftOption(value="2", name="Old", is_import_only=True),
            DraftOption(),
        ]
    )

    scale.give_missing_keys()

    # "h" marks other facets, so that "Harmful" has its second letter.
    assert [option.shortcut for option in scale.options] == ["0", "5", "a", "p", "b", "", ""]


def test_the_definition_of_a_grade_without_a_name_is_called_by_its_place():
    draft = Draft.of_definition(load_definition("csfcube"))
    draft.scales[0].options[1:3] = [DraftOption(), DraftOption(value="2")]

    labels = [label for label, _ in Builder(draft).facets[0]["definitions"]]

    assert labels == ["0 · Irrelevant", "Option 2", "2 · Option 3", "3 · Near-identical"]


def test_facets_that_are_alike_each_have_their_problems():
    draft = Draft.of_definition(load_definition("csfcube"))
    draft.facets += [DraftFacet(definitions=[""] * 4), DraftFacet(definitions=[""] * 4)]

    problems = [problem for problem in draft.problems() if problem.field.endswith("-definition-0")]

    assert [(problem.field, problem.place) for problem in problems] == [
        ("facet-3-definition-0", "Facet 4, Irrelevant"),
        ("facet-4-definition-0", "Facet 5, Irrelevant"),
    ]


def test_an_option_without_a_name_is_told_that_alone():
    draft = litsearch()
    draft.scales[0].options[2].name = draft.scales[0].options[2].key = ""

    problems = [str(problem) for problem in draft.problems() if "-name" in problem.field]

    assert problems == ["Quality, Option 3: Name it, in at most 60 characters."]


def test_two_facets_may_use_the_same_key_and_two_options_share_a_value():
    draft = litsearch()
    draft.scales[0].options[2].value = "1"
    draft.scales[0].options[2].shortcut = "b"
    draft.scales[1].options[0].shortcut = "b"

    assert draft.problems() == []


def test_grades_without_an_order_refuse_the_rule_of_distances():
    draft = litsearch()
    draft.rule = "difference_of_at_least"
    draft.scales[0].distance, draft.scales[1].is_ordinal = "1", False

    assert [problem.field for problem in draft.problems()] == ["rule"]


def test_a_value_may_be_typed_with_the_minus_of_typesetting():
    draft = litsearch()
    draft.scales[0].options[0].value = "\u22122"
    draft.scales[0].options[0].shortcut = "z"

    assert draft.problems() == []


def test_moving_a_grade_takes_its_definitions_along():
    draft = Draft.of_definition(load_definition("csfcube"))
    before = {facet.key: list(facet.definitions) for facet in draft.facets}

    press(draft, "scale-0-option-0-down")

    assert [option.key for option in draft.scales[0].options[:2]] == ["related", "irrelevant"]
    for facet in draft.facets:
        assert facet.definitions == [before[facet.key][n] for n in (1, 0, 2, 3)]


def test_a_shared_scale_is_copied_for_each_facet_and_one_is_shared_again():
    draft = Draft.of_definition(load_definition("csfcube"))

    press(draft, "own")
    draft.scales[1].options[0].name = "Nothing"

    assert len(draft.scales) == 3
    assert draft.scales[0].options[0].name == "Irrelevant"
    press(draft, "scale-1-share")
    assert [scale.options[0].name for scale in draft.scales] == ["Nothing"]


@pytest.mark.parametrize("button", ["facet-9-remove", "scale-7-add", "nonsense", "facet-0-up"])
def test_a_button_that_has_nothing_to_do_changes_nothing(button):
    draft = litsearch()

    press(draft, button)

    assert draft == litsearch()


def test_keys_follow_from_names_in_any_script():
    fields = {
        "facets": "2",
        "scales": "1",
        "facet-0-name": "Close call",
        "facet-1-name": "Качество",
        "scale-0-options": "2",
        "scale-0-option-0-name": "Низко",
        "scale-0-option-1-name": "High up",
    }

    draft = draft_of(fields, {})

    assert [facet.key for facet in draft.facets] == ["close-call", "facet-2"]
    assert [option.key for option in draft.scales[0].options] == ["option-1", "high-up"]


def test_the_key_of_a_facet_that_was_plain_relevance_follows_from_its_name():
    fields = {"facets": "1", "facet-0-name": "Relevance", "facet-0-key": PLAIN_FACET}

    draft = draft_of(fields, {})

    assert [facet.key for facet in draft.facets] == ["relevance-1"]


# --- the page ---


@pytest.fixture
def page(client, db):
    """The builder of a new collection that Lena leads, and its address."""
    collection = make_collection("new", load_definition("csfcube"))
    client.force_login(make_member(collection, "Lena", "lead").user)
    return reverse("annotation:write-scheme", args=["new"])


def test_each_rule_can_be_read_whole_where_it_is_chosen(client, page):
    response = client.get(page)

    for key, sentence in response.context["builder"].rules:
        checked = " checked" if key == "any_difference" else ""
        radio = f'<input type="radio" name="rule" value="{key}"{checked}>'
        assertContains(response, f"<label>{radio} {sentence}</label>", html=True)


def test_a_scheme_of_two_scales_is_written_from_the_shipped_one(client, page):
    sent = fields_of(client.get(page, {"start": "shipped:litsearch"}).content)
    sent |= {"title": "Questions", "facet-1-name": "Narrowness", "facet-1-key": "narrowness"}

    assertRedirects(client.post(page, sent | {"do": "save"}), "/collections/new/scheme/")

    scheme = Scheme.objects.get()
    assert (scheme.title, scheme.shares_a_scale) == ("Questions", False)
    assert [scale.facet for scale in scheme.all_scales] == ["quality", "narrowness"]
    assert scheme.current.number == 2
    assert Event.objects.filter(verb="write scheme").count() == 1
    assert findings() == []


def test_what_the_page_shows_is_saved_as_it_is(client, page):
    before = definition_of(Scheme.objects.get())

    client.post(page, fields_of(client.get(page).content) | {"do": "save"})

    assert Scheme.objects.get().current.number == 1
    assert definition_of(Scheme.objects.get()) == before


def test_every_shipped_scheme_can_be_taken_and_saved(client, page):
    for key in shipped_schemes():
        sent = fields_of(client.get(page, {"start": f"shipped:{key}"}).content)

        assert client.post(page, sent | {"do": "save"}).status_code == 302, key
        assert Scheme.objects.get().title == load_definition(key)["title"]
    assert findings() == []


def test_a_mistake_is_named_at_its_field_and_nothing_is_saved(client, page):
    sent = fields_of(client.get(page).content) | {"scale-0-option-0-shortcut": "n", "do": "save"}

    response = client.post(page, sent)

    assertContains(response, "opens the note", status_code=422)
    assertContains(response, 'href="#scale-0-option-0-shortcut"', status_code=422)
    assert fields_of(response.content)["scale-0-option-0-shortcut"] == "n"
    assert Scheme.objects.get().current.number == 1


@pytest.mark.parametrize("overlap", ["", "0", "10", "two", "9" * 5000])
def test_an_overlap_that_no_pair_can_have_is_refused(overlap):
    draft = Draft(title="A scheme", overlap=overlap)

    problems = {problem.field: problem.sentence for problem in draft.problems()}

    assert problems["overlap"] == "Give a number from 1 to 9."


def test_a_grade_without_a_key_is_shown_and_saved_with_one(client, page):
    sent = fields_of(client.get(page).content) | {"scale-0-option-3-shortcut": ""}

    preview = client.post(page, sent | {"do": "preview"}, headers={"HX-Request": "true"})
    client.post(page, sent | {"do": "save"})

    assertNotContains(preview, "The key is one small letter")
    shortcuts = [row["shortcut"] for row in definition_of(Scheme.objects.get())["options"]]
    assert shortcuts == ["0", "1", "2", "3"]


def test_a_button_changes_the_form_and_saves_nothing(client, page):
    sent = fields_of(client.get(page).content) | {"title": "Mine", "do": "add-facet"}

    response = client.post(page, sent, headers={"HX-Request": "true"})

    shown = fields_of(response.content)
    assert (shown["facets"], shown["title"]) == ("4", "Mine")
    assert Scheme.objects.get().facets.count() == 3


def test_the_preview_shows_the_grades_as_typed(client, page):
    sent = fields_of(client.get(page).content) | {"scale-0-option-3-name": "Twins"}

    response = client.post(page, sent | {"do": "preview"}, headers={"HX-Request": "true"})

    assertContains(response, 'data-name="Twins"')


def test_a_scheme_that_somebody_else_saved_meanwhile_stays(client, page):
    sent = fields_of(client.get(page).content) | {"title": "Mine", "do": "save"}
    client.post(page, sent | {"title": "Theirs"})

    response = client.post(page, sent)

    assertContains(response, "Version 2 was saved meanwhile", status_code=409)
    assert Scheme.objects.get().title == "Theirs"


def test_a_file_is_taken_into_the_form(client, page):
    definition = json.dumps(load_definition("litsearch")).encode()

    response = client.post(
        page, {"do": "file", "file": SimpleUploadedFile("mine.json", definition)}
    )

    assertContains(response, "Started from <b>mine.json</b>")
    assert fields_of(response.content)["facet-1-key"] == "specificity"
    refused = client.post(page, {"do": "file", "file": SimpleUploadedFile("x.json", b"{")})
    assertContains(refused, "x.json: line 1, column", status_code=422)


def test_a_labelling_interface_that_is_pasted_is_taken_into_the_form(client, page):
    pasted = '<View><Rating name="method" toName="a"/><TextArea name="why" toName="a"/></View>'

    response = client.post(page, {"do": "file", "pasted": pasted})

    assertContains(response, "Started from <b>pasted text</b>")
    assertContains(response, "TextArea “why” is left out: it is free text")
    assert fields_of(response.content)["facet-0-key"] == "method"
    nothing = client.post(page, {"do": "file"})
    assertContains(nothing, "Choose a file first, or paste its text.", status_code=422)


def test_another_collection_of_ones_own_is_a_start_and_no_other_is(client, page):
    lena = User.objects.get(name="Lena")
    hers = make_collection("hers", load_definition("litsearch") | {"title": "Hers"})
    Membership.objects.create(collection=hers, user=lena, name="Lena", is_lead=True)
    make_collection("theirs", load_definition("binary") | {"title": "Theirs"})

    started = client.get(page, {"start": "collection:hers"})
    assertContains(started, 'value="Hers"')
    assert started.context["others"] == [hers]
    assert 'value="Theirs"' not in client.get(page, {"start": "collection:theirs"}).text


def test_the_download_is_what_the_builder_takes(client, page):
    response = client.get(reverse("annotation:scheme-file", args=["new"]))

    assert response["Content-Disposition"] == 'attachment; filename="new-scheme.json"'
    definition = read_definition(response.content)
    assert definition["title"] == load_definition("csfcube")["title"]


def test_after_the_first_rating_the_builder_is_closed(client, db):
    study = make_study()
    client.force_login(study.lena)
    page = reverse("annotation:write-scheme", args=["study"])
    sent = fields_of(client.get(page).content) | {"title": "Mine", "do": "save"}
    study.rate("alice", study.batch.pairs.first(), 1)

    assertRedirects(client.get(page), "/collections/study/scheme/edit/")
    assert client.post(page, sent).status_code == 423
    assert Scheme.objects.get().title != "Mine"


def test_facets_that_topics_stand_under_stay(client, db):
    study = make_study(facets=("method",))
    client.force_login(study.lena)
    page = reverse("annotation:write-scheme", args=["study"])
    sent = fields_of(client.get(page, {"start": "shipped:litsearch"}).content) | {"do": "save"}

    response = client.post(page, sent)

    assertContains(response, "1 topic of the collection stand", status_code=423)
    assert Scheme.objects.get().facets.count() == 3


def test_a_grade_that_gets_another_name_gets_another_key_in_files(client, db):
    collection = make_collection("new", load_definition("trec-graded"))
    client.force_login(make_member(collection, "Lena", "lead").user)
    page = reverse("annotation:write-scheme", args=["new"])
    sent = fields_of(client.get(page).content)
    sent |= {"scale-0-option-0-name": "Contradicts", "do": "save"}

    assert client.post(page, sent).status_code == 302

    keys = Scheme.objects.get().options.order_by("position").values_list("key", flat=True)
    assert list(keys) == ["contradicts", "related", "relevant", "perfect"]


def test_suggestions_follow_a_grade_that_gets_another_name(client, db):
    collection = make_collection("new", load_definition("doris-mae"))
    client.force_login(make_member(collection, "Lena", "lead").user)
    page = reverse("annotation:write-scheme", args=["new"])
    sent = fields_of(client.get(page).content)
    [concur] = [name for name, value in sent.items() if value == "Concur" and "-named" not in name]

    client.post(page, sent | {concur: "Fits", "do": "save"})

    suggestions = Scheme.objects.get().current.words.key_components.suggestions
    assert [row["option"] for row in suggestions] == ["fits", "agree", "dispute", "disagree"]


@pytest.mark.parametrize("above", ["1" * 5000, "1/" + "9" * 5000, "1/0", ["1"]])
def test_a_share_that_nobody_can_read_is_left_out_of_suggestions(above):
    rows = [{"option": "concur", "above": above}, {"option": "agree", "at_least": "1/2"}]

    shown = suggestions_of([*rows, {"option": "dispute", "at_least": "0", "above": above}])

    assert suggest([{"met": "met"}], shown) == "agree"
    assert suggest([{"met": "not"}], shown) == "dispute"


def test_annotators_at_work_rate_under_the_new_scheme(client, db):
    study = make_study()
    client.force_login(study.lena)
    page = reverse("annotation:write-scheme", args=["study"])
    seat = study.seat("alice")
    address = reverse("annotation:rate-pair", args=[seat.public_id, 1])
    client.force_login(study.alice)
    assertContains(client.get(address), 'value="similar"')
    client.force_login(study.lena)
    sent = fields_of(client.get(page).content)
    sent |= {"scale-0-option-2-name": "Alike", "scale-0-option-2-key": "alike", "do": "save"}
    assert client.post(page, sent).status_code == 302

    client.force_login(study.alice)

    assertContains(client.get(address), 'value="alike"')
