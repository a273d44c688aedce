"""The agreement pages of a collection, for its leads."""
