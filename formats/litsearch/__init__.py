"""LitSearch: questions with the papers that answer them, and the corpus."""
