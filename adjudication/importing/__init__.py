"""Imports of published collections, with the ratings and decisions that come with them."""

from adjudication.importing.csfcube import import_csfcube
from adjudication.importing.doris_mae import import_doris_mae
from adjudication.importing.run import Outcome, sweep_dead_imports

__all__ = ["Outcome", "import_csfcube", "import_doris_mae", "sweep_dead_imports"]
