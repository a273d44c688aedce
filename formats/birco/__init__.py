"""BIRCO: one JSON object with queries, corpus and relevance; rankings in files of their own."""
