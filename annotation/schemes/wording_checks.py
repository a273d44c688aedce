"""Whether the wording of a scheme is complete."""

from collections.abc import Iterable, Mapping
from typing import Any

from annotation.models import Option, Scheme
from annotation.schemes.keys import key_problem
from annotation.schemes.wording import JudgedWords, OptionWords, Wording
from audit.refusals import Invalid
from formats.decimals import plain


def check_wording(scheme: Scheme, wording: Mapping[str, Any]) -> None:
    """Raise Invalid, naming the place, unless the wording is complete and its keys differ."""
    words = Wording.of(wording)
    for facet in scheme.facets.all():
        judged = words.judged(facet.key)
        options = scheme.scale_of(facet.key).offered
        _check_words(judged, f"The facet {facet.key}", options)
        if not scheme.shares_a_scale:
            _check_options(judged.options, options)
    if scheme.shares_a_scale:
        options = scheme.scale_of("").offered
        _check_options(words.options, options)
        if scheme.current.judges_aspects:
            _check_words(words.judged(""), "What an aspect is called", options)


def _check_options(words_of: Mapping[str, OptionWords], options: Iterable[Option]) -> None:
    shortcuts: dict[str, str] = {}
    for option in options:
        words = words_of.get(option.key, OptionWords(""))
        if not words.name.strip():
            raise Invalid(f"The option {option.key} needs a name.")
        problem = key_problem(words.shortcut, value=plain(option.value), used_keys=shortcuts)
        if problem:
            raise Invalid(f"{words.name}: {problem}")
        shortcuts[words.shortcut] = words.name


def _check_words(words: JudgedWords, place: str, options: Iterable[Option]) -> None:
    if not words.name.strip():
        raise Invalid(f"{place} needs a name.")
    for option in options:
        if not words.definitions.get(option.key, "").strip():
            raise Invalid(f"{words.name}: the option {option.key} needs a definition.")
