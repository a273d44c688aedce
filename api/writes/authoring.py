"""Writing queries, their aspects and their pools."""

from typing import Any

from django.db.models import BigIntegerField
from rest_framework import serializers
from rest_framework.response import Response

from annotation.authoring.actions import aspects, pools, queries
from annotation.authoring.forms import (
    MAX_CORPUS_BYTES,
    AboutQueryForm,
    AspectForm,
    CandidatesForm,
    CorpusForm,
    NewQueryForm,
    SentencesForm,
)
from annotation.authoring.report import query_page
from annotation.authoring.rules import place_in, sentences_token
from annotation.authoring.views.queries import get_query
from api.documentation import described
from api.endpoint import Endpoint
from api.writes.call import Call, Target, calling
from api.writes.fields import choice, of_collection, texts
from api.writes.targets import JUDGED, QUERY
from api.writes.write import HOME, ROW, Write
from audit.refusals import Invalid
from datasets import uploads
from datasets.models import Role, Scope, TopicPlace
from datasets.tree import Step
from formats.corpus import read_corpus

OF_QUERY = f"{HOME}/queries/{ROW}"
OF_PLACE = f"{OF_QUERY}/aspects/<int:place>"
SEEN = "The token of the sentences that you read; 409 if they are others by now."


PLACE = Target("place", lambda call: place_in(QUERY.load(call), call.arguments["place"]))


def _add_aspect(call: Call) -> TopicPlace:
    parent = call.fields["parent"]
    return aspects.add_aspect(
        query=call.target,
        text=call.fields["text"],
        parent=None if parent is None else place_in(call.target, parent),
        by=call.user,
    )


def _link_sentences(call: Call) -> None:
    links = call.fields["links"]
    if len(links) != len(call.target.sentences):
        raise Invalid(
            f"There are {len(links):,} lists of aspects for {len(call.target.sentences):,} "
            "sentences. Send one for each."
        )
    seen = call.fields.get("seen", sentences_token(call.target))
    queries.link_sentences(query=call.target, links=links, seen=seen, by=call.user)


ADDED: dict[str, serializers.Field] = {
    "candidates": serializers.IntegerField(help_text="New in the pool."),
    "known": serializers.IntegerField(help_text="There already."),
    "documents": serializers.IntegerField(help_text="New in the collection."),
    "pairs": serializers.IntegerField(help_text="New pairs, which wait for a batch."),
}


def _add_candidates(call: Call) -> pools.Added:
    return pools.add_candidates(
        query=call.target,
        external_ids=call.fields["ids"],
        source=call.fields["source"],
        by=call.user,
    )


def _file_name(call: Call) -> str:
    return ascii(uploads.base_name(call.fields["file"].name))[1:-1]


def _read_corpus(call: Call) -> Any:
    return read_corpus(call.fields["file"].read(), file=_file_name(call))


def _add_corpus(call: Call) -> pools.Added:
    return pools.add_corpus(
        query=call.target,
        corpus=call.prepared,
        file=_file_name(call),
        source=call.fields["source"],
        by=call.user,
    )


def _remove_candidates(call: Call) -> dict[str, int]:
    documents = call.fields["documents"]
    removed = pools.remove_candidates(query=call.target, external_ids=documents, by=call.user)
    return {"removed": removed}


