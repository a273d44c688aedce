"""The mappings and protocols of a collection, in their latest versions."""

from api.columns import Column, Convert, Kind
from api.resources.resource import Resource
from api.viewer import Viewer
from evaluation.definitions.reading import latest_of, protocols_of
from evaluation.models import MappingVersion
from evaluation.protocols import shipped


def _is_shipped(viewer: Viewer) -> Convert:
    return shipped().__contains__


MAPPINGS = Resource(
    "mappings",
    "The grades of options, in place of their values.",
    (
        Column("key", "By which it is addressed."),
        Column("name", "Its name."),
        Column("version", "The number of its latest version.", Kind.INTEGER, "number"),
        Column("grades", "{facet of the scale: {option: grade}}.", Kind.DATA),
    ),
    lambda viewer: latest_of(MappingVersion, viewer.collection),
)
PROTOCOLS = Resource(
    "protocols",
    "By which measures and rules runs are scored.",
    (
        Column("key", "By which it is addressed."),
        Column("name", "Its name."),
        Column("is_shipped", "Whether it comes with the program.", Kind.FLAG, "key", _is_shipped),
        Column("data", "Its measures and rules.", Kind.DATA),
    ),
    lambda viewer: list(protocols_of(viewer.collection).values()),
)
