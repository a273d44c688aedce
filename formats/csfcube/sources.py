"""The files of a release, told by their names."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from formats import csfcube


@dataclass
class Sources:
    """The files of a release by their part in it; `unknown` are names that have none."""

    queries: Path | None = None
    abstracts: Path | None = None
    pools: Path | None = None
    splits: Path | None = None
    annotations: dict[str, Path] = field(default_factory=dict)  # by facet
    readable: dict[str, Path] = field(default_factory=dict)  # by topic id
    unknown: list[str] = field(default_factory=list)

    def parts(self) -> Iterator[tuple[str, Path]]:
        """Yield (official name, path) of every file, in one fixed order."""
        yield from (
            (name, path)
            for name, path in [
                (csfcube.QUERIES, self.queries),
                (csfcube.ABSTRACTS, self.abstracts),
                (csfcube.POOLS, self.pools),
                (csfcube.SPLITS, self.splits),
            ]
            if path
        )
        for facet, path in sorted(self.annotations.items()):
            yield csfcube.annotations_name(facet), path
        for topic, path in sorted(self.readable.items()):
            yield readable_name(topic), path


def readable_name(topic_id: str) -> str:
    paper_id, _, facet = topic_id.rpartition("_")
    return f"{csfcube.READABLE_FOLDER}/{paper_id}-{facet}-adju.txt"


def find_sources(named_files: Iterable[tuple[str, Path]]) -> Sources:
    """Tell the files of a release by their names: `[(name, path), ...]` in any order."""
    single = {
        csfcube.QUERIES: "queries",
        csfcube.ABSTRACTS: "abstracts",
        csfcube.POOLS: "pools",
        csfcube.SPLITS: "splits",
    }
    sources = Sources()
    for name, path in named_files:
        annotations, readable = csfcube.ANNOTATIONS.match(name), csfcube.READABLE.match(name)
        if name in single:
            setattr(sources, single[name], path)
        elif annotations:
            sources.annotations[annotations["facet"]] = path
        elif readable:
            paper_id, _, facet = readable["topic"].rpartition("-")
            sources.readable[f"{paper_id}_{facet}"] = path
        else:
            sources.unknown.append(name)
    return sources


def find_in_folder(folder: Path | str) -> Sources:
    """The files of a release in a folder; what else is there (licence, scripts) is left alone."""
    folder = Path(folder)
    files = [path for path in folder.iterdir() if path.is_file()]
    readable = folder / csfcube.READABLE_FOLDER
    if readable.is_dir():
        files += [path for path in readable.iterdir() if path.is_file()]
    return find_sources((path.name, path) for path in sorted(files))
