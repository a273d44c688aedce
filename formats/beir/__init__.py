"""BEIR: corpus.jsonl, queries.jsonl, and qrels of each split."""
