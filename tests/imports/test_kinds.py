"""Which kind of files somebody brings, and what may be set for it."""

from contextlib import contextmanager

import pytest

from annotation.schemes.actions import load_definition
from audit.refusals import Invalid, Refused
from formats.files import Files, open_files
from formats.problems import BadInputError
from formats.reading import UNKNOWN, Part, Recognition
from imports import kinds
from imports.kinds import Kind, all_kinds, recognise
from imports.run import no_progress
from tests.factories.studies import make_study

RELEASE = "test-pid2pool-csfcube.json"
ASPECTS = '{"Query": [], "aspect2id": {}, "Annotation": []}'
RUN = "q1 Q0 d1 1 0.9 bm25\n"


@pytest.fixture
def files(tmp_path):
    @contextmanager
    def written(contents):
        for name, content in contents.items():
            (tmp_path / name).write_text(content)
        with open_files([tmp_path]) as opened:
            yield opened

    return written


def formats_of(opened):
    return [recognition.format for recognition in recognise(opened)]


def parts_of(kind, opened):
    recognition = all_kinds()[kind].recognise(opened)
    return {part.file: part.key for part in recognition.parts}


class TestRecognition:
    def test_a_release_of_csfcube_is_known_by_its_names(self, files):
        with files({RELEASE: "{}", "notes.txt": "ours"}) as opened:
            assert formats_of(opened)[0] == "csfcube"
            assert parts_of("csfcube", opened) == {RELEASE: "data", "notes.txt": ""}

    def test_doris_mae_is_known_by_the_keys_with_which_the_file_begins(self, files):
        with files({"ours.json": ASPECTS}) as opened:
            assert formats_of(opened)[0] == "doris-mae"

    @pytest.mark.parametrize(
        "contents",
        [
            {"ours.txt": ASPECTS},
            {"ours.json": '{"language": "en", "Query": []}'},
            {"ours.json": f"[{ASPECTS}]"},
            {"one.json": ASPECTS, "two.json": ASPECTS},
        ],
        ids=["no JSON by its name", "the key later on", "a list", "two of them"],
    )
    def test_other_files_are_not_taken_for_doris_mae(self, files, contents):
        with files(contents) as opened:
            assert all_kinds()["doris-mae"].recognise(opened) is None

    def test_files_beside_doris_maes_are_left_alone(self, files):
        with files({"ours.json": ASPECTS, "bm25.run": RUN}) as opened:
            assert parts_of("doris-mae", opened) == {"ours.json": "data", "bm25.run": ""}

    def test_the_most_certain_comes_first_and_files_of_nothing_are_of_none(self, files):
        with files({"bm25.run": RUN}) as opened:
            certainties = [recognition.certainty for recognition in recognise(opened)]
            assert certainties == sorted(certainties, reverse=True)
            assert formats_of(opened)[0] == "trec"

    def test_what_needs_a_command_is_recognised_in_no_files(self, files):
        by_command = [kind for kind in all_kinds().values() if kind.is_by_id]
        with files({"bm25.run": RUN, "ours.json": ASPECTS}) as opened:
            assert by_command
            assert [kind.recognise(opened) for kind in by_command] == [None] * len(by_command)


class TestOrder:
    """The most certain first; of two as certain, the one that knows all files of the other and
    more."""

    def order(self, monkeypatch, **known):
        """The order of kinds that know these files, {kind: (certainty, files)}."""

        class Knowing(Kind):
            def __init__(self, key):
                self.key = key

            def recognise(self, files):
                certainty, names = known[self.key]
                return Recognition(self.key, certainty, "", tuple(part(name) for name in names))

            def moving(self, *args):
                """Nothing is read here."""

        def part(name):
            key = {"-": "", "?": UNKNOWN}.get(name[0], "data")
            return Part(name.lstrip("-?"), key, "")

        monkeypatch.setattr(kinds, "all_kinds", lambda: {key: Knowing(key) for key in known})
        return [recognition.format for recognition in recognise(Files(()))]

    def test_certainty_goes_first(self, monkeypatch):
        assert self.order(monkeypatch, a=(1, ["x", "y"]), b=(3, ["x"]), c=(2, ["x"])) == [
            *("b", "c", "a")
        ]

    def test_who_knows_more_of_the_same_files_goes_before(self, monkeypatch):
        assert self.order(monkeypatch, a=(2, ["x"]), b=(2, ["x", "y"])) == ["b", "a"]

    def test_who_knows_other_files_does_not(self, monkeypatch):
        assert self.order(monkeypatch, a=(2, ["x"]), b=(2, ["y", "z"])) == ["a", "b"]
        assert self.order(monkeypatch, a=(2, ["x"]), b=(2, ["x"])) == ["a", "b"]

    def test_files_left_alone_or_not_recognised_are_not_known(self, monkeypatch):
        assert self.order(monkeypatch, a=(2, ["x"]), b=(2, ["x", "-y", "?z"])) == ["a", "b"]
        assert self.order(monkeypatch, a=(2, ["x", "-y"]), b=(2, ["x", "y"])) == ["b", "a"]


