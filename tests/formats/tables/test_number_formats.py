"""What number formats of Excel show of a whole number, and which styles have them."""

from xml.parsers import expat

import pytest

from formats.tables.number_formats import OTHERWISE, Styles, digits_shown

XML = """<x:styleSheet xmlns:x="urn:x">
<x:numFmts><x:numFmt numFmtId="164" formatCode="000"/><x:numFmt numFmtId="165" formatCode="0.0"/>
</x:numFmts>
<x:cellStyleXfs><x:xf numFmtId="164"/><x:xf numFmtId="164"/><x:xf numFmtId="164"/></x:cellStyleXfs>
<x:cellXfs><x:xf numFmtId="0"/><x:xf numFmtId="165"/><x:xf numFmtId="164"/><x:xf/></x:cellXfs>
<x:others><x:xf numFmtId="164"/><x:xf numFmtId="164"/><x:xf numFmtId="164"/></x:others>
</x:styleSheet>"""


@pytest.mark.parametrize(
    ("number_format", "digits"),
    [
        ("00", 2),
        ("000000", 6),
        (" 000 ", 3),
        ("0", None),
        ("", None),
        ("General", None),
        ("0000.00", None),
        ("yyyy-mm-dd", None),
        ("00-00", OTHERWISE),
        ("000 000", OTHERWISE),
        ('"id "0000', OTHERWISE),
        (r"\x00", OTHERWISE),
    ],
)
def test_a_format_shows_so_many_digits(number_format, digits):
    assert digits_shown(number_format) == digits


def test_a_long_format_is_read_at_once():
    assert digits_shown("0" * 100_000 + "x") is None


def test_styles_of_cells_alone_have_numbers():
    styles = Styles()
    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = styles.start, styles.end

    parser.Parse(XML, True)

    assert styles.digits == {"2": 3}
