"""The marks of a picture, read back from its file."""

from dataclasses import dataclass
from xml.etree import ElementTree

from agreement.tables.pictures import as_svg

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Drawing:
    """Marks of a table's picture in the order in which they are drawn."""

    root: ElementTree.Element

    @property
    def height(self):
        return float(self.root.get("height"))

    def places(self, look=None):
        """[(text, x, y of the middle of its line)], of all looks where none is named."""
        return [
            (text.text, float(text.get("x")), float(text.get("y")) - 4)
            for text in self.root.iter(f"{SVG}text")
            if look in (None, text.get("class", ""))
        ]

    def anchors(self, look):
        """The side of its place on which each text stands."""
        return [
            text.get("text-anchor")
            for text in self.root.iter(f"{SVG}text")
            if look == text.get("class", "")
        ]

    def words(self, look=None):
        return [text for text, _, _ in self.places(look)]

    @property
    def radii(self):
        return {dot.get("r") for dot in self.root.iter(f"{SVG}circle")}

    def dots(self, look=None):
        """[(x, y)] of the middles of dots."""
        return [
            (float(dot.get("cx")), float(dot.get("cy")))
            for dot in self.root.iter(f"{SVG}circle")
            if look in (None, dot.get("class"))
        ]

    def lines(self, look):
        """[(x1, y1, x2, y2)]"""
        return [
            tuple(float(line.get(end)) for end in ("x1", "y1", "x2", "y2"))
            for line in self.root.iter(f"{SVG}line")
            if line.get("class") == look
        ]

    @property
    def boxes(self):
        """[(look, x, y, width, height)] of all but the ground."""
        return [
            (box.get("class"), *(float(box.get(side)) for side in ("x", "y", "width", "height")))
            for box in self.root.iter(f"{SVG}rect")
            if box.get("class") != "ground"
        ]

    @property
    def trends(self):
        """The points of each line through points."""
        return [
            [tuple(map(float, point.split(","))) for point in line.get("points").split()]
            for line in self.root.iter(f"{SVG}polyline")
        ]


def drawing_of(table):
    return Drawing(ElementTree.fromstring(as_svg(table)))  # noqa: S314 - our own