class TestReading:
    """Files become a study by the kind that was chosen for them."""

    def moving(self, kind, opened, collection=None, **settings):
        return all_kinds()[kind].moving(opened, collection, None, settings, no_progress)

    def test_files_of_another_format_are_refused_with_those_that_they_may_be(self, db, files):
        study = make_study(assign=False)
        with files({"bm25.run": RUN}) as opened, pytest.raises(BadInputError) as refused:
            self.moving("birco", opened, study.collection)
        [problem] = refused.value.problems
        assert (problem.file, problem.message) == (
            "bm25.run",
            "nothing of the format birco was recognised.",
        )
        assert problem.remedy == "Formats that these files may be: trec."

    def test_no_files_at_all_are_told_what_the_format_reads(self, db, files):
        study = make_study(assign=False)
        with files({}) as opened, pytest.raises(BadInputError) as refused:
            self.moving("birco", opened, study.collection)
        [problem] = refused.value.problems
        assert problem.file == "the files"
        assert problem.remedy == f"It is {all_kinds()['birco'].reads}."

    def test_the_file_of_doris_mae_is_found_among_others(self, files, monkeypatch):
        monkeypatch.setattr(kinds, "read_doris_mae", lambda path, base, *_, **settings: base)
        with files({"a.json": "{}", "ours.json": ASPECTS}) as opened:
            assert self.moving("doris-mae", opened) == "ours.json"

    def test_a_file_alone_is_read_as_doris_mae_whatever_it_begins_with(self, files, monkeypatch):
        monkeypatch.setattr(kinds, "read_doris_mae", lambda path, base, *_, **settings: base)
        with files({"a.json": "{}"}) as opened:
            assert self.moving("doris-mae", opened) == "a.json"

    @pytest.mark.parametrize("contents", [{}, {"a.json": ASPECTS, "b.json": ASPECTS}])
    def test_none_or_two_of_doris_mae_are_refused(self, files, contents):
        with files(contents) as opened, pytest.raises(Refused) as refused:
            self.moving("doris-mae", opened)
        assert str(refused.value) == f"A DORIS-MAE import is one file; here are {len(contents)}."


class TestSettings:
    def test_a_kind_tells_which_are_yes_or_no(self):
        assert all_kinds()["csfcube"].settings == {"with_ratings": True}
        assert all_kinds()["doris-mae"].settings == {"model": False, "run": False}

    def test_those_of_the_kind_are_taken(self):
        all_kinds()["doris-mae"].check_settings(["run", "model"])

    def test_another_is_refused_with_those_there_are(self):
        with pytest.raises(Invalid) as refused:
            all_kinds()["doris-mae"].check_settings(["model", "modle"])
        assert str(refused.value) == "doris-mae has no setting modle; it has model, run."

    def test_a_kind_without_settings_says_so(self):
        with pytest.raises(Invalid, match="birco has no setting x; it has none"):
            all_kinds()["birco"].check_settings(["x"])


class TestUpload:
    def test_a_file_that_is_read_whole_must_not_be_larger_than_the_server_can_bear(
        self, files, monkeypatch
    ):
        monkeypatch.setattr(kinds, "MAX_WHOLE_BYTES", 2**20)
        large = "x" * (2**20 + 1)
        with files({RELEASE: large, "abstracts-csfcube-preds.jsonl": large}) as opened:
            with pytest.raises(BadInputError) as refused:
                all_kinds()["csfcube"].check_upload(opened)
            [problem] = refused.value.problems
        assert problem.file == RELEASE
        assert problem.message == "the file is larger than 1 MB."
        assert "python manage.py import csfcube" in problem.remedy

    def test_a_file_of_that_size_passes(self, files, monkeypatch):
        monkeypatch.setattr(kinds, "MAX_WHOLE_BYTES", 2**20)
        with files({RELEASE: "x" * 2**20}) as opened:
            all_kinds()["csfcube"].check_upload(opened)


def test_every_scheme_that_a_kind_names_is_shipped():
    named = {kind.scheme for kind in all_kinds().values()} - {""}
    assert {load_definition(key)["key"] for key in named} == named
