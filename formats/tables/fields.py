"""The parts of a study that a table can be, and the fields that its columns can fill."""

from formats.reading import Field

# Where a table has both, `query_id` is the id and `query` the text; so it is with documents.
QUERY_IDS = ("query_id", "qid", "query id", "query-id", "queryid", "question_id")
QUERY_NAMES = (*QUERY_IDS, "query")
# What a table of queries or documents made by hand may call the number of a row.
NUMBERS = ("nr", "no", "number")
TOPIC_NAMES = ("topic", "topic_id", "topicid")
DOCUMENT_NAMES = (
    "document_id", "doc_id", "docid", "docno", "document", "doc", "candidate", "candidate_id",
    "paper", "paper_id", "corpus_id", "corpus-id", "corpusid", "passage_id", "pid", "cid",
    "abstract_id", "abstract",
)  # fmt: skip
FACET_NAMES = ("facet", "aspect", "aspect_id", "dimension", "criterion")
GRADE_NAMES = (
    "grade", "rating", "relevance", "label", "score", "judgment", "judgement", "rel", "value", "s",
)  # fmt: skip
# Our own exports name the option beside its value, which options may share.
ANSWER_NAMES = tuple(name for name in GRADE_NAMES if name not in ("value", "s"))
ANSWER_NAMES += ("option", "value", "s")
# What Mechanical Turk, Toloka and Prolific call who rated.
WORKERS = (
    "worker", "worker_id", "workerid", "assignment_worker_id", "participant", "participant_id",
    "prolific_pid",
)  # fmt: skip
NOTE_NAMES = ("note", "notes", "comment", "comments", "remark")
TIME_NAMES = ("time", "created_at", "updated_at", "timestamp", "date", "rated_at")
ABSTRACT_NAMES = (
    "text", "abstract", "body", "passage", "contents", "content", "abstract_text", "full_text",
    "fulltext",
)  # fmt: skip

QUERY = Field("query", "Query", "the query's id", names=(*QUERY_NAMES, "question"))
TOPIC = Field("topic", "Topic", "the topic's id, query_facet, instead of both", names=TOPIC_NAMES)
FACET = Field("facet", "Facet", "or the aspect's id", names=FACET_NAMES)
DOCUMENT = Field(
    "document", "Document", "the document's id", is_required=True, names=DOCUMENT_NAMES
)
NOTE = Field("note", "Note", names=NOTE_NAMES)
TIME = Field("time", "Time", "when it was said", names=TIME_NAMES)
STATUS = Field(
    "status", "Status", "of a crowd's work: rows that were rejected, returned, skipped or timed "
    "out are left out", names=("assignmentstatus", "assignment_status", "submission_status"),
)  # fmt: skip
# Who was asked for a pair: see `formats/gaps.py`.
ASKED = (
    Field("batch", "Batch", "whose people alone were asked for the pair", names=("batch",)),
    Field("seat", "Seat", "in the batch; one after another may hold it", names=("seat",)),
    Field("overlap", "Overlap", "how many people are to rate the pair", names=("overlap",)),
)
SIDE = (
    Field("side_title", "Side text's title", names=("side_title",)),
    Field("side_text", "Side text", "shown beside the document", names=("side_text",)),
)
NARRATIVES = (
    Field("description", "Description", "shown beside the query", names=("description", "desc")),
    Field("narrative", "Narrative", "shown beside the query", names=("narrative", "narr")),
)

