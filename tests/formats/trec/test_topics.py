"""Topics of thirty years: XML, SGML without closing tags, lines of id and text."""

import pytest

from formats.files import open_files
from formats.strict import BadTextError
from formats.trec.topics import looks_like_lines, read_topics

SGML = """<top>
<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations
that take part.

<narr> Narrative:
A relevant document must &amp; should say so.
</top>
<top>
<num> Number: 0302
<title> Topic: Polio
<dom> Domain: Medicine
</top>
"""
TOPIC = "<topic><num>1</num><title>a</title></topic>"
XML = """<?xml version="1.0"?>
<topics task="COVIDTrack">
  <topic number="1">
    <query>coronavirus origin</query>
    <question>what is the origin?</question>
    <narrative>seeking a range of information</narrative>
  </topic>
  <topic number='02'><title>Masks &lt;cloth&gt;</title><empty/></topic>
</topics>
"""


@pytest.fixture
def topics(tmp_path):
    def read(text, name="topics.txt"):
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        with open_files([tmp_path / name]) as files:
            return list(read_topics(files.all[0]))

    return read


def test_sgml_without_closing_tags(topics):
    first, second = topics(SGML)

    assert (first.id, first.title) == ("301", "International Organized Crime")
    assert first.description == "Identify organizations that take part."
    assert first.narrative == "A relevant document must & should say so."
    assert (second.id, second.title, second.others) == ("0302", "Polio", {"dom": "Medicine"})
    assert second.place.line == 12


def test_texts_of_a_tag_that_comes_again_are_joined(topics):
    [topic] = topics("<top><num>1<num>2<title>a<dom>b<query>c<dom>d<number>3</top>")

    assert (topic.id, topic.title, topic.others) == ("1", "a c", {"dom": "b d"})


def test_only_the_first_word_of_a_tag_is_its_heading(topics):
    [topic] = topics("<top><num>1</num><title>How to write a title: a guide</title></top>")

    assert topic.title == "How to write a title: a guide"


def test_xml_with_attributes(topics):
    first, second = topics(XML)

    assert (first.id, first.title, first.description, first.narrative) == (
        "1", "coronavirus origin", "what is the origin?", "seeking a range of information",
    )  # fmt: skip
    assert (second.id, second.title) == ("02", "Masks <cloth>")


def test_lines_of_id_and_text_are_not_taken_for_csv(topics):
    first, second = topics('007\t"what is" so\n1e5\tNA\n', name="topics.tsv")

    assert [(topic.id, topic.title) for topic in (first, second)] == [
        ("007", '"what is" so'),
        ("1e5", "NA"),
    ]


def test_table_with_a_header_is_none_of_these(tmp_path):
    (tmp_path / "queries.tsv").write_text("id\ttext\n1\tWhat?\n")

    with open_files([tmp_path / "queries.tsv"]) as files:
        assert not looks_like_lines(files.all[0])


def test_lines_of_a_long_file_in_any_script_are_topics(tmp_path):
    # A letter has three bytes, so that the first bytes end inside of a line, at its id.
    lines = "".join(f"查询编号{number:07}\t什么\n" for number in range(200))
    (tmp_path / "topics.tsv").write_text(lines, encoding="utf-8")

    with open_files([tmp_path / "topics.tsv"]) as files:
        (file,) = files
        assert looks_like_lines(file)
        assert len(list(read_topics(file))) == 200


@pytest.mark.parametrize("first", ["", "query\tdocument\n"])
def test_lines_whose_ids_come_again_are_a_pool(tmp_path, first):
    (tmp_path / "pool.txt").write_text(f"{first}q1\td1\nq1\td2\nq2\td1\nq2\td3\n")

    with open_files([tmp_path / "pool.txt"]) as files:
        assert not looks_like_lines(files.all[0])


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('<!DOCTYPE t [\n<!ENTITY a "b">]><top><num>1<title>&a;</top>', "line 1", "entities"),
        ('<topics>\n<!ENTITY a "b">\n<top></top></topics>', "line 2", "entities"),
        ("<top>\n<title> A\n</top>", "line 1", "without number"),
        ("\n<top>\n<num> 1\n</top>", "line 2", "asks for nothing"),
        ("<top>\n<num> 1\n<title> A", "line 1", "not closed"),
        (b"<top>\n<num> 1\n<title> \xff</top>", "line 3, byte 9", "UTF-8"),
    ],
)
def test_what_is_wrong_is_reported_with_its_line(topics, text, place, message):
    with pytest.raises(BadTextError) as caught:
        topics(text)

    assert caught.value.place == place
    assert message in caught.value.message


LONG = "a" * 500_000


