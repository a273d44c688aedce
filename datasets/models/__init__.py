"""Collections and what is in them, and what others made of them: judgments, systems, runs."""

from datasets.models.collections import (
    IDENTIFIER,
    IDLE_CHOICES,
    ActiveManager,
    Candidate,
    Collection,
    Document,
    Import,
    Imported,
    Invitation,
    Membership,
    MembershipQuerySet,
    Query,
    Role,
    RolePeriod,
    Topic,
    TopicPlace,
    pseudonym_key,
)
from datasets.models.judgments import Judgments, JudgmentSet
from datasets.models.runs import Level, Ranking, Run, System

__all__ = [
    "IDENTIFIER",
    "IDLE_CHOICES",
    "ActiveManager",
    "Candidate",
    "Collection",
    "Document",
    "Import",
    "Imported",
    "Invitation",
    "JudgmentSet",
    "Judgments",
    "Level",
    "Membership",
    "MembershipQuerySet",
    "Query",
    "Ranking",
    "Role",
    "RolePeriod",
    "Run",
    "System",
    "Topic",
    "TopicPlace",
    "pseudonym_key",
]
