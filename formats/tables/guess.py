"""Guesses of a table's part and of the field of each column. People may change both."""

import re
from collections.abc import Iterator, Mapping, Sequence

from formats.reading import Column, Field
from formats.tables.fields import ANSWER_NAMES, FIELDS, FILE_NAMES, NUMBERS, ONE_OF, TOPIC_NAMES
from formats.tables.no_part import why_no_part
from formats.tables.opening import stem_of

# A column for each rater is often called so.
RATER_COLUMN = re.compile(
    r"(rater|annotator|assessor|judge|person|user)[ _-]?\w+\Z|.[^@\n]*+@.++\Z", re.I
)
# A grade, perhaps with its name; and words of columns whose small numbers are none.
GRADE = re.compile(r"[-\u2212]?[0-9](?:[.,][0-9]+)?(?: .+)?")
NO_GRADES = {
    *("rank", "ranks", "ranking", "pagerank", "score", "scores", "position", "count", "wordcount"),
    *("number", "year", "length", "size", "run", "runs", "runtime", "time", "seconds"),
    *("id", "ids", "docid", "runid", "index"),
    # What is made of grades, or said of them.
    *("gold", "final", "consensus", "adjudicated", "adjudication", "adjudicator", "majority"),
    *("mean", "average", "avg", "median", "sum", "total", "difference", "diff"),
    *("agree", "agreed", "agreement", "confidence", "certainty", "difficulty"),
}
# The numbers of the rows, as pandas writes them and as a column without a name is called.
OF_ROWS = re.compile(r"unnamed: \d+|__index_level_\d+__|column \d+", re.I)
# Where a name like `BM25Rank` has a new word, and what is a word.
CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
WORD = re.compile(r"[^\W\d_]+")
# A column that begins so may be a system's, with the rank that it gives the document.
RANKS = {("0", "1", "2"), ("1", "2", "3")}
FORM = re.compile(r"(input|answer|output)_(?=.)")
GRADES = {"grade", "rating", "relevance", "judgment", "judgement"}
# What Mechanical Turk and Toloka themselves say of an answer.
OF_ANSWERS = {
    "workerid", "assignmentstatus", "assignment_worker_id", "assignment_status",
}  # fmt: skip
# Columns by which their results are known.
OF_A_CROWD = {"hitid", "assignment_assignment_id", "assignment_worker_id"}
# Words of a column that has the ids of its rows.
ID_WORDS = {"id", "key", "code", *NUMBERS}
WORDS = re.compile(r"[\w .#/()-]+")
# In a table that is called after queries or topics.
NAMES_IN_QUERIES = {"id": TOPIC_NAMES, "text": ("information_need", "need", *TOPIC_NAMES[:1])}
NAMES_OF_RATINGS = (*FILE_NAMES["ratings"], *FILE_NAMES["judgments"])
Guess = dict[str, "str | list[str]"]


def normal(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name.strip().lower()).strip("_") or name.strip().lower()


def _by_name(columns: Sequence[str]) -> dict[str, str]:
    """{name as fields have it: column}, of two alike the first.

    Mechanical Turk's and Toloka's results have the study's columns as fields of their form
    (`Input.query_id`, `Answer.relevance`; `INPUT:query_id`, `OUTPUT:relevance`); the Title and
    Description of Mechanical Turk are those of the task.
    """
    by_name = {normal(name): name for name in reversed(columns)}
    if OF_A_CROWD.isdisjoint(by_name):
        return by_name
    in_form = {FORM.sub("", name): column for name, column in by_name.items() if FORM.match(name)}
    return in_form | {name: column for name, column in by_name.items() if name in OF_ANSWERS}


def guess_columns(part: str, columns: Sequence[str]) -> Guess:
    """{field: column} for a part; each column is taken once, by the field whose name it has."""
    guess: Guess = {}
    free_columns = _by_name(columns)
    for field in FIELDS[part]:
        for name in field.names:
            column = free_columns.get(normal(name))
            if column is not None:
                free_columns = {key: free for key, free in free_columns.items() if free != column}
                guess[field.key] = column
                break
    if part == "ratings" and "rater" not in guess:
        guess.pop("grade", None)
        raters = [
            name
            for name in columns
            if RATER_COLUMN.match(name) and ("@" in name or not _has_numbers_alone(name))
        ]
        if raters:
            guess["grades"] = raters
    return guess


def raters_by_grades(
    name: str, columns: Sequence[Column], guess: Mapping[str, str | list[str]]
) -> list[str]:
    """Columns that may be named after raters, since several begin with grades. This needs rows of a
    query and a document, and no column named after grades. The scores of systems may look the same,
    unless the table is named after ratings."""
    is_of_pairs = "document" in guess and not guess.keys().isdisjoint(("query", "topic"))
    if not is_of_pairs or not {normal(column.name) for column in columns}.isdisjoint(ANSWER_NAMES):
        return []
    likely = [
        column
        for column in columns
        if column.name not in guess.values()
        and column.first_values
        and all(GRADE.fullmatch(value) for value in column.first_values)
        and not _has_numbers_alone(column.name)
    ]
    is_of_ratings = any(word in stem_of(name) for word in NAMES_OF_RATINGS)
    may_be_ranks = any(column.first_values in RANKS for column in likely)
    if len(likely) < 2 or (may_be_ranks and not is_of_ratings):
        return []
    return [column.name for column in likely]


def _has_numbers_alone(name: str) -> bool:
    """Whether a column that is called so has numbers that are no rater's grades."""
    words = WORD.findall(CAPITAL.sub(" ", name).lower())
    return bool(OF_ROWS.fullmatch(name)) or not NO_GRADES.isdisjoint(words)


