"""People who sign in."""

import hashlib
import uuid
from typing import Self

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models import F
from django.db.models.functions import Lower, Now
from django.utils import timezone
from django.utils.crypto import salted_hmac

from audit.constraints import check


def initials_of(name: str) -> str:
    """The first letters of the first and the last word of a name."""
    words = name.split()
    return "".join(word[0] for word in words[:1] + words[1:][-1:]).upper()


class UserManager(BaseUserManager["User"]):
    def create_user(self, email, password=None, **fields):
        """Make an account; without a password it cannot sign in until a reset link sets one."""
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def get_by_natural_key(self, email):
        return self.get(email=email.lower())


class User(AbstractBaseUser):
    """An account. Roles belong to memberships of collections; only `is_site_admin` is global."""

    class Shortcuts(models.TextChoices):
        """The ways of single-key shortcuts (WCAG 2.1.4)."""

        PLAIN = "plain", "single keys"
        ALT = "alt", "with the Alt key"
        OFF = "off", "off"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    email = models.EmailField(
        "e-mail address",
        unique=True,
        error_messages={"unique": "There is already an account with this e-mail address."},
    )
    name = models.CharField(max_length=120)
    is_active = models.BooleanField(default=True)
    is_site_admin = models.BooleanField(default=False)
    date_joined = models.DateTimeField(default=timezone.now, editable=False)
    session_epoch = models.PositiveIntegerField(default=0)
    one_key_mode = models.BooleanField(
        "one-key mode", default=False, help_text="An option's key saves at once."
    )
    shortcuts = models.CharField(max_length=5, choices=Shortcuts, default=Shortcuts.PLAIN)
    display = models.JSONField(default=dict, blank=True)
    # The person's own single keys where they differ from the usual ones (accounts/keys.py).
    keys = models.JSONField(default=dict, blank=True)

    objects = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = ["name"]

    class Meta:
        constraints = [
            check("email_lower_case", models.Q(email=Lower("email"))),
            check("shortcuts_known", models.Q(shortcuts__in=["plain", "alt", "off"])),
        ]

    def __str__(self):
        return self.name or self.email

    @property
    def initials(self):
        return initials_of(self.name) or initials_of(self.email)

    @property
    def has_second_factor(self):
        return SecondFactor.objects.confirmed().filter(account=self).exists()

    @property
    def sign_in_digest(self):
        """One word for what sessions rest on, which is no secret as a password's hash is."""
        return hashlib.md5(self._signs_in_by.encode(), usedforsecurity=False).hexdigest()

    @property
    def _signs_in_by(self):
        # Raising session_epoch signs the person out everywhere, as a new password does.
        return f"{self.password}:{self.session_epoch}"

    def _get_session_auth_hash(self, secret=None):
        return salted_hmac(
            "accounts.User.session", self._signs_in_by, secret=secret, algorithm="sha256"
        ).hexdigest()

    def end_sessions(self):
        """End every session, and spend the reset links, from the next request on."""
        User.objects.filter(pk=self.pk).update(session_epoch=F("session_epoch") + 1)
        self.refresh_from_db(fields=["session_epoch"])


class Session(AbstractBaseSession):
    """A session with the account that is signed in, so that one statement reads both.

    `edition` is another whenever the row is written. It is no secret, as the key is.
    """

    account = models.ForeignKey(User, on_delete=models.CASCADE, null=True, editable=False)
    edition = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)


class Attempt(models.Model):
    """The used part of one limit on guesses; see accounts/throttle.py.

    `key` is a keyed hash, so that neither addresses nor what people typed is kept. `free_at` is the
    moment, in milliseconds since 1970, from which on nothing counts any more.
    """

    key = models.CharField(max_length=64, unique=True)
    free_at = models.PositiveBigIntegerField(db_index=True)

    def __str__(self):
        return f"counts until {self.free_at}"


class SetupLink(models.Model):
    """The address at which a fresh installation makes its first admin; only its hash is kept."""

    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self):
        return f"set-up link of {self.created_at}"


class SecondFactorQuerySet(models.QuerySet):
    def confirmed(self) -> Self:
        """Those that count: a code of the app was typed."""
        return self.filter(confirmed_at__isnull=False)


class SecondFactor(models.Model):
    """An authenticator app of an account; it counts once `confirmed_at` is set.

    The secret is derived from `salt` and the installation's key. `last_step` is the time step of
    the last code that was used: none of it or before works again.
    """

    account = models.OneToOneField(User, on_delete=models.PROTECT, related_name="second_factor")
    salt = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    confirmed_at = models.DateTimeField(null=True, editable=False)
    last_step = models.PositiveBigIntegerField(default=0)

    objects = SecondFactorQuerySet.as_manager()

    def __str__(self):
        return f"second factor of {self.account}"


class RecoveryCode(models.Model):
    """A code for somebody who lost their app. It works once; only its hash is kept."""

    factor = models.ForeignKey(SecondFactor, on_delete=models.CASCADE, related_name="codes")
    code_hash = models.CharField(max_length=64, unique=True)
    used_at = models.DateTimeField(null=True, editable=False)

    def __str__(self):
        return f"recovery code of {self.factor.account}"
