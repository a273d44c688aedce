"""Parameters of an address that say yes or no."""

from collections.abc import Mapping

from django.core.exceptions import BadRequest

YES = ("1", "yes", "true", "on")
NO = ("0", "no", "false", "off")


def is_yes(parameters: Mapping[str, str], name: str, *, bare: bool = False) -> bool:
    """Whether an address says yes; BadRequest for a word that is neither yes nor no.

    No is what it does not name. `bare` is what a name without a value says.
    """
    if name not in parameters:
        return False
    word = parameters[name]
    if word not in ("", *YES, *NO):
        raise BadRequest(f"{name} is {word!r}; expected {YES[0]} for yes or {NO[0]} for no.")
    return word in YES if word else bare
