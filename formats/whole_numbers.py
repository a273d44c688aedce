"""Whole numbers that people and programs type."""


def whole_number(text: str, *, most: int) -> int | None:
    """The number that ASCII digits are, from 0 to `most`; None for any other text.

    Python's own `int` takes digits of every script, signs and underscores, and fails with an error
    of its own beyond 4,300 digits.
    """
    if not (text.isascii() and text.isdecimal()) or len(text) > len(str(most)):
        return None
    number = int(text)
    return number if number <= most else None
