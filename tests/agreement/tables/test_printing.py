from agreement.tables.printing import MOST_ROWS, PrintedTable
from agreement.tables.table import Column, Kind, Table


def printed(rows):
    columns = (Column("topic", "Topic", Kind.TEXT), Column("pairs", "Pairs", Kind.COUNT))
    table = Table("queries", "Queries", columns, [(f"t{row}", row) for row in range(rows)])
    return PrintedTable(1, "queries", table)


def test_a_long_table_is_printed_in_part_and_says_how_much_is_left_out():
    long, short = printed(MOST_ROWS + 7), printed(3)

    assert (len(long.rows), long.rows_left_out) == (MOST_ROWS, 7)
    assert (len(short.rows), short.rows_left_out) == (3, 0)