WRITES = [
    Write(
        "write-query",
        "Add a query that is a text. Its sentences are guessed.",
        f"{HOME}/queries",
        calling(queries.write_query),
        JUDGED,
        form=NewQueryForm,
        answer={
            "id": serializers.UUIDField(source="public_id", help_text="The query's public id."),
            "query": serializers.CharField(
                source="external_id", help_text="The id that the collection gives it."
            ),
        },
    ),
    Write(
        "edit-query",
        "Change the text of a query, one sentence a line. It is fixed once an aspect is.",
        f"{OF_QUERY}/text",
        calling(queries.edit_query),
        QUERY,
        form=SentencesForm,
        usual={"seen": lambda call: sentences_token(call.target)},
        method="put",
    ),
    Write(
        "describe-query",
        "Change the type and the notes of a query, which annotators do not see.",
        OF_QUERY,
        calling(queries.describe_query),
        QUERY,
        form=AboutQueryForm,
        options=lambda call: {"initial": call.target.metadata},
        method="patch",
    ),
    Write(
        "remove-query",
        "Remove a query with its pool. Remove its aspects before; other topics go with it while no "
        "batch has pairs of them. The documents stay.",
        OF_QUERY,
        calling(queries.remove_query),
        QUERY,
        method="delete",
    ),
    Write(
        "link-sentences",
        "Say which aspects each sentence asks for. Fixed links stay.",
        f"{OF_QUERY}/links",
        _link_sentences,
        QUERY,
        fields={
            "links": serializers.ListField(
                child=texts(),
                help_text="For each sentence the topics that it asks for.",
            ),
            "seen": serializers.CharField(required=False, help_text=SEEN),
        },
        method="put",
    ),
    Write(
        "add-aspect",
        "Put an aspect at the end of the query's tree, or below another.",
        f"{OF_QUERY}/aspects",
        _add_aspect,
        QUERY,
        fields={
            "text": serializers.CharField(help_text="What it asks for."),
            "parent": serializers.IntegerField(
                required=False,
                default=None,
                allow_null=True,
                min_value=1,
                max_value=BigIntegerField.MAX_BIGINT,
                help_text="The place of the aspect that it stands below.",
            ),
        },
        answer={
            "place": serializers.IntegerField(
                source="pk", help_text="Where it stands in this query."
            ),
            "topic": serializers.CharField(
                source="topic.external_id", help_text="The topic that it is."
            ),
        },
    ),
    Write(
        "edit-aspect",
        "Change the text of an aspect, at this place alone.",
        OF_PLACE,
        calling(aspects.edit_aspect),
        PLACE,
        form=AspectForm,
        method="put",
    ),
    Write(
        "move-aspect",
        "Rearrange the tree by one step.",
        f"{OF_PLACE}/move",
        calling(aspects.move_aspect),
        PLACE,
        fields={"step": choice(Step, help_text="What to do with it.")},
    ),
    Write(
        "add-candidates",
        "Put documents of the collection into a query's pool, by their ids.",
        f"{OF_QUERY}/pool",
        _add_candidates,
        QUERY,
        form=CandidatesForm,
        answer=ADDED,
        status=200,
    ),
    Write(
        "add-corpus",
        "Put the documents of a file into a query's pool; new ones into the collection too.",
        f"{OF_QUERY}/pool/file",
        _add_corpus,
        QUERY,
        form=CorpusForm,
        prepare=_read_corpus,
        answer=ADDED,
        status=200,
        most_bytes=lambda: MAX_CORPUS_BYTES,
    ),
    Write(
        "remove-candidates",
        "Take documents out of a query's pool. They stay in the collection.",
        f"{OF_QUERY}/pool/remove",
        _remove_candidates,
        QUERY,
        fields={"documents": texts("Their ids.", min_length=1)},
        answer={"removed": serializers.IntegerField(help_text="How many were there.")},
        status=200,
    ),
]


class Steps(serializers.ListField):
    def to_representation(self, steps: Any) -> list[str]:
        return super().to_representation(sorted(steps))


class AspectRow(serializers.Serializer):
    place = serializers.IntegerField(help_text="By which it is changed.")
    mark = serializers.CharField(help_text="Its number, as the page shows it.")
    topic = serializers.CharField(source="topic.external_id")
    text = serializers.CharField(source="topic.text")
    is_sub = serializers.BooleanField(help_text="Whether it stands below the one before.")
    is_fixed = serializers.BooleanField(help_text="Whether ratings keep it as it is.")
    steps = Steps(child=serializers.CharField(), help_text="What it can do.")


class QueryTree(serializers.Serializer):
    seen = serializers.CharField(help_text=SEEN)
    aspects = AspectRow(many=True)
    hints = texts()


class Aspects(Endpoint):
    scope, roles = Scope.READ, (Role.LEAD,)

    @described(
        "list-aspects",
        "The aspects of a query as a tree, with the possible steps of each.",
        answers={(200, "application/json"): QueryTree},
    )
    def get(self, request: Any, slug: str, public_id: Any) -> Response:
        query, _ = get_query(request.user, public_id)
        of_collection(query.collection, slug)
        page = query_page(query)
        tree = {"seen": sentences_token(query), "aspects": page.aspects, "hints": page.hints}
        return Response(QueryTree(tree).data)
