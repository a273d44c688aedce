"""Lines, boxes, marks and words as SVG, named by the classes of the product's charts.

On a page the style sheets give the colours (`static/css/charts.css`). A file brings those of
STYLE, dark on white, since it goes into papers.
"""

import re
from xml.sax.saxutils import escape, quoteattr

FONT_SIZE = 11
WIDTH = 624  # the text width of a page, 6.5 inches
LETTER = 6.1  # the width of most
# What XML cannot hold in any spelling, such as the form feeds of texts that come from PDF.
NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
STYLE = """
text { font: 11px "DejaVu Sans", "Inter", sans-serif; fill: #1f2328; }
.quiet, .tick { fill: #4a4f57; } .small { font-size: 9.5px; } .on-dark { fill: #ffffff; }
.ax { stroke: #ddd8cc; stroke-width: 1; } .zero { stroke: #8c8676; }
.med { stroke: #1f4e79; stroke-width: 1.25; stroke-dasharray: 3 3; }
.ci { stroke: #4a4f57; stroke-width: 1.75; } .ci.pre { stroke: #8c8676; }
.trend { stroke: #1f4e79; stroke-width: 1; fill: none; }
.pt { fill: #1f4e79; } circle.pre { fill: #ffffff; stroke: #4a4f57; stroke-width: 1.75; }
rect { stroke: #ffffff; stroke-width: 1; } rect.ground { fill: #ffffff; stroke: none; }
.s0 { fill: #dde7f1; stroke: #8c8676; } .s1 { fill: #8fb3d4; } .s2 { fill: #4f83b3; }
.s3 { fill: #173f68; }
.h0 { fill: #f3f5f8; } .h1 { fill: #dde7f1; } .h2 { fill: #bdd2e6; } .h3 { fill: #a9c5e0; }
.h4 { fill: #2b5f91; } .h5 { fill: #1f4e7c; }
"""


class Canvas:
    """Collects marks; places are pixels from the upper left corner."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.marks: list[str] = []

    def line(self, x1: float, y1: float, x2: float, y2: float, look: str) -> None:
        ends = f'x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}"'
        self.marks.append(f'<line class="{look}" {ends}/>')

    def box(self, x: float, y: float, width: float, height: float, look: str) -> None:
        place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
        self.marks.append(f'<rect class="{look}" {place}/>')

    def dot(self, x: float, y: float, look: str, radius: float = 4) -> None:
        self.marks.append(f'<circle class="{look}" cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"/>')

    def trend(self, points: list[tuple[float, float]]) -> None:
        places = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        self.marks.append(f'<polyline class="trend" points="{places}"/>')

    def words(
        self, x: float, y: float, text: str, *, look: str = "", anchor: str = "start"
    ) -> None:
        """`y` is the middle of the line."""
        shown_as = f' class="{look}"' if look else ""
        side = f' text-anchor="{anchor}"' if anchor != "start" else ""
        place = f'x="{_n(x)}" y="{_n(y + 0.36 * FONT_SIZE)}"'
        self.marks.append(f"<text{shown_as} {place}{side}>{escape(_in_xml(text))}</text>")

    def svg(self, *, title: str) -> str:
        """For a page, which has the style sheets."""
        return (
            f'<svg class="viz picture" role="img" aria-label={quoteattr(_in_xml(title))} '
            f'viewBox="0 0 {_n(self.width)} {_n(self.height)}">{"".join(self.marks)}</svg>'
        )

    def file(self, *, title: str, about: str = "") -> str:
        """For a file, which has nothing but itself."""
        size = f'width="{_n(self.width)}" height="{_n(self.height)}"'
        view = f'viewBox="0 0 {_n(self.width)} {_n(self.height)}"'
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view}>',
                f"<title>{escape(_in_xml(title))}</title>",
                f"<desc>{escape(_in_xml(about))}</desc>",
                f"<style>{STYLE}</style>",
                '<rect class="ground" width="100%" height="100%"/>',
                *self.marks,
                "</svg>\n",
            ]
        )


def _in_xml(text: str) -> str:
    return NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def _n(number: float) -> str:
    """As short as a tenth of a pixel needs."""
    return f"{number:.1f}".removesuffix(".0")
