"""Text that people open in a spreadsheet."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\x00")


def escaped(text: str) -> str:
    """A spreadsheet takes a cell that begins like this for a formula; a quote makes it text.

    Readers take one quote off such a cell.
    """
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
