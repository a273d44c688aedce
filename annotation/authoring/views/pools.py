"""The pool of a query that is being written."""

from django.contrib import messages
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST, require_safe

from accounts.listing import listing
from annotation.authoring.actions import pools
from annotation.authoring.forms import MAX_CORPUS_BYTES, CandidatesForm, CorpusForm
from annotation.authoring.views.queries import get_query
from audit.refusals import Invalid, Refused, raised_as
from datasets import uploads
from datasets.access import of_member
from datasets.models.documents import read_untitled
from formats.corpus import read_corpus
from formats.problems import BadInputError
from formats.strict import BadTextError, check_storable
from formats.words import counted

PAGE_SIZE = 200


@require_safe
def pool(request, public_id):
    query, member = get_query(request.user, public_id)
    return _page(request, member, query)


@require_POST
def add_candidates(request, public_id):
    query, member = get_query(request.user, public_id)
    form = CandidatesForm(request.POST)
    if not form.is_valid():
        return _page(request, member, query, ids_form=form, status=422)
    try:
        added = pools.add_candidates(
            query=query,
            external_ids=form.cleaned_data["ids"],
            source=form.cleaned_data["source"],
            by=request.user,
        )
    except Refused as refused:
        form.add_error("ids", str(refused))
        return _page(request, member, query, ids_form=form, status=refused.status)
    return _added(request, query, added)


# Exempt only until the size is known: the check for the token reads the whole body.
@csrf_exempt
@require_POST
def add_corpus(request, public_id):
    query, member = get_query(request.user, public_id)
    size = uploads.size_of(request)
    if size > MAX_CORPUS_BYTES:
        return _page(request, member, query, is_too_large=True, status=413)
    return _add_corpus(request, member, query)


@csrf_protect
def _add_corpus(request, member, query):
    form = CorpusForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, member, query, corpus_form=form, status=422)
    file = form.cleaned_data["file"]
    name = ascii(uploads.base_name(file.name))[1:-1]
    try:
        added = pools.add_corpus(
            query=query,
            corpus=read_corpus(file.read(), file=name),
            file=name,
            source=form.cleaned_data["source"],
            by=request.user,
        )
    except BadInputError as bad:
        return _page(request, member, query, corpus_form=form, bad=bad, status=422)
    except Refused as refused:
        form.add_error("file", str(refused))
        return _page(request, member, query, corpus_form=form, status=refused.status)
    return _added(request, query, added)


@require_POST
def remove_candidates(request, public_id):
    query, member = get_query(request.user, public_id)
    external_ids = request.POST.getlist("candidate")
    try:
        if not external_ids:
            raise Invalid("Tick the candidates that you want to remove.")
        with raised_as(Invalid, BadTextError):
            check_storable(external_ids)
        removed = pools.remove_candidates(query=query, external_ids=external_ids, by=request.user)
    except Refused as refused:
        return _page(request, member, query, remove_error=str(refused), status=refused.status)
    messages.success(request, f"{removed:,} removed from the pool. The documents stay.")
    return redirect("annotation:pool", public_id)


def _added(request, query, added):
    sentences = [f"{added.candidates:,} new in the pool"]
    if added.known:
        sentences.append(f"{added.known:,} there already")
    if added.documents:
        sentences.append(f"{added.documents:,} new in the collection")
    pairs = counted(added.pairs, "new pair waits", "new pairs wait")
    messages.success(request, f"{', '.join(sentences)}. {pairs} for a batch.")
    return redirect("annotation:pool", query.public_id)


def _page(request, member, query, *, status=200, **more):
    candidates = query.candidates.select_related("document").defer(
        "document__sentences", "document__metadata", "document__extra"
    )
    read_untitled(candidate.document for candidate in candidates if candidate.document)
    searched = listing(candidates, request.GET, text=_text_of, size=PAGE_SIZE)
    context = {
        **of_member(member),
        "query": query,
        "judges_aspects": member.collection.scheme.current.judges_aspects,
        **searched.context(),
        "ids_form": CandidatesForm(),
        "corpus_form": CorpusForm(),
        "max_corpus": MAX_CORPUS_BYTES,
    } | more
    return render(request, "annotation/queries/pool.html", context, status=status)


def _text_of(candidate):
    title = candidate.document.heading if candidate.document else ""
    return f"{title} {candidate.external_id} {' '.join(candidate.sources)}"
