from contextlib import contextmanager

from django.db import connection, models


class FloorPair(models.Model):  # noqa: DJ008, nobody looks at one
    title = models.TextField()

    class Meta:
        app_label = "floor"


class FloorRating(models.Model):  # noqa: DJ008
    pair_id = models.BigIntegerField(db_index=True)
    save_id = models.UUIDField(unique=True)
    answer = models.TextField()
    note = models.TextField()

    class Meta:
        app_label = "floor"


@contextmanager
def tables(pairs):
    """The floor's tables, with so many pairs, for as long as they are needed."""
    with connection.schema_editor() as editor:
        editor.create_model(FloorPair)
        editor.create_model(FloorRating)
    try:
        FloorPair.objects.bulk_create(
            FloorPair(pk=number, title=f"Pair {number}") for number in range(1, pairs + 1)
        )
        yield
    finally:
        with connection.schema_editor() as editor:
            editor.delete_model(FloorRating)
            editor.delete_model(FloorPair)
