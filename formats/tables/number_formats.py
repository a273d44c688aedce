"""Number formats of Excel that show a whole number with leading zeros, as identifiers often are.

A workbook stores 7 and a style whose format is 0000; people see, and mean, 0007.
"""

import re

# What a format shows beside the digits ("text", \-), and what nobody sees: colour and language, a
# blank as wide as a letter, a letter that fills the cell.
SHOWN = re.compile(r'"[^"]*"|\\.')
UNSEEN = re.compile(r"\[[^\]]*\]|_.|\*.")
PADDED = re.compile(r"0{2,}")
# Digits with signs between them, as 000-0000.
GROUPED = re.compile(r"00+(?:[-/ ()]+0+)+")
OTHERWISE = 0  # other text than the digits with zeros before them


def digits_shown(number_format: str) -> int | None:
    """To how many digits a format fills a whole number up, OTHERWISE if it shows more than that,
    None where it shows no leading zero."""
    section = UNSEEN.sub("", number_format.split(";")[0]).strip()
    bare = SHOWN.sub("", section).strip()
    if PADDED.fullmatch(section):
        return len(section)
    return OTHERWISE if PADDED.fullmatch(bare) or GROUPED.fullmatch(bare) else None


class Styles:
    """Follows the XML of a workbook's styles. `digits` is {number of a style, as cells name it:
    digits_shown} of those that show leading zeros."""

    def __init__(self) -> None:
        self.digits: dict[str, int] = {}
        self._formats: dict[str, str] = {}
        self._count = -1  # of the styles of cells; negative outside them

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(":")[2]
        if tag == "numFmt":
            self._formats[attributes.get("numFmtId", "")] = attributes.get("formatCode", "")
        elif tag == "cellXfs":
            self._count = 0
        elif tag == "xf" and self._count >= 0:
            digits = digits_shown(self._formats.get(attributes.get("numFmtId", ""), ""))
            if digits is not None:
                self.digits[str(self._count)] = digits
            self._count += 1

    def end(self, name: str) -> None:
        if name.rpartition(":")[2] == "cellXfs":
            self._count = -1
