"""Two exports of a collection compared by pair: which judgments changed, are new or are gone.

`reading.py` knows an export as it was offered, and `grades.py` reads its grades, from its files
alone; `changes.py` compares two of these; `reasons.py` asks the trail why; `between.py` puts them
together for two exports, and `tables.py` makes the tables of pages and files of it.
"""
