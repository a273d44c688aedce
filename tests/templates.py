"""Names that a template reads of what does not have them.

Django shows nothing for `person.is_taken` where no person has that any more: a column stays empty,
and no test of another column sees it.
"""

from django.template.base import Variable, VariableDoesNotExist


def names_missed(monkeypatch):
    """A list to which each name is added that a template misses in an object of our own, with the
    object's type; what a mapping does not have is missed on purpose."""
    missed = []
    resolve = Variable._resolve_lookup

    def watched(variable, context):
        try:
            return resolve(variable, context)
        except VariableDoesNotExist:
            owner = _owner(variable, context, resolve)
            if type(owner).__module__.split(".")[0] not in ("builtins", "django"):
                missed.append(f"{type(owner).__name__}: {variable.var}")
            raise

    monkeypatch.setattr(Variable, "_resolve_lookup", watched)
    return missed


def _owner(variable, context, resolve):
    """The object in which the first part of a dotted name was missed; None for the context."""
    for count in range(len(variable.lookups) - 1, 0, -1):
        try:
            return resolve(Variable(".".join(variable.lookups[:count])), context)
        except VariableDoesNotExist:
            continue
    return None
