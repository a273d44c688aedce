"""The figures of the pages as tables and as data: agreement, scores, qrels."""
