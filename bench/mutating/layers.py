"""The modules that hold rules, the tests that must notice every fault in them, and the faults that
change nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Layer:
    """Modules, and the tests that must notice every fault in them."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    functions: tuple[str, ...] = ()  # all of the modules where empty

    def only(self, modules: Sequence[str]) -> "Layer":
        """The layer with some of its modules alone; all where none is named."""
        kept = tuple(module for module in self.modules if not modules or module in modules)
        return replace(self, modules=kept)


def _all_of(package: str, names: str) -> tuple[str, ...]:
    return tuple(f"{package}.{name}" for name in names.split())


def _tests_of(folder: str, names: str) -> tuple[str, ...]:
    """Not those of pages, which take a hundred times as long."""
    return tuple(f"tests/{folder}/test_{name}.py" for name in names.split())


LAYERS = {
    "consensus": Layer(
        ("annotation.rating.consensus",), ("tests/annotation/rating/test_consensus.py",)
    ),
    "settle": Layer(
        ("annotation.rating.settle",),
        ("tests/annotation/rating/test_settle.py",),
    ),
    "visibility": Layer(("annotation.querysets",), ("tests/annotation/test_querysets.py",)),
    "seats": Layer(
        ("annotation.assigning.actions.assign", "annotation.assigning.actions.changes"),
        ("tests/annotation/assigning/actions/test_assign.py",),
    ),
    "statistics": Layer(
        _all_of(
            "agreement.statistics",
            "any_raters arrays binomial evaluation figures jackknife majority "
            "measures resampling topics two_raters",
        ),
        ("tests/agreement/statistics",),
    ),
    "rating": Layer(
        _all_of("annotation.rating", "rate components standing"),
        (
            *_tests_of("annotation/rating", "rate components"),
            "tests/annotation/schemes/test_scales.py",
            "tests/annotation/workbench/test_known_sessions.py",
        ),
    ),
    "assigning": Layer(
        (
            *_all_of("annotation.assigning", "barring planning actions.hand_over actions.waive"),
            *_all_of("annotation.reading", "order text_hashes fixed"),
        ),
        (
            *_tests_of("annotation/assigning", "barring planning"),
            "tests/annotation/assigning/actions/test_hand_over.py",
            "tests/annotation/reading",
        ),
    ),
    "schemes": Layer(
        (
            *_all_of("annotation.schemes", "actions building definitions draft draft_form"),
            *_all_of("annotation.schemes", "draft_parts examples files fixed guidelines"),
            *_all_of("annotation.schemes", "interface keys letters wording wording_checks"),
        ),
        _tests_of(
            "annotation/schemes",
            "actions aspects building draft draft_form examples files guidelines interface keys "
            "letters scales shipped wording wording_checks",
        ),
    ),
    "workbench": Layer(
        _all_of("annotation.workbench", "answers forms own_pairs"),
        _tests_of("annotation/workbench", "answers forms own_pairs"),
    ),
    "adjudication": Layer(
        _all_of("adjudication", "actions holds querysets queue sequence gaps raters components"),
        (
            *_tests_of("adjudication", "actions querysets queue sequence gaps raters components"),
            "tests/adjudication/audits/test_actions.py",
        ),
    ),
    "audits": Layer(
        _all_of("adjudication.audits", "actions drawing querysets"),
        _tests_of("adjudication/audits", "actions drawing querysets"),
    ),
    "gold": Layer(
        _all_of("releases", "sources reading pair_rows records effect"),
        _tests_of("releases", "sources reading records channels formats actions levels"),
    ),
    "measures": Layer(
        _all_of("evaluation.measures", "csfcube doris_mae grades litsearch measure standard"),
        ("tests/evaluation/measures",),
    ),
    "protocols": Layer(
        (
            "evaluation.protocols.protocol",
            *_all_of("evaluation.sources", "mapping grading picking"),
            *_all_of("evaluation.definitions", "actions reading"),
        ),
        ("tests/evaluation/definitions", "tests/evaluation/sources", "tests/evaluation/protocols"),
    ),
    "members": Layer(
        (
            "datasets.access",
            *_all_of("datasets.actions", "collections invitations members"),
            "datasets.tokens.actions",
        ),
        (*_tests_of("datasets", "access actions"), "tests/datasets/tokens/test_actions.py"),
    ),
    "people and runs": Layer(
        (
            *_all_of("datasets", "hints tree people"),
            *_all_of("datasets.runs", "levels rankings remarks report strangers"),
        ),
        (*_tests_of("datasets", "hints tree people"), "tests/datasets/runs"),
    ),
    "orders": Layer(
        _all_of("evaluation.orders", "correlation differences draws stability"),
        ("tests/evaluation/orders",),
    ),
    "results": Layer(
        (
            *_all_of("evaluation.results", "contributions intervals measured summaries"),
            *_all_of("evaluation.scores", "ranking scoring subqueries summaries values"),
        ),
        ("tests/evaluation/results", "tests/evaluation/scores"),
    ),
    "runs": Layer(
        (
            *_all_of("evaluation.pages", "stability_pictures"),
            *_all_of("evaluation.runs", "available comparison disagreement"),
            *_all_of("evaluation.runs", "disagreement_in_words evaluation scores tables"),
            *_all_of("evaluation.runs", "two_sources units"),
            "evaluation.points",
        ),
        (
            "tests/evaluation/pages",
            *_tests_of(
                "evaluation/runs",
                "available comparison disagreement disagreement_in_words evaluation ranked scores "
                "tables two_sources units",
            ),
            "tests/evaluation/test_points.py",
        ),
    ),
    "study": Layer(
        (
            *_all_of("agreement.study", "copies counted filters grades intervals program"),
            *_all_of("agreement.study", "ratings rows scales selection"),
        ),
        ("tests/agreement/study",),
    ),
    "subjects": Layer(
        (
            *_all_of("agreement.subjects", "annotators.figures audits.figures"),
            *_all_of("agreement.subjects", "disagreements.figures facets.figures pool.figures"),
            *_all_of("agreement.subjects.time", "figures given"),
            "agreement.subjects.overview.formulas",
            *_all_of("agreement.study", "parts sources"),
        ),
        (
            *_tests_of("agreement/subjects", "annotators audits disagreements facets pool time"),
            "tests/agreement/subjects/annotators",
            "tests/agreement/subjects/disagreements",
            "tests/agreement/subjects/facets",
            "tests/agreement/subjects/pool",
            "tests/agreement/subjects/time",
            "tests/agreement/subjects/overview/test_formulas.py",
            *_tests_of("agreement/study", "parts sources"),
        ),
    ),
    "tables": Layer(
        _all_of(
            "agreement.tables", "canvas cells columns crossed lines pictures shown table writing"
        ),
        ("tests/agreement/tables",),
    ),
    "queries": Layer(
        ("evaluation.queries.statistics",), ("tests/evaluation/queries/test_statistics.py",)
    ),
    "erratum": Layer(
        _all_of("releases.erratum", "between changes grades reading reasons runs tables"),
        ("tests/releases/erratum",),
    ),
    "releases": Layer(
        (
            *_all_of("releases", "actions aspect_rows checks differences forms manifest orders"),
            "releases.writing",
            *_all_of("releases.formats", "beir birco csfcube doris_mae levels papers tables trec"),
        ),
        _tests_of(
            "releases",
            "actions beir channels checks differences doris_mae exported_again formats forms "
            "levels manifest orders reading sources writing",
        ),
    ),
    "imports": Layer(
        (
            *_all_of("imports", "bulk_rows documents machine pairs runs_and_judgments"),
            *_all_of(
                "imports.study", "compare compare_answers further importing late resolve rows"
            ),
            *_all_of("imports.study", "terms trees"),
            *_all_of("imports", "csfcube doris_mae"),
            *_all_of("formats", "csfcube.study doris_mae.study"),
            *_all_of("imports.pooling", "actions moving"),
        ),
        (
            *_tests_of(
                "imports", "bulk_rows csfcube doris_mae runs_and_judgments same_study round_trips"
            ),
            "tests/imports/study",
            "tests/imports/pooling/test_actions.py",
        ),
    ),
    "import page": Layer(
        _all_of("imports", "page_settings kinds summaries"),
        _tests_of("imports", "page_settings kinds commands plans same_study summaries"),
    ),
    "formats": Layer(
        (
            *_all_of("formats", "archives assemble completing corpus credits decimals files flat"),
            *_all_of("formats", "gaps irds literals named_documents names papers parquet_bytes"),
            *_all_of("formats", "problems reading records registry runs_and_qrels sentences"),
            *_all_of("formats", "spreadsheets stream strict text_lines whole_numbers words"),
            *_all_of("formats.csfcube", "annotations cross_checks papers pools queries read"),
            *_all_of("formats.csfcube", "readable reading records sources write"),
            *_all_of("formats.doris_mae", "cross_checks entries read records values write"),
            *_all_of("formats.trec", "conversations lines passages qrels read runs topics"),
            *_all_of("formats.tables", "cells decisions delimited excel fields guess json_rows"),
            *_all_of("formats.tables", "judgments kinds matching no_part number_formats opening"),
            *_all_of("formats.tables", "parquet parts read rows"),
            *_all_of("formats.peers", "doccano label_studio label_studio_entries"),
            *_all_of("formats.peers", "label_studio_interface potato tasks"),
            *_all_of("formats", "beir.read beir.topics birco.rankings birco.read litsearch.read"),
        ),
        ("tests/formats",),
    ),
    "sampling": Layer(
        (
            *_all_of("annotation.sampling", "actions drawing strata elsewhere.actions"),
            *_all_of("annotation.pooling", "draw figures preview reading"),
        ),
        (
            *_tests_of("annotation/sampling", "actions drawing elsewhere strata"),
            "tests/annotation/pooling",
        ),
    ),
    "api": Layer(
        (
            *_all_of("api", "authentication collection cursors endpoint limits page parsing"),
            *_all_of("api", "problems formats reports.tables resources.resource viewer"),
            *_all_of("api.writes", "bodies call deciding fields idempotency targets write"),
        ),
        (
            *_tests_of(
                "api",
                "authentication bad_requests blind_by_rule cursors endpoint examples formats "
                "limits lists lists_are_no_exports once page problems writes",
            ),
            *("tests/api/reports", "tests/api/resources", "tests/api/writes"),
        ),
    ),
    "client": Layer(
        _all_of(
            "facetwise",
            "client collection connection deciding frames jobs rating signatures texts",
        ),
        _tests_of(
            "client", "client collection connection deciding frames jobs rating shell signatures"
        ),
    ),
    "settings": Layer(
        _all_of("config", "env secret_key private broker beat"),
        _tests_of("config", "env secret_key private broker beat"),
    ),
    "integrity": Layer(
        _all_of("config.integrity", "audits hooks replayed_answers replayed_rows rows trail_state"),
        (
            "tests/adjudication/audits/test_integrity.py",
            "tests/config/integrity",
            "tests/proof/test_integrity.py",
            "tests/proof/test_damage.py",
        ),
    ),
    "jobs": Layer(
        _all_of("jobs", "access actions models registry running"),
        (*_tests_of("jobs", "access actions models"), "tests/config/test_health.py"),
    ),
    "webhooks": Layer(
        _all_of("webhooks", "actions addresses delivering kinds outbox signing"),
        _tests_of("webhooks", "actions addresses delivering outbox sending signing tasks views"),
    ),
    "trail": Layer(
        _all_of("audit", "actions chain hashes request_ids transactions turns witness"),
        ("tests/audit",),
    ),
    "accounts": Layer(
        _all_of(
            "accounts",
            "access actions devices keys second_factor session_store sessions throttle tokens",
        ),
        _tests_of(
            "accounts",
            "access actions devices keys passwords second_factor session_store sessions settings "
            "setup sign_in throttle",
        ),
    ),
}

