"""Hashes of what people judged: written with the row, and compared by `verify_integrity`."""

import hashlib
import json
from typing import Any

from django.db import migrations, models


def canonical(value: Any) -> bytes:
    """JSON in one spelling; equal for what either database gives back of a value."""
    return plain_json(_spelled(value))


def plain_json(value: Any) -> bytes:
    """`canonical` for values without numbers, which are spelled alike anyway."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def _spelled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _spelled(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_spelled(item) for item in value]
    # PostgreSQL keeps numbers of JSON as decimals: 1e16 comes back as an integer.
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def sha256_of(value: Any) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()


class ContentHash(models.CharField):
    """The SHA-256 over texts of the same row, the fields named in `of`.

    It is written by itself whenever the row is inserted. An update names it beside the texts;
    `bulk_update` needs `rehash` before it, too.
    """

    def __init__(self, *args: Any, of: list[str] | tuple[str, ...] = (), **kwargs: Any) -> None:
        self.of = list(of)
        super().__init__(*args, **{"max_length": 64, "editable": False, **kwargs})

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, {**kwargs, "of": self.of}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        value = self.hash_of(*(getattr(model_instance, name) for name in self.of))
        setattr(model_instance, self.attname, value)
        return value

    def hash_of(self, *texts: Any) -> str:
        return hashlib.sha256(plain_json([self.of, texts])).hexdigest()


def rehash(row: models.Model) -> None:
    """Compute the content hashes of a row again, for statements that do not do it themselves."""
    for field in row._meta.concrete_fields:
        if isinstance(field, ContentHash):
            field.pre_save(row, False)


def fill_hashes(app_label: str, *model_names: str) -> migrations.RunPython:
    """A migration's step that hashes the rows which were there before the column."""

    def fill(apps: Any, schema_editor: Any) -> None:
        for name in model_names:
            model = apps.get_model(app_label, name)
            for field in model._meta.concrete_fields:
                if isinstance(field, ContentHash):
                    _fill(model, field, schema_editor.connection)

    return migrations.RunPython(fill, migrations.RunPython.noop)


def _fill(model: Any, field: ContentHash, connection: Any) -> None:
    quote = connection.ops.quote_name
    table, column, key = model._meta.db_table, field.column, model._meta.pk.column
    update = f"UPDATE {quote(table)} SET {quote(column)} = %s WHERE {quote(key)} = %s"  # noqa: S608
    rows = model._base_manager.using(connection.alias).order_by("pk").values_list("pk", *field.of)
    last = 0
    while chunk := list(rows.filter(pk__gt=last)[:1_000]):
        with connection.cursor() as cursor:
            cursor.executemany(update, [(field.hash_of(*texts), pk) for pk, *texts in chunk])
        last = chunk[-1][0]
