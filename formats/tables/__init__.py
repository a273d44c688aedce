"""Tables that people bring: CSV, TSV, JSON lines, Excel, Parquet."""
