"""The mappings and protocols of a collection, in their latest versions."""

from api.columns import Column, Kind
from api.resources.resource import Resource, Row, Viewer
from evaluation.definitions.reading import latest_of, protocols_of
from evaluation.models import MappingVersion
from evaluation.protocols import shipped


def _protocols(viewer: Viewer) -> list[Row]:
    return [
        (key, protocol.name, key in shipped(), protocol.data)
        for key, protocol in protocols_of(viewer.collection).items()
    ]


MAPPINGS = Resource(
    "mappings",
    "The grades of options, in place of their values.",
    (
        Column("key", "By which it is addressed."),
        Column("name", "Its name."),
        Column("version", "The number of its latest version.", Kind.INTEGER),
        Column("grades", "{facet of the scale: {option: grade}}.", Kind.DATA),
    ),
    lambda viewer: [
        (row.key, row.name, row.number, row.grades)
        for row in latest_of(MappingVersion, viewer.collection)
    ],
)
PROTOCOLS = Resource(
    "protocols",
    "By which measures and rules runs are scored.",
    (
        Column("key", "By which it is addressed."),
        Column("name", "Its name."),
        Column("is_shipped", "Whether it comes with the program.", Kind.FLAG),
        Column("data", "Its measures and rules.", Kind.DATA),
    ),
    _protocols,
)