def lacking(part: str, guess: Guess) -> list[tuple[Field, ...]]:
    """The fields without which the part cannot be read; of fields that stand together, one will
    do."""
    fields = {field.key: field for field in FIELDS[part]}
    needed: list[tuple[str, ...]] = [(key,) for key in fields if fields[key].is_required]
    if part in ONE_OF:
        needed.append(ONE_OF[part])
    if part == "ratings":
        needed += [("rater", "grades"), ("grade", "grades")]
    if part == "decisions":
        needed.append(("grade", "reason"))
    return [
        tuple(fields[key] for key in keys)
        for keys in needed
        if not any(guess.get(key) for key in keys)
    ]


def guess_part(name: str, columns: Sequence[Column]) -> tuple[str, Guess]:
    """The part that fits best, and its columns; "" where none does."""
    names = [column.name for column in columns]
    stem = stem_of(name)
    best, best_score, best_guess = "", 0.0, {}
    for part in _possible_parts(names):
        guess = guess_columns(part, names)
        if part == "queries" and any(word in stem for word in FILE_NAMES[part]):
            guess = _with_query_as_id(columns, guess)
        if part == "ratings" and guess.keys().isdisjoint(("rater", "grades")):
            guess["grades"] = raters_by_grades(name, columns, guess)
        if lacking(part, guess):
            continue
        column_count = sum(
            len(column) if isinstance(column, list) else 1 for column in guess.values()
        )
        score = column_count / max(len(names), 1)
        score += 2 * any(word in stem for word in _file_names(part, guess))
        score += _evidence(part, guess) - (part == "queries" and _has_pairs(names, guess))
        if score > best_score:
            best, best_score, best_guess = part, score, guess
    return best, best_guess


def _with_query_as_id(columns: Sequence[Column], guess: Guess) -> Guess:
    """Of a table that is called after queries: without another id, `query` is it where a further
    column is what is asked. Not in a pool, which says where candidates come from, or where a query
    stands twice in the first rows."""
    names = [column.name for column in columns]
    query = _by_name(names).get("query")
    with_id = {field: name for field, name in guess.items() if name != query}
    is_pool = not guess_columns("pool", names).keys().isdisjoint(("sources", "rank"))
    if query is None or "id" in guess or is_pool or with_id.keys().isdisjoint(("text", "document")):
        return guess
    keys = [query, *([with_id["facets"]] if "facets" in with_id else [])]
    rows = list(
        zip(*(column.first_values for column in columns if column.name in keys), strict=False)
    )
    return {"id": query, **with_id} if len(set(rows)) == len(rows) else guess


def guess_by_name(name: str, columns: Sequence[Column]) -> tuple[str, Guess]:
    """The part after which a table is called, of which it has the ids, whatever else it lacks; ""
    where there is none. So people are asked for what is missing alone."""
    names = [column.name for column in columns]
    stem = stem_of(name)
    for part in _possible_parts(names):
        if any(word in stem for word in FILE_NAMES[part]):
            guess = _guess_by_words(part, names)
            if all(field.key in guess for field in FIELDS[part] if field.is_required):
                return part, guess
    return "", {}


def _guess_by_words(part: str, columns: Sequence[str]) -> Guess:
    """`guess_columns`; ids, titles and texts that it lacks are the first columns in whose names
    theirs stand: `Paper No`, `Title of the paper`."""
    guess = guess_columns(part, columns)
    for field in FIELDS[part]:
        if field.key in guess or not (field.is_required or field.key in ("title", "text")):
            continue
        free_columns = [column for column in columns if column not in guess.values()]
        called_so = [column for column in free_columns if _stands_in(part, field, column)]
        if called_so:
            guess[field.key] = called_so[0]
    return guess


def _stands_in(part: str, field: Field, column: str) -> bool:
    """Whether a name of the field is the column's, or among its words; of an id, with a word that
    says so."""
    names = field.names + (NAMES_IN_QUERIES.get(field.key, ()) if part == "queries" else ())
    words = normal(column).split("_")
    is_id = words[-1] in ID_WORDS or "id" in words
    if not WORDS.fullmatch(column) or not (is_id or field.key in ("title", "text")):
        return normal(column) in map(normal, names)
    return any(f"_{normal(name)}_" in f"_{normal(column)}_" for name in names)


def _possible_parts(columns: Sequence[str]) -> Iterator[str]:
    if why_no_part(columns):
        return
    for part in FIELDS:
        if part not in ("documents", "queries") or not _grades_queries(columns):
            yield part


def _grades_queries(columns: Sequence[str]) -> bool:
    """Whether rows name a query and a grade: as a list of documents or queries they would lose the
    grade."""
    names = [normal(name) for name in columns]
    has_query = any(name.startswith("query") or name == "qid" for name in names)
    return has_query and not GRADES.isdisjoint(names)


def _has_pairs(columns: Sequence[str], guess: Guess) -> bool:
    """Whether rows name a document that a list of queries would not read: they are pairs."""
    document = guess_columns("pool", columns).get("document")
    return document is not None and document not in guess.values()


def _file_names(part: str, guess: Guess) -> tuple[str, ...]:
    """The names of files that tell a part. Ratings may come with the texts that were rated."""
    if part == "pairs" and {"query_text", "rater", "grade"} <= guess.keys():
        return FILE_NAMES["pairs"] + FILE_NAMES["ratings"]
    return FILE_NAMES[part]


def _evidence(part: str, guess: Guess) -> float:
    """Further evidence for a part, beside the share of columns that it explains."""
    if part == "ratings":
        return 1.5
    if part == "decisions":
        return 1.2 if "adjudicator" in guess else -0.3
    if part == "judgments":
        return 0.4
    if part == "pool":
        return 0.3 if "sources" in guess else -0.5
    if part == "pairs":
        return 1.6 if "query_text" in guess or "query_title" in guess else -1
    return 0.0
