"""Collections and what is in them, and what others made of them: judgments, systems, runs."""

from datasets.models.collections import Collection, pseudonym_key
from datasets.models.documents import Document
from datasets.models.imports import ActiveManager, Import, Imported
from datasets.models.judgments import Judgments, JudgmentSet
from datasets.models.members import Invitation, Membership, Role, RolePeriod
from datasets.models.queries import Candidate, Query
from datasets.models.runs import Level, Ranking, Run, System
from datasets.models.tokens import SCOPES_OF, KeptAnswer, Scope, Token
from datasets.models.topics import Topic, TopicPlace
