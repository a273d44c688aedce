"""Parameters of an address: a yes or no, and a choice."""

from collections.abc import Iterable, Mapping

from django.core.exceptions import BadRequest

YES = ("1", "yes", "true", "on")
NO = ("0", "no", "false", "off")
# Of the values that a refusal names.
MOST_ALTERNATIVES = 12


def is_yes(parameters: Mapping[str, str], name: str, *, bare: bool = False) -> bool:
    """Whether an address says yes; BadRequest for a word that is neither yes nor no.

    An absent name means no, and a name without a value means `bare`.
    """
    if name not in parameters:
        return False
    word = parameters[name]
    if word not in ("", *YES, *NO):
        raise BadRequest(f"{name} is {word!r}; expected {YES[0]} for yes or {NO[0]} for no.")
    return word in YES if word else bare


def one_of(parameters: Mapping[str, str], name: str, choices: Iterable[str]) -> str:
    """A parameter of an address, by default the first of the choices; BadRequest for any other
    word."""
    words = [str(choice) for choice in choices]
    value = parameters.get(name) or words[0]
    if value not in words:
        raise no_such_choice(name, value, words)
    return value


def no_such_choice(name: str, value: str, words: Iterable[str]) -> BadRequest:
    """The refusal of a value that is none of these words; it names the first of them."""
    some = [word for word in words if word]
    if not some:
        return BadRequest(f"{name} is {value!r}, but there is none yet.")
    if len(some) > MOST_ALTERNATIVES:
        some[MOST_ALTERNATIVES:] = "…"
    return BadRequest(f"{name} is {value!r}; expected one of {', '.join(some)}.")
