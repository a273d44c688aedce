"""TREC's files: topics, documents, runs and qrels.

Runs have six columns and qrels four, divided by white space; either may be gzipped, whatever its
name. Topics come as XML, as SGML whose tags are not closed, or as lines of id and text.
"""