@pytest.mark.parametrize(
    "long_part",
    [
        *("<" + LONG, "<!DOCTYPE" * 100_000, f'<topic id="2" {LONG} title="b"></topic>'),
        f"<topic><num>2</num><title>a{' ' * 500_000}b</title></topic>",
    ],
)
def test_what_is_no_tag_or_attribute_is_passed_in_one_go(topics, long_part):
    # Each letter was once the beginning of another attempt: these took hours.
    first, *_, last = topics(f"{TOPIC}\n{long_part}\n{TOPIC}")

    assert (first.id, last.id) == ("1", "1")


@pytest.mark.parametrize(
    ("name", "text", "is_one"),
    [
        ("topics.txt", "1\tWhat?\n2\tWho?\n", True),
        ("topics.tab", "1\tWhat?\n", True),
        ("topics.TSV", "\ufeff1\tWhat?\r\n\r\n2\tWho?\r\n", True),
        ("topics.csv", "1\tWhat?\n", False),
        ("topics.txt", "1\tWhat?\n2\tWho?\tNot so\n", False),
        ("topics.txt", "1\tWhat?\n2 Who?\n", False),
        ("topics.txt", "\tWhat?\n", False),
        ("topics.txt", "a b\tWhat?\n", False),
        ("topics.txt", "", False),
        ("topics.tsv", "Query_ID\tText\n1\tWhat?\n", False),
        # One of them alone may be asked.
        ("topics.tsv", "id\tWhat is an id?\n2\tWho?\n", True),
    ],
)
def test_lines_are_an_id_without_space_a_tab_and_a_text(tmp_path, name, text, is_one):
    (tmp_path / name).write_bytes(text.encode())

    with open_files([tmp_path / name]) as files:
        assert looks_like_lines(files.all[0]) is is_one


@pytest.mark.parametrize(("distinct", "is_pool"), [(3, True), (4, False)])
def test_ids_of_which_a_quarter_comes_again_are_those_of_a_pool(tmp_path, distinct, is_pool):
    ids = [f"q{number % distinct}" for number in range(4)]
    (tmp_path / "a.tsv").write_text("".join(f"{name}\td{n}\n" for n, name in enumerate(ids)))

    with open_files([tmp_path / "a.tsv"]) as files:
        assert looks_like_lines(files.all[0]) is not is_pool


def test_a_few_ids_that_come_again_are_a_slip_and_no_pool(tmp_path):
    ids = [*range(9), 0]
    (tmp_path / "a.tsv").write_text("".join(f"{name}\tWhat?\n" for name in ids))

    with open_files([tmp_path / "a.tsv"]) as files:
        assert looks_like_lines(files.all[0])


def test_a_line_without_a_tab_is_refused_with_its_number(topics):
    with pytest.raises(BadTextError, match="there is no tab") as caught:
        topics("1\tWhat?\n\n2 Who?\n", name="topics.tsv")

    assert (caught.value.place, caught.value.remedy) == (
        "line 3",
        "A line is an id, a tab, a text.",
    )


def test_a_text_of_a_line_may_have_tabs_and_no_words(topics):
    read = topics("1\tWhat?\tSo.\n 2 \t Who? \r\n3\t\n", name="topics.tsv")

    assert [(topic.id, topic.title) for topic in read] == [
        ("1", "What?\tSo."), ("2", "Who?"), ("3", ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("<TOP><NUM>1<TITLE>A</TOP>", ("1", "A", "", "")),
        ("<top><num> Number: 1 <desc> Description: B</top>", ("1", "", "B", "")),
        ('<topic id="x" number="1" lang=en><title>A</title></topic>', ("x", "A", "", "")),
        ("<topic number='1'><query>A</query><narr>N</narr></topic>", ("1", "A", "", "N")),
        ("<top><num>1<title>1 &lt; 2 &#65;</top>", ("1", "1 < 2 A", "", "")),
        ("<top><num>1<title>a\n  b\tc</top>", ("1", "a b c", "", "")),
        ("<top>\n<num>1</num>\nlost words\n<title>A</title></top>", ("1", "A", "", "")),
    ],
)
def test_parts_of_a_topic_as_thirty_years_wrote_them(topics, text, parts):
    [topic] = topics(text)

    assert (topic.id, topic.title, topic.description, topic.narrative) == parts


def test_topics_beyond_all_measure_are_refused(topics, monkeypatch):
    monkeypatch.setattr("formats.trec.topics.MAX_BYTES", 100)

    with pytest.raises(BadTextError, match=r"a file of 101 bytes\.") as caught:
        topics(f"<top><num>1<title>{'a' * 77}</top>")
    assert topics(f"<top><num>1<title>{'a' * 76}</top>")
    assert caught.value.remedy == "Topics are small: is this one?"