_LOCK = "a lock: that it is needed, the races on PostgreSQL say (tests/proof/test_races.py)"

# A fault by its line and change, and why it does nothing.
SAME: dict[str, str] = {
    **dict.fromkeys(
        [
            "return bool(get_close_matches(word.lower(), ROLES, n=1, cutoff=0.8)) -> without n=1",
            "return bool(get_close_matches(word.lower(), ROLES, n=1, cutoff=0.8)) -> 2",
        ],
        "one that is close is enough",
    ),
    **dict.fromkeys(
        [
            'held = Seat.objects.filter(batch__in=planned).order_by("pk") -> '
            "without batch__in=planned",
            'list(held.select_for_update(no_key=True, of=("self",)).values_list("pk")) -> left out',
            "lock_topics(batches.values()) -> left out",
            'list(topics.select_for_update(no_key=True, of=("self",)).values_list("pk")) -> '
            "left out",
        ],
        _LOCK,
    ),
    **dict.fromkeys(
        [
            "self._bars = bars_of(collection, within=self.by_id) -> without within=self.by_id",
            "ratings = Rating.objects.filter(seat__batch__in=ids).order_by() -> "
            "without seat__batch__in=ids",
            "Seat.objects.filter(batch__in=ids) -> without batch__in=ids",
            "Pair.objects.filter(batch__in=ids) -> without batch__in=ids",
            "open_seats = Seat.objects.filter(batch__in=batches, handed_in_at=None) -> "
            "without batch__in=batches",
            "of_scheme = Option.objects.filter(scale__scheme=scheme)"
            '.select_related("scale").in_bulk() -> without scale__scheme=scheme',
            'ratings = Rating.objects.filter(seat__batch__in=batches).order_by("seat") -> '
            "without seat__batch__in=batches",
            "rows = Pair.objects.filter(batch__in={seat.batch for seat, _ in taken}) -> "
            "without batch__in={seat.batch for seat, _ in taken}",
            "stored = Rating.objects.filter(seat__in={row.pk for _, row in taken}) -> "
            "without seat__in={row.pk for _, row in taken}",
        ],
        "they are taken by batch, pair and id; the others are read in vain",
    ),
    "yield from range(self.overlap + 1, self.overlap + 100) -> 101": (
        "a pair has at most 9 ratings"
    ),
    "batch_id = pair.batch_id or 0 -> 1": "pairs of batches have one",
    "users = User.objects.filter(email__in=emails, is_active=True) -> without email__in=emails": (
        "accounts are taken by address; the others are read in vain"
    ),
    "for rating in Rating.objects.filter( -> without seat=bench.seat": (
        "answers are taken by the seat's pairs; the others are read in vain"
    ),
    "for rating in Rating.objects.filter( -> without annotator=bench.seat.holder_id": (
        "what an earlier holder rated is not in the walk"
    ),
    "in_batch = Pair.objects.filter(batch=bench.seat.batch_id) -> "
    "without batch=bench.seat.batch_id": "pairs are taken by place; the others are read in vain",
    **dict.fromkeys(
        [
            "0.0 if abs(first - second) <= CLOSE else float(first - second), -> Lt",
            "wins=int(np.count_nonzero(defined > CLOSE)), -> GtE",
        ],
        "no difference is just that small",
    ),
    "for low, high in sorted([*map(tuple, ranges), (end + 1, end + 1)]): -> 2": (
        "nothing begins after the end"
    ),
    "last_event=max([newest.last_event if newest else 0, *(row.id for row in rows)]), -> 1": (
        "no event comes before the first"
    ),
    "for seal in seals.filter(last_event__gte=last): -> without last_event__gte=last": (
        "an earlier seal has no range with it"
    ),
    "if place < len(ends) and ends[place][2] < since: -> LtE": "no seal is just that old",
    'begins_anew = _text()[-1:] not in {"", "\n"} -> without USub': "an empty line says nothing",
    "export.save(force_insert=True) -> without force_insert=True": "a row without a key is new",
    "size = 0 -> 1": "a part ends a grade earlier",
    "documents[of_first], documents[of_second], assume_unique=True, return_indices=True -> False": (
        "a topic has a document once"
    ),
    "batches = Batch.including_inactive.using(using).filter(imported__isnull=False) -> "
    "without imported__isnull=False": "they are looked up by name; the others are read in vain",
    'fields = ["position", "pair__public_id", "is_control", "consensus"] -> '
    "without 'is_control'": "a control is what has no consensus",
    "if level != grades.level and not SIZES.keys() >= {level, grades.level}: -> Gt": (
        "two levels are never all three of them"
    ),
    "Pair.objects.using(using) -> without topic__in=topics": (
        "pairs are taken by topic; the others are read in vain"
    ),
    "measured = replace( -> without judged=np.ones(values.shape)": "what is judged is not counted",
    "of_collection = Batch.objects.using(pairs.db).filter(collection=collection) -> "
    "without collection=collection": "batches are looked up by pair; the others are read in vain",
    "in_event = [began.after[name] for name in DECISION_FIELDS[3:] "
    'if name != "option__key"] -> 4': "the option is the fourth of them",
    "Pair.including_inactive.using(using) -> without batch__isnull=False": (
        "pairs are taken by batch; those of none are counted in vain"
    ),
    'return events.order_by("-id").values_list("id", flat=True).first() or 0 -> '
    "without flat=True": "a version is only compared with another",
    'collection, version, "lists", lambda: read_long_lists(collection), pairs=lambda _: 0 -> 1': (
        "what is kept weighs 1 at least"
    ),
    "batches = Batch.objects.using(collection._state.db).filter(collection=collection) -> "
    "without collection=collection": "batches are looked up by pair; the others are read in vain",
    'batches = Pair.objects.using(using).filter(topic__in=topics).order_by().values("batch") -> '
    "without topic__in=topics": "seats are taken by batch; the others are read in vain",
    **dict.fromkeys(
        [
            "return [difference.desc(nulls_last=True)] -> without nulls_last=True",
            '*("position", "pk"), -> without \'pk\'',
        ],
        "the order of SQLite; PostgreSQL needs it said",
    ),
    "readable_by(member) -> without topic__collection=member.collection_id": (
        "a member decides in their collection alone"
    ),
    "return hmac.new(secret, identity.encode(), hashlib.sha256).hexdigest()[:12] -> 13": (
        "a digit more tells no more"
    ),
    "holder=hold.adjudicator if seconds > 0 else None, -> 1": "the last second of half an hour",
    "}.get(self.order, 0) -> 1": "the same for all pairs",
    **dict.fromkeys(
        [
            "Seat.objects.using(using) -> without batch__collection=scheme.collection_id",
            "Decision.objects.using(using) -> without pair__topic__collection=scheme.collection_id",
            "Batch.including_inactive.using(using) -> without collection=scheme.collection_id",
            'overlap=overlaps.get(pair["batch_id"], 0), -> 1',
        ],
        "seats, decisions and overlaps are taken by batch and pair; a pair in none has no answers",
    ),
    "members = Membership.objects.filter(collection=self.collection) -> "
    "without collection=self.collection": "people are taken by member",
    "places = TopicPlace.objects.filter(topic__collection=self.collection) -> "
    "without topic__collection=self.collection": "queries are taken by topic",
    **dict.fromkeys(
        [
            "viewer, self.filtered(rows, viewer).filter(pk__gt=after), size + 1 -> 2",
            "numbered_rows = self._read(viewer, rows.filter(**{path: public_id}), 1) -> 2",
        ],
        "one row more is read, and not shown",
    ),
    **dict.fromkeys(
        [
            f"with transaction.atomic(durable=True): -> {change}"
            for change in ("False", "without durable=True")
        ],
        "inside another transaction it is not reached",
    ),
    "for attempt in range(1, ATTEMPTS + 1): -> 2": "the last attempt ends it by itself",
    "is_late = time.monotonic() - start > PATIENCE_SECONDS -> GtE": (
        "no clock stands at that very moment"
    ),
    "handle.write(secrets.token_urlsafe(64)) -> 65": "longer still",
    'with os.fdopen(descriptor, "w", encoding="utf-8") as file: -> without encoding=\'utf-8\'': (
        "the usual encoding here"
    ),
    "super().__init__(name=\"clock\", daemon=True) -> without name='clock'": (
        "a name for who looks at the process"
    ),
    "for number in range(1, TRIES + 1): -> 2": "the last try ends it by itself",
    **dict.fromkeys(
        [
            "frame = frame.copy(deep=False) -> without deep=False",
            "frame = frame.copy(deep=False) -> True",
        ],
        "columns are put in place of others, and no cell is changed",
    ),
    **dict.fromkeys(
        [
            "if end is not None and time.monotonic() > end: -> GtE",
            "if parts is None or abs(time.time() - int(parts[1])) > seconds: -> GtE",
        ],
        "no clock stands at that very moment",
    ),
    "Rating.objects.filter(seat__batch__in=batches) -> without seat__batch__in=batches": (
        "first ratings are taken by batch; the others are read in vain"
    ),
    'for place in TopicPlace.objects.filter(query__in=queries.values("pk")).values_list( -> '
    "without query__in=queries.values('pk')": "ranks are taken by topic",
    'for place in TopicPlace.objects.filter(query__in=queries.values("pk")): -> '
    "without query__in=queries.values('pk')": "marks are taken by topic",
    "queries = Query.objects.filter(places__topic__in=topics) -> "
    "without places__topic__in=topics": "marks are taken by topic",
    "beside = islice((load[m] for m in ascending if m not in group), 1) -> 2": (
        "the least of them comes first"
    ),
    "if len(ranks_by_query) > 1 -> GtE": "a single query is shown whatever its pool holds",
    'pools = Candidate.objects.filter(query__in=several).values_list("query", "document") -> '
    "without query__in=several": "pools are taken by query",
    "several = [topic for topic, queries in marks.items() if len(queries) > 1] -> GtE": (
        "a single query is the one that is chosen"
    ),
    "of_topics = Pair.objects.with_query().filter( -> without pk__in=held_pairs.values('pk')": (
        "queries are taken by pair"
    ),
    "of_topics = Pair.objects.with_query().filter( -> without topic__in=several": (
        "a single query is the one that is chosen"
    ),
    'list(rows.select_for_update(no_key=True).values_list("pk", flat=True)) -> left out': _LOCK,
    'list(rows.select_for_update(no_key=True).values_list("pk", flat=True)) -> '
    "without flat=True": _LOCK,
    'list(rows.select_for_update(no_key=True).values_list("pk", flat=True)) -> False': _LOCK,
    'ratings = Rating.objects.filter(pair__in=pairs).select_related("option__scale") -> '
    "without pair__in=pairs": "answers are taken by pair; the others are read in vain",
    'return self.annotate(query_id=Subquery(in_order.values("query")[:1])) -> 2': (
        "SQLite takes the first row; PostgreSQL refuses two"
    ),
    'topics = Topic.objects.filter(pk__in=pairs.values("topic")).order_by("pk") -> '
    "without pk__in=pairs.values('topic')": _LOCK,
    "pairs = Pair.objects.filter(batch__in=[batch.pk for batch in batches]) -> "
    "without batch__in=[batch.pk for batch in batches]": "locks are taken by batch",
    "stored = Tenure.objects.filter(batch__in={seat.batch_id for seat, _ in self._taken}) -> "
    "without batch__in={seat.batch_id for seat, _ in self._taken}": "tenures are taken by batch",
    "bars |= bars_of(collection, within=ids) -> without within=ids": "bars are taken by batch",
    "_lock_topics(collection) -> left out": _LOCK,
    'rows = Batch.including_inactive.filter(collection=collection).order_by("pk") -> '
    "without collection=collection": _LOCK,
    'topics = Topic.objects.filter(collection=collection).order_by("pk") -> '
    "without collection=collection": _LOCK,
    'waived = set(Waiver.objects.filter(batch__in=batches).values_list("batch", "member")) -> '
    "without batch__in=batches": "waivers are taken by batch; the others are read in vain",
    "blind = Batch.objects.filter(collection=holder.collection_id).blind_to(seen_by) -> "
    "without collection=holder.collection_id": "no seat of another collection is among those",
    "queries = Query.objects.filter(places__topic__pairs__batch=batch) -> "
    "without places__topic__pairs__batch=batch": "more trees are read than needed",
    "above = np.tril(ranks[..., :, np.newaxis] > ranks[..., np.newaxis, :], -1).sum(axis=-1) -> "
    "GtE": "no two systems have one rank",
    "steps = np.take_along_axis(values, order, axis=-1) * np.arange(count, 0, -1) -> "
    "without axis=-1": "numpy takes the last axis",
    "return ((self.differences < -CLOSE) & (by_reference > CLOSE)) | ( -> GtE": (
        "no difference is that close to the bound"
    ),
    **dict.fromkeys(
        [f"version.save(force_insert=True) -> {c}" for c in ("False", "without force_insert=True")],
        "a new row has no key",
    ),
    'seat.refresh_from_db(fields=["handed_in_at", "return_reason"]) -> '
    "without fields=['handed_in_at', 'return_reason']": "more is read than changed",
    'audit.refresh_from_db(fields=["closed_at", "closed_by"]) -> '
    "without fields=['closed_at', 'closed_by']": "more is read than changed",
    "pairs = Pair.objects.filter(state=Pair.State.AGREED, gold_origin=Pair.Origin.CONSENSUS) -> "
    "without gold_origin=Pair.Origin.CONSENSUS": "what is agreed and handed in has this gold",
    "bar = bars_of(batch.collection, within=[batch.pk])[batch.pk].get(member.pk) -> "
    "without within=[batch.pk]": "more batches are looked at than the one that is asked about",
    "middle = np.stack([np.maximum(count - 1, 0) // 2, count // 2]) -> 1": "half of 1 is 0 as well",
    "distances, number = np.unique(spread.round(9), return_inverse=True) -> 10": (
        "grades have far fewer digits"
    ),
    'Protocol.read(json.loads(file.read_text(encoding="utf-8"))) -> '
    "without encoding='utf-8'": "the usual encoding here",
    "for file in sorted(files(__package__).iterdir(), key=lambda file: file.name) -> "
    "without key=lambda file: file.name": "files of one folder sort by their names",
    "if verdict.agreed and verdict.value is not None: -> Or": "a value comes with agreement alone",
    "return np.array(values, dtype=np.float64)[column_of.reshape(-1)] -> 2": (
        "numpy takes -2 for -1"
    ),
    "nothing = spent_of(np.empty(0)) -> 1": "one time is too few for a pace",
    "_, y = at(0, tick) -> 1": "all of an axis is as high",
    "x = left + wide * (number + 0.5) / max(len(rows), 1) -> 2": "without rows there are no points",
    "length = 4 if intervals else 2 -> 5": "a share has four cells",
    "return Axis(self._scale * self.dots.low, self._scale * self.dots.high, 1) -> 2": (
        "the lines of its axis are at round numbers"
    ),
    'anchors = {0: "start", round(steps, 9): "end"} -> 10': "both are the last bits",
    'return f"{ceil(round(share * 1000, 9)) / 10:.1f}%" -> 10': "both are the last bits",
    **dict.fromkeys(
        [
            "return svg_to_bytes( -> without font_family='DejaVu Sans'",
            "return svg_to_bytes( -> without sans_serif_family='DejaVu Sans'",
            "return svg_to_bytes( -> without skip_system_fonts=True",
            "skip_system_fonts=True, -> False",
        ],
        "there is no other font here",
    ),
    'return replace(table, rows=[row for row, beside in pairs if beside.look != "sum"], beside=()) '
    "-> without beside=()": "nobody looks beside the rows of a picture",
    "locked(collection) -> left out": _LOCK,
    "_wait_for_ratings(collection) -> left out": _LOCK,
    "_wait_for_ratings(scheme.collection) -> left out": _LOCK,
    'seats = Seat.objects.filter(batch__collection=collection).order_by("pk") -> '
    "without batch__collection=collection": _LOCK,
    "locked(judgment_set.collection) -> left out": _LOCK,
    "locked(run.system.collection) -> left out": _LOCK,
    "locked(system.collection) -> left out": _LOCK,
    **dict.fromkeys(
        [f"hook.save(force_insert=True) -> {c}" for c in ("False", "without force_insert=True")],
        "a new row has no key",
    ),
    **dict.fromkeys(
        [f"seal.save(force_insert=True) -> {c}" for c in ("False", "without force_insert=True")],
        "a trigger refuses the update",
    ),
    'recent = Seal.objects.filter(sealed_at__gte=since).values_list("ranges", flat=True) -> '
    "without sealed_at__gte=since": "earlier seals leave no gap that is looked at",
    'return value.astimezone(UTC).isoformat(timespec="microseconds") -> '
    "without timespec='microseconds'": "spelled alike when sealed and when checked",
    "rounded, middle = values.round(12), round(figure, 12) -> 13": "both are the last bits",
    "if (x == x[0]).all() or (y == y[0]).all(): -> 1": "a list is constant by any of its values",
    "value_counts = np.bincount(positions, minlength=values.size) -> "
    "without minlength=values.size": ("every value occurs"),
    "f1 = np.nan_to_num(ratio(2 * agreed, value_counts), nan=0.0) -> without nan=0.0": (
        "0 is what numpy takes by itself"
    ),
    "return kernel(square(cells, values), values, **options) -> without **options": (
        "made when the module is loaded, where no fault is put; test_kernels compares each measure"
    ),
    "number = np.bincount(topics.pattern, weights=topics.count, minlength=len(topics.patterns)) -> "
    "without minlength=len(topics.patterns)": "every pattern occurs",
    "most = max(1, min(RESAMPLES_AT_ONCE, VALUES_AT_ONCE // max(1, self.topics.topics))) -> 2": (
        "how many resamples are drawn at once"
    ),
    **dict.fromkeys(
        [
            *("if highest > 4 * codes.size + 1000: -> " + c for c in ("GtE", "5", "1001")),
            *("if highest > 4 * codes.size + 1000: -> " + c for c in ("Div", "Sub", "if not")),
            "highest = int(codes.max(initial=0)) -> 1",
        ],
        "sorting and counting number alike",
    ),
    "return np.maximum(np.nan_to_num(self.values, nan=0.0), 0.0) -> without nan=0.0": (
        "0 is what numpy takes by itself"
    ),
    "return -np.sort(-self.gains, axis=-1) -> without axis=-1": "numpy sorts the last axis",
    'order = np.argsort(values, axis=-1, kind="stable") -> without axis=-1': (
        "numpy sorts the last axis"
    ),
    "size = max(1, PRODUCTS_AT_ONCE // max(1, flips.size)) -> Mult": "how many rows at once",
    "pairs = by_seat.shape[-1] -> without USub": "grades by seat have two axes",
    **dict.fromkeys(
        [
            "size = max(1, 2_000_000 // max(1, len(first) * flat.shape[-1])) -> 2000001",
            "size = max(1, 2_000_000 // max(1, len(first) * flat.shape[-1])) -> 2",
        ],
        "how many draws at once",
    ),
    "place = np.zeros(highest + 1, dtype=np.int_) -> 2": "one place more, which nobody looks at",
    "_, code = numbered_in_order(code * (values.size + 1) + rater - MISSING) -> 2": (
        "the numbers only have to differ"
    ),
    "raters = max((len(matrix) for matrix in matrices), default=0) -> 1": (
        "without matrices none is padded"
    ),
    'return Figure(float(kendalltau(x, y, variant="b").statistic)) -> '
    "without variant='b'": "b is what scipy takes by itself",
    "has_pair: npt.NDArray[np.bool_] = sums.sum(axis=-1) > 0.5 -> GtE": "counts are about whole",
    "has_pair: npt.NDArray[np.bool_] = features[..., PAIRED] > 0.5 -> GtE": (
        "counts are about whole"
    ),
    "two_of_them = between * (between - 1.0) / 2.0 -> Mult": "divided by the largest of them",
    **dict.fromkeys(
        [
            "np.vstack(parts).reshape(-1, len(table), table.shape[-1]).swapaxes(0, 1) -> 2",
            "meant = self.is_meant.reshape(len(self.measures), 1, -1, *[1] * (values.ndim - 3)) -> "
            "2",
        ],
        "numpy takes -2 for -1",
    ),
    "if missing is Missing.LOWEST and source.kind in OF_SEATS: -> Or": (
        "the same grades are computed twice"
    ),
    "scale = Scale(scheme, topic.facet, version=version) -> without version=version": (
        "the current version, read again for every row"
    ),
    **dict.fromkeys(
        [
            "defined = ~np.isnan(resampled).any(axis=-1) -> without USub",
            "topics = rows.shape[-1] -> without USub",
            "has_value = defined.any(axis=-1, keepdims=True) -> without USub",
            "filled.sum(axis=-1, keepdims=True), -> without USub",
            "np.maximum(defined.sum(axis=-1, keepdims=True), 1), -> without USub",
            "ends[:, defined] = np.percentile(resampled[defined], [tail, 100 - tail], axis=-1) -> "
            "without USub",
            "return np.asarray(defined[drawn].mean(axis=-1)) -> without USub",
        ],
        "rows of values have two axes",
    ),
    "top = newest.last_event if newest else 0 -> 1": "the first event then counts as a late one",
    **dict.fromkeys(
        [
            "(SEATS, batch, seats.get(batch, 0), batch in unfinished) -> 1",
            "of_topics[topic].append((kind, batch or 0, *(number or 0 for number in numbers))) -> "
            "1",
            '.values(kind=Value(RATINGS), of_topic=F("pair__topic_id"), of_batch=Value(0)) -> 1',
            '.values(kind=Value(DECISIONS), of_topic=F("pair__topic_id"), of_batch=Value(0)) -> 1',
            "seat = ratings.batch[pair] * (len(ratings.values) + 1) + ordinal -> 2",
        ],
        "the numbers only have to differ",
    ),
    **dict.fromkeys(
        [
            "return parts[0].union(*parts[1:], all=True) -> without all=True",
            "return parts[0].union(*parts[1:], all=True) -> False",
        ],
        "no two rows are alike",
    ),
    "Rating.objects.using(collection._state.db) -> without pair__topic__collection=collection": (
        "topics of other collections have no pairs here; their ratings are counted in vain"
    ),
    "nobody_else = np.logical_and.reduce(mask | ~ratings.is_answered, axis=0) -> without axis=0": (
        "numpy reduces the first axis"
    ),
    "return self.as_sql(compiler, connection, template=template, **context) -> without **context": (
        "there is no context"
    ),
    "candidates = Candidate.objects.using(using).filter(query__in=queries) -> "
    "without query__in=queries": "pools are taken by query; the others are read in vain",
    "return secrets.token_urlsafe(32) -> 33": "longer still",
    'update_fields=["off", "failures", "failing_since", "quiet_until", "sealed_through"] -> '
    "without 'sealed_through'": "what came before it listens is read again and not sent",
    **dict.fromkeys(
        [
            'logger.warning("Broker away (%s); job %s waits for the next sweep.", error, job) -> '
            "left out",
            'logger.warning("Heartbeat of job %s: %s", run.job, error) -> left out',
        ],
        "only the log says it",
    ),
    **dict.fromkeys(
        [
            "documents = Document.objects.filter(collection=self.collection, "
            "external_id__in=names) -> without external_id__in=names",
            "pairs = Pair.objects.filter( -> "
            "without topic__external_id__in={row.topic for row in rows}",
            "pairs = Pair.objects.filter( -> without document__external_id__in=documents",
        ],
        "they are looked up by name; the others are read in vain",
    ),
    "return (first, second) if first.pk <= second.pk else (second, first) -> Lt": (
        "an export beside itself has no order"
    ),
    'Topic.objects.filter(collection=collection, locked_at=None).values_list("pk", "external_id") '
    "-> without collection=collection": "topics are looked up by id; the others are read in vain",
    "for pk, metadata in Topic.objects.filter(collection=collection) -> "
    "without collection=collection": "topics are looked up by id; the others are read in vain",
    'Document.objects.filter(collection=collection).values_list("pk", "external_id") -> '
    "without collection=collection": "documents are looked up by id; the others are read in vain",
    **dict.fromkeys(
        [
            "for topic, query in TopicPlace.objects.filter(query__collection=collection)"
            ".values_list( -> without query__collection=collection",
            "for query, document, names_of_sources in Candidate.objects.filter( -> "
            "without query__collection=collection",
            "for topic, facet, parent in TopicPlace.objects.filter(query__collection=collection)"
            ".values_list( -> without query__collection=collection",
        ],
        "queries are looked up by topic; those of others are read in vain",
    ),
    "if place < ranks.get(document, place + 1): -> LtE": "the same rank is written again",
    "query__collection=collection, topic__in=Topic.objects.filter(collection=collection) -> "
    "without collection=collection": "a query asks for topics of its collection alone",
    "thread.join() -> left out": "the thread ends by itself a moment later",
    'for hook in Hook.objects.filter(off="", sealed_through__lt=newest): -> '
    "without off=''": "a hook that is off is not moved on; its seals are read in vain",
    'for hook in Hook.objects.filter(off="", sealed_through__lt=newest): -> '
    "without sealed_through__lt=newest": "a hook that has read all seals reads none",
    "hook = Hook(collection=collection, created_by=by, sealed_through=newest_seal()) -> "
    "without sealed_through=newest_seal()": ("what came before it listens is read and not sent"),
    "doubled = FIRST_PAUSE * 2 ** min(failures - 1, 20) -> 21": (
        "both are far above the longest pause"
    ),
    "free = Delivery.objects.free().filter( -> without state=Delivery.State.WAITING": (
        "whoever ended it meanwhile has counted a try"
    ),
    **dict.fromkeys(
        [
            "is_over = delivery_now.kind == TEST or hook.now - failing_since >= PATIENCE -> Gt",
            "if now - hook.failing_since >= PATIENCE and hook.is_on: -> Gt",
        ],
        "no time is that long to the microsecond",
    ),
    "waiting.filter(claimed_until=None).update(next_try_at=Now()) -> "
    "without claimed_until=None": "what is held gets another time when its try is over",
    "pairs = Pair.objects.handed_in().filter( -> without topic__collection=collection": (
        "an event of the collection is about a pair of it"
    ),
    "is_compatible = machine in COMPATIBLE and int(machine) > 1 -> 2": (
        "neither ::2 nor 0.0.0.2 is anybody's address"
    ),
    "largest = max((batch.size for batch in batches), default=0) -> 1": (
        "without batches there is nothing to compare with it"
    ),
    "first_seats[group[0]] += 1 -> 2": "counts are only compared with each other",
    "group: spread(group) for group in combinations(eligible[: group_size + 4], group_size) -> 5": (
        "how many members are combined"
    ),
    "last[query.pk] += 1 -> 2": "positions only have to ascend",
    "rows = Pair.objects.filter( -> "
    "without topic__external_id__in=topics[start:start + LOOKED_UP_AT_ONCE]": (
        "pairs are picked by name; the others are read in vain"
    ),
    "batches = Batch.objects.using(using).filter(collection=collection).handed_in() -> "
    "without collection=collection": "the pairs are of the collection alone",
    **dict.fromkeys(
        [
            "return data.read(512) -> 513",
            "if not file.start(2).startswith(UTF_16): -> 3",
            "start = file.start(8) -> 9",
            "start = file.start(64).removeprefix(strict.BOM).lstrip() -> 65",
            'if file.start(64).removeprefix(strict.BOM).lstrip().startswith(b"{"): -> 65',
            'start = file.start(16384).decode("utf-8", "replace").lower() -> 16385',
            "while line := data.readline(MAX_LINE_BYTES + 1): -> 2",
        ],
        "a byte more is looked at",
    ),
    **dict.fromkeys(
        [
            "base = PurePosixPath(self.name.rsplit(WITHIN, 1)[-1]).name -> 2",
            "return PurePosixPath(self.name.rsplit(WITHIN, 1)[-1]).parent.name -> 2",
        ],
        "the last part is the same",
    ),
    'with tempfile.TemporaryDirectory(prefix="facetwise-files-") as folder: -> '
    "without prefix='facetwise-files-'": "nobody sees its name",
    'path.open("w", encoding="utf-8", newline="") as out, -> '
    "without encoding='utf-8'": "the usual encoding here",
    'path.open("w", encoding="utf-8", newline="") as out, -> '
    "without newline=''": "lines end so here",
    "self.paths += 1 -> 2": "the numbers only have to differ",
    **dict.fromkeys(
        [
            "self.offsets[paper.paper_id] = self.spool.seek(0, io.SEEK_END) -> 1",
            "self._offsets[document.id] = self._spool.seek(0, io.SEEK_END) -> 1",
        ],
        "a byte that nobody reads between two of them",
    ),
    "assembly.add_query( -> without may_repeat=True": (
        "a query comes again with another text alone, which is refused"
    ),
    **dict.fromkeys(
        [
            'text = literal.strip().replace(MINUS, "-", 1) -> 2',
            'value = Decimal(text.strip().replace(",", ".").replace(MINUS, "-", 1)) -> 2',
        ],
        "two signs make no number",
    ),
    **dict.fromkeys(
        [
            '"scale": {"order": "ordinal", "options": options}, -> without \'order\'',
            'option = {"key": key, "value": choice.value, "name": choice.name, "shortcut": ""} -> '
            "without 'shortcut'",
        ],
        "what a definition without it means",
    ),
    'if column.physical_type == "BYTE_ARRAY" and column.logical_type.type != "DECIMAL": -> Or': (
        "numbers are not read by a dictionary"
    ),
    'csv.writer(lines, lineterminator="\\r\\n").writerows(rows) -> '
    "without lineterminator='\\r\\n'": "what the writer takes by itself",
    "stream = JsonStream(self.file, chunk_bytes=chunk_bytes, progress=progress) -> "
    "without chunk_bytes=chunk_bytes": "how much is read at once",
    'same = (pairs.gold == own_values)[comparable][np.argsort(when, kind="stable")] -> '
    "without kind='stable'": "numpy leaves equal times in order, though it does not promise to",
    "two = np.concatenate(twos).astype(np.min_scalar_type(people.size**2)) -> 3": "wider still",
    "order = np.argsort(two, kind=\"stable\") -> without kind='stable'": (
        "no figure of two people depends on the order of their pairs"
    ),
    **dict.fromkeys(
        [
            "became[decided & (gold > lowest) & (gold < highest)] = Outcome.BETWEEN -> GtE",
            "became[decided & (gold > lowest) & (gold < highest)] = Outcome.BETWEEN -> LtE",
        ],
        "the ends are written after it",
    ),
    "if low < high -> LtE": "no pair that differs has one value",
    "of_batch=F(batch) if batch else Value(0), -> 1": "one number for all rows of no batch",
    **dict.fromkeys(
        [
            "rows = Batch.objects.filter(collection=self.older.collection_id) -> "
            "without collection=self.older.collection_id",
            "events = Event.objects.filter( -> without collection=self.older.collection.public_id",
        ],
        "batches and events are looked up by id; the others are read in vain",
    ),
    "if x > left and x + wide > WIDTH: -> GtE": "no words end at the very edge",
    "longest = 100 if picture.as_shares else max(totals, default=0) or 1 -> 1": (
        "an axis without bars ends at 1"
    ),
    **dict.fromkeys(
        [
            "places: Iterable[tuple[int, int | None]] = TopicPlace.objects.filter( -> "
            "without topic__collection=collection",
            "places: Iterable[tuple[int, int | None]] = TopicPlace.objects.filter( -> "
            "without topic__facet=''",
            "TopicPlace.objects.filter(topic__collection=collection) -> "
            "without topic__collection=collection",
        ],
        "places are looked up by topic; the others are read in vain",
    ),
    "Candidate.objects.filter(query__collection=collection) -> "
    "without query__collection=collection": (
        "candidates are picked by query; the others are read in vain"
    ),
    'width = max(candidates["document"].max(), document.max()) + 1 -> 2': (
        "ids need only be told apart"
    ),
    "step = next(size * times for times in (1, 2, 2.5, 5, 10) if size * times >= "
    "raw * (1 - 1e-9)) -> Gt": "no step is less by just that part",
    "place = np.full(len(self.topics), -1, dtype=np.int64) -> 2": "below 0 as well",
}
