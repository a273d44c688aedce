"""The collection of a page that belongs to a lower layer."""

from django import template

from datasets.access import current_memberships

register = template.Library()


@register.simple_tag
def member_of(public_id, user):
    """This person's membership of a collection, by its public id; None for others and for none."""
    if public_id is None:
        return None
    return current_memberships().filter(collection__public_id=public_id, user=user).first()


@register.simple_tag
def memberships_of(user):
    """This person's current memberships, each with its collection."""
    return current_memberships().filter(user=user)
