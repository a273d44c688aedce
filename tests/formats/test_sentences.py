"""Guessing the sentences of a query's text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.sentences import joined, split_sentences, with_links


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("I read one text. I need another one.", ["I read one text.", "I need another one."]),
        ("Is it so? It is! Good… Then go on.", ["Is it so?", "It is!", "Good…", "Then go on."]),
        (
            "Some methods, e.g. BM25, i.e. weights, help. So do others.",
            ["Some methods, e.g. BM25, i.e. weights, help.", "So do others."],
        ),
        ("As Doe et al. Showed it.", ["As Doe et al. Showed it."]),
        ("Viele, z. B. Öfen. Also.", ["Viele, z. B. Öfen.", "Also."]),
        ("C’est cher (p. ex. 3,5 M€). Donc.", ["C’est cher (p. ex. 3,5 M€).", "Donc."]),
        ("See Fig. 3 and Eq. 4. Then stop.", ["See Fig. 3 and Eq. 4.", "Then stop."]),
        ("By Thm. 3.2 and Prop. 4. See.", ["By Thm. 3.2 and Prop. 4.", "See."]),
        ("It has version 3.5 of it. 40 papers do.", ["It has version 3.5 of it.", "40 papers do."]),
        ("I say no. Others say yes, as in no. 5.", ["I say no.", "Others say yes, as in no. 5."]),
        ("J. Smith wrote it. Others read.", ["J. Smith wrote it.", "Others read."]),
        (
            "In Roe v. Wade it held so. See Doe Inc. v. R. v. Smith.",
            [
                "In Roe v. Wade it held so.",
                "See Doe Inc. v. R. v. Smith.",
            ],
        ),
        ("We call a node v. Then we go on.", ["We call a node v.", "Then we go on."]),
        (
            "By Art. 6 para. 2 it applies. He read the para. Then he left.",
            [
                "By Art. 6 para. 2 it applies.",
                "He read the para.",
                "Then he left.",
            ],
        ),
        ("The work of Anna B. Smith is old.", ["The work of Anna B. Smith is old."]),
        ("They lack vitamin C. The rest is fine.", ["They lack vitamin C.", "The rest is fine."]),
        ("All had hepatitis C. 20 were cured.", ["All had hepatitis C.", "20 were cured."]),
        ("I am 45. My knee hurts.", ["I am 45.", "My knee hurts."]),
        ("So do I. You too.", ["So do I.", "You too."]),
        (
            'He said "stop." (It was late.) Then he left.',
            ['He said "stop."', "(It was late.)", "Then he left."],
        ),
        ("A heading\n\nand its text.", ["A heading", "and its text."]),
        ("One line\nwrapped by hand.", ["One line\nwrapped by hand."]),
        ("one. two, in lower case.", ["one. two, in lower case."]),
        ("It is so。", ["It is so。"]),
        ("今日は雨です。明日は？はい！", ["今日は雨です。", "明日は？", "はい！"]),
        ("π\u306f３\uff0e１です\uff0e次。", ["π\u306f３\uff0e１です\uff0e", "次。"]),
        ("本当に？🙂はい！👨\u200d👩次。", ["本当に？🙂", "はい！👨\u200d👩", "次。"]),
        ("「そうか。」と彼は言った。次。", ["「そうか。」と彼は言った。", "次。"]),
        ("他说：“是的。” 然后走了。BM25是3.5。", ["他说：“是的。”", "然后走了。", "BM25是3.5。"]),
        ("यह पहला है। यह दूसरा है। क्या?", ["यह पहला है।", "यह दूसरा है।", "क्या?"]),
        ("جملة أولى. هل هذه؟ نعم", ["جملة أولى.", "هل هذه؟", "نعم"]),
        (
            "Die Revision gem. § 543 Abs. 2 Nr. 1 ZPO ist frei. Vgl. BGH, Urt. v. 3.2.2015, S. 14.",
            [
                "Die Revision gem. § 543 Abs. 2 Nr. 1 ZPO ist frei.",
                "Vgl. BGH, Urt. v. 3.2.2015, S. 14.",
            ],
        ),
        (
            "Am 1. Januar und v. 3. Mai galt Art. 3 Abs. 1 GG. Die 2. Kammer der II. Instanz irrt.",
            [
                "Am 1. Januar und v. 3. Mai galt Art. 3 Abs. 1 GG.",
                "Die 2. Kammer der II. Instanz irrt.",
            ],
        ),
        ("Das ist Art. Er ist 3. Sie 4.", ["Das ist Art.", "Er ist 3.", "Sie 4."]),
        ("So i. S. d. BGB, z.B. Pkw. Also.", ["So i. S. d. BGB, z.B. Pkw.", "Also."]),
        ("It is a gem. It is x. So.", ["It is a gem.", "It is x.", "So."]),
        ("It is 5 p.m. Then go.", ["It is 5 p.m.", "Then go."]),
        ("قال د. أحمد في م. 147 ذلك. ثم ذهب.", ["قال د. أحمد في م. 147 ذلك.", "ثم ذهب."]),
        ("  \n ", []),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_says(text, sentences):
    assert split_sentences(text) == sentences


@given(st.text(alphabet="ab A.?! \n'\"(1é", max_size=60))
def test_no_word_is_lost_or_moved(text):
    assert " ".join(split_sentences(text)).split() == text.split()


@pytest.mark.parametrize(
    "text",
    [
        "One. Two.",
        "今日は雨です。「はい。」 次。",
        "本当？🙂はい。",
        "BM25。 Next one. यह है। वह है।",
        "",
        "A。B",
    ],
)
def test_sentences_joined_again_are_the_text_as_it_is_written(text):
    assert joined(split_sentences(text)) == text.replace("。 ", "。").replace("」 ", "」")


@given(st.text(alphabet="aA. \n。」「！日।", max_size=60))
def test_no_character_is_lost_or_moved_where_words_are_not_divided(text):
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())


def test_the_sentences_of_the_published_queries_are_found(shared_data):
    file = shared_data / "doris-mae-sample" / "DORIS-MAE_dataset_v1.json"
    queries = json.loads(file.read_text(encoding="utf-8"))["Query"]

    split = [split_sentences(query["query_text"]) for query in queries]

    assert split == [[text.strip() for text in query["sent2aspect_id"]] for query in queries]


@pytest.mark.parametrize(
    ("texts", "topics"),
    [
        (["I want one thing and another.", "It is free."], [["1"], ["2"]]),
        (["I want one thing", "and another.", "It is free."], [["1"], ["1"], ["2"]]),
        (["I want one thing and another. It is free."], [["1", "2"]]),
        (["I want one single thing and another.", "It is free."], [["1"], ["2"]]),
        (["It is free.", "I want one thing and another."], [["2"], ["1"]]),
        (["Now for something new.", "It is free."], [[], ["2"]]),
        # Two of six words come from an old sentence, and then three.
        (["I want to see fewer words."], [[]]),
        (["I want to see one word."], [["1"]]),
        ([], []),
    ],
)
def test_sentences_keep_the_links_of_those_they_come_from(texts, topics):
    old = [
        {"text": "I want one thing and another.", "topics": ["1"]},
        {"text": "It is free.", "topics": ["2"]},
    ]

    sentences = with_links(old, texts)

    assert [sentence["text"] for sentence in sentences] == texts
    assert [sentence["topics"] for sentence in sentences] == topics


@pytest.mark.parametrize(
    "text", ["etc. and fig. 3 " * 50_000, "." * 800_000, f"{'。' * 800_000}」x"]
)
def test_megabytes_without_an_end_of_a_sentence_are_split_in_one_pass(text):
    # Each mark once looked at all that stood before it, or at all the marks behind it: these took
    # minutes.
    assert split_sentences(text) == [text.strip()]
