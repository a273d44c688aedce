"""Writing machine scores of pairs from a file. It never touches a seat."""

from annotation.models import MachineRun, MachineScore, Pair

EXTRA_KEY = "record"


def stored_scores(collection, *, model, name):
    """{(topic, document): (value or None, hash of the response)} of a run, by external ids.

    Hashes instead of responses, of which a run may have a hundred megabytes.
    """
    rows = MachineScore.objects.filter(
        run__collection=collection, run__model=model, run__name=name
    ).values_list("pair__topic__external_id", "pair__document__external_id", "value", "response")
    return {
        (topic, document): (value, hash(response))
        for topic, document, value, response in rows.iterator()
    }


def write_scores(answers, writer, *, model, name, progress):
    """Insert scores under the run of that name, which is made where it is not there yet.

    `answers` have the attributes `key` (topic, document), `value` (None where the response could
    not be read), `response` and `record`, which is kept for export.
    """
    imported = writer.imported
    collection = imported.collection
    run = MachineRun.objects.filter(collection=collection, model=model, name=name).first()
    if run is None:
        [run] = writer.create(
            MachineRun,
            [MachineRun(imported=imported, collection=collection, model=model, name=name)],
        )
    pairs = Pair.including_inactive.filter(topic__collection=collection).values_list(
        "topic__external_id", "document__external_id", "pk"
    )
    pair_ids = {(topic, document): pk for topic, document, pk in pairs.iterator()}
    writer.insert_plain(
        MachineScore,
        ["imported_id", "run_id", "pair_id", "value", "response", "extra"],
        (
            (
                imported.pk,
                run.pk,
                pair_ids[answer.key],
                answer.value,
                answer.response,
                {EXTRA_KEY: answer.record} if answer.record else {},
            )
            for answer in answers
        ),
        progress=progress,
    )