FIELDS: dict[str, tuple[Field, ...]] = {
    "documents": (
        Field(
            "id", "Document", "its id", is_required=True,
            # Where a passage names the document that it is from, it is the passage that is judged.
            names=("id", "_id", "passage_id", "pid", "cord_uid", *DOCUMENT_NAMES[:-1], *NUMBERS),
        ),
        Field("title", "Title", names=("title", "name", "heading", "paper_title")),
        Field("text", "Text", "the abstract or passage as one text", names=ABSTRACT_NAMES),
        Field("sentences", "Sentences", "a JSON list, instead of the text", names=("sentences",)),
        Field(
            "labels", "Labels of sentences", "a JSON list as long as the sentences",
            names=("labels", "pred_labels", "sentence_labels"),
        ),
    ),
    "queries": (
        Field("id", "Query", "its id", is_required=True, names=("id", "_id", *QUERY_IDS, *NUMBERS)),
        Field("text", "Text", "what is asked",
              names=("text", "query", "question", "query_text", "claim", "title")),
        Field(
            "document", "Query document", "the id of a document, instead of a text",
            names=("document", "document_id", "doc_id", "paper_id", "pid"),
        ),
        Field(
            "facets", "Facets", "one, or several with commas; all of the scheme if left out",
            names=("facets", *FACET_NAMES[:1]),
        ),
        *NARRATIVES,
    ),
    "aspects": (
        Field(
            "id", "Aspect", "its id", is_required=True,
            names=("id", "_id", "aspect_id", "aspectid"),
        ),
        Field("text", "Text", "what it asks", is_required=True, names=("text", "aspect")),
        Field("query", "Query", "in which it stands", is_required=True, names=QUERY_NAMES),
        Field("parent", "Parent", "the aspect above it", names=("parent", "parent_id")),
    ),
    "pool": (
        QUERY,
        TOPIC,
        FACET,
        DOCUMENT,
        Field(
            "sources", "Source", "a method or run; a JSON list, or one in each row",
            names=("sources", "source", "method", "methods", "run", "runs", "system", "systems"),
        ),
        Field("rank", "Rank", "its place in the pool", names=("rank", "position", "order")),
        *SIDE,
    ),
    "ratings": (
        QUERY,
        TOPIC,
        FACET,
        DOCUMENT,
        Field(
            "rater", "Rater", "who rated",
            names=("rater", "annotator", "assessor", "user", "person", "judge", "completed_by",
                   "annotator_id", *WORKERS, "user_id", "email"),
        ),
        Field("grade", "Grade", "empty is not rated", names=ANSWER_NAMES),
        Field(
            "grades", "Grades by rater", "a column for each rater, called after them",
            is_list=True,
        ),
        Field("reason", "Cannot judge", "why, where there is no grade",
              names=("cannot_judge", "reason", "cannot judge")),
        *ASKED,
        NOTE,
        TIME,
        STATUS,
    ),
    "pairs": (
        Field("query", "Query", "its id", is_required=True, names=QUERY_NAMES),
        Field("query_text", "Query's text",
              names=("query_text", "question", "query_abstract", "query")),
        Field("query_title", "Query's title", "where a paper is the query", names=("query_title",)),
        FACET,
        DOCUMENT,
        Field("title", "Document's title",
              names=("title", "candidate_title", "document_title", "doc_title")),
        Field("text", "Document's text", is_required=True,
              names=("candidate_abstract", "candidate_text", "document_text", "doc_text",
                     "abstract", "passage", "text", "doctext", "document", "doc")),
        *NARRATIVES,
        *SIDE,
        Field("rater", "Rater", "who rated, if the rows are ratings",
              names=("rater", "annotator", "assessor", "user_id", *WORKERS)),
        Field("grade", "Grade", "if the rows are ratings", names=GRADE_NAMES),
        NOTE,
        TIME,
        STATUS,
    ),
    "decisions": (
        QUERY,
        TOPIC,
        FACET,
        DOCUMENT,
        Field("adjudicator", "Adjudicator", "who decided",
              names=("adjudicator", "decided_by", "adjudicated_by")),
        Field("grade", "Grade", "empty is excluded",
              names=("adjudicated", "gold", "final", "decision", *ANSWER_NAMES)),
        Field("reason", "Excluded", "why, where there is no grade",
              names=("excluded", "exclusion_reason", "reason")),
        Field("cause", "Cause", "of the disagreement", names=("cause",)),
        Field("rationale", "Rationale", names=("rationale", *NOTE_NAMES)),
        Field("standing", "Standing", "no where a later decision took its place",
              names=("standing", "is_standing")),
        Field("origin", "Origin", "of gold: only what was adjudicated is a decision",
              names=("origin",)),
        TIME,
    ),
    "judgments": (
        Field("query", "Query", "where whole queries are judged", names=QUERY_NAMES),
        TOPIC,
        FACET,
        DOCUMENT,
        Field("grade", "Grade", "kept as it is written", is_required=True, names=GRADE_NAMES),
        Field("size", "Number of aspects", "compared with the collection's",
              names=("size_of_q", "aspects", "number_of_aspects", "size")),
    ),
}  # fmt: skip

LABELS = {
    "documents": "Documents",
    "queries": "Queries",
    "aspects": "Aspects of queries",
    "pool": "Pool",
    "ratings": "Ratings",
    "pairs": "Pairs with their texts",
    "decisions": "Decisions",
    "judgments": "Judgments made elsewhere",
}
# Files are often called after what they hold.
FILE_NAMES = {
    "documents": ("document", "corpus", "paper", "abstract", "passage", "docs", "collection"),
    "queries": ("quer", "question", "topic"),
    "aspects": ("aspect",),
    "pool": ("pool", "candidate"),
    "ratings": ("rating", "annotation", "expected", "label"),
    "pairs": ("pair", "task"),
    "decisions": ("decision", "adjudicat", "gold"),
    "judgments": ("qrel", "judgment", "judgement"),
}
# Of these fields one at least is filled, whatever else is.
ONE_OF = {
    "documents": ("title", "text", "sentences"),
    "queries": ("text", "document", "facets"),
    "pool": ("query", "topic"),
    "ratings": ("query", "topic"),
    "decisions": ("query", "topic"),
    "judgments": ("query", "topic"),
}
