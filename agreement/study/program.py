"""What computes figures: kept figures are those of one program, and no others."""

import hashlib
from functools import cache
from importlib.metadata import version
from importlib.resources import files


@cache
def program_hash(packages: tuple[str, ...], libraries: tuple[str, ...]) -> str:
    """A hash of the code of these packages, and of the versions of the libraries that it asks."""
    versions = "\n".join(version(library) for library in libraries)
    digest = hashlib.sha256(f"{versions}\n".encode())
    for package in packages:
        for file in sorted(files(package).iterdir(), key=lambda file: file.name):
            if file.name.endswith(".py"):
                digest.update(f"{file.name}\n".encode() + file.read_bytes())
    return digest.hexdigest()
