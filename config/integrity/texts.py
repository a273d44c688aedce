"""Texts and wordings are what they were when they were written."""

from annotation.models import SchemeVersion
from audit.hashes import ContentHash
from datasets.models import Document, Query, Topic
from evaluation.models import MappingVersion, ProtocolVersion

HASHED = [Document, Query, Topic, SchemeVersion, MappingVersion, ProtocolVersion]
ROWS_AT_ONCE = 1_000


def text_findings(using):
    for model in HASHED:
        rows = model._base_manager.using(using)
        noun = model._meta.verbose_name.capitalize()
        for field in model._meta.concrete_fields:
            if not isinstance(field, ContentHash):
                continue
            stored = rows.order_by().values_list("pk", field.attname, *field.of)
            for pk, sha256, *texts in stored.iterator(chunk_size=ROWS_AT_ONCE):
                if field.hash_of(*texts) != sha256:
                    yield f"{noun} {pk} is not what was written ({', '.join(field.of)})."
