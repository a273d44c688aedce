"""Pages of complex queries: their trees, scores, rankings and statistics."""
