"""Storage of static files."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):
    """Hashed names also inside ES modules, so that an import gets the version of its importer."""

    support_js_module_import_aggregation = True
