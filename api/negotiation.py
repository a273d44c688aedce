"""The format of an answer, by the preferences that `Accept` gives."""

from collections.abc import Sequence
from typing import Any

from django.http.request import MediaType
from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer


class ByQuality(DefaultContentNegotiation):
    """The format with the highest quality (RFC 9110, 12.5.1), which the framework's own ignores.

    Of equal ones that which `Accept` names most exactly, then the first that the endpoint has.
    """

    def select_renderer(
        self, request: Any, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        accepted = request.accepted_types
        preferred = max(renderers, key=lambda renderer: _preference(renderer, accepted))
        if _preference(preferred, accepted)[0] == 0:
            raise NotAcceptable(available_renderers=renderers)
        chosen: tuple[BaseRenderer, str] = super().select_renderer(
            request, [preferred], format_suffix
        )
        return chosen


def _preference(renderer: BaseRenderer, accepted: Sequence[MediaType]) -> tuple[float, int]:
    """The quality that the most exact fitting type gives the format, and how exact that is."""
    offered = MediaType(renderer.media_type)
    fitting = [
        ((kind.main_type != "*") + (kind.sub_type != "*"), kind.quality)
        for kind in accepted
        if kind.main_type in ("*", offered.main_type) and kind.sub_type in ("*", offered.sub_type)
    ]
    exactness, quality = max(fitting, default=(0, 0.0))
    return quality, exactness
