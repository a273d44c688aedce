from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.urls import path

from bench.floor.models import FloorPair, FloorRating


def healthz(request):
    return HttpResponse("ok")


@login_required
def save(request):
    pair = FloorPair.objects.get(pk=request.POST["pair"])
    rating = FloorRating.objects.create(
        pair_id=pair.pk,
        save_id=request.POST["save_id"],
        answer=request.POST["answer"],
        note=request.POST["note"],
    )
    return HttpResponse(f'<div id="saved" data-save-id="{rating.save_id}"></div>')


urlpatterns = [path("healthz", healthz), path("save/", save)]
