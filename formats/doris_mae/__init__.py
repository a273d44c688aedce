"""The official DORIS-MAE file: what is in it, reading it, writing it.

Wang, Wang, Wang, Naidu, Bergen, Paturi: Scientific document retrieval using multi-level
aspect-based queries. NeurIPS 2023 Datasets and Benchmarks.
https://github.com/Real-Doris-Mae/Doris-Mae-Dataset
"""

FILE_NAME = "DORIS-MAE_dataset_v1.json"

TEXT2ID = "aspect2aspect_id"
ID2TEXT = "aspect_id2aspect"
QUERY = "Query"
CORPUS = "Corpus"
ANNOTATION = "Annotation"
# As the public code spells it, and as the paper does.
TEST_SETS = ("Test_set", "Test Set")
KEYS = [TEXT2ID, ID2TEXT, QUERY, CORPUS, ANNOTATION, TEST_SETS[0]]

POOL = "candidate_pool"
LINKS = "sent2aspect_id"
SENTENCES = "aspect_id2sent"
QUERY_KEYS = ["query_text", "query_type", "idea_from", POOL, LINKS, SENTENCES, "aspects"]
# The position of a query in its list is its id; one that is called otherwise here says so.
QUERY_ID = "facetwise_query_id"

ABSTRACT_KEYS = [
    "original_abstract", "masked_abstract", "title", "url", "primary_category", "categories",
    "ss_id", "incoming_citations", "outgoing_citations", "abstract_id",
]  # fmt: skip
CITATIONS = ("incoming_citations", "outgoing_citations")

RATED_KEYS = ["aspect_id", "abstract_id", "human_annotation"]
MACHINE_KEYS = ["aspect_id", "abstract_id", "gpt_response", "score"]
# What Annotation holds where an answer could not be read as a score.
UNPARSED = -1
