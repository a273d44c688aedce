"""Actions on collections, their invitations and their members."""

from datasets.actions.collections import (
    DETAILS,
    SIGN_IN_RULES,
    change_details,
    change_programs,
    change_scoring_guard,
    change_sign_in_rules,
    create_collection,
)
from datasets.actions.invitations import (
    AlreadyMember,
    InvitationSpent,
    OwnInvitation,
    accept_invitation,
    add_role,
    find_invitation,
    invite,
    join_with_new_account,
    link_account,
    member_by_link,
    revoke_invitation,
)
from datasets.actions.members import HoldsSeats, remove_member, set_roles
