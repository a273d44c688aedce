"""The second factor: codes of an authenticator app (TOTP, RFC 6238), and recovery codes.

The database holds no secret. An app's secret is derived from a random salt and the installation's
key, so that a copy of the database alone makes no codes. Recovery codes are kept as hashes.
"""

import base64
import secrets
import time
from datetime import timedelta

import pyotp
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import RecoveryCode, SecondFactor, User
from accounts.tokens import hash_of
from audit.actions import record
from audit.refusals import Invalid, Refused
from audit.transactions import locked, one_transaction
from audit.verbs import Verb

ISSUER = "Facetwise"
STEP = 30  # seconds that a code is good for
# A code of the step before or after is good as well, since clocks differ.
DRIFT = (0, -1, 1)
ENROLMENT = timedelta(hours=1)
RECOVERY_CODES = 10
RECOVERY_BYTES = 10  # 80 random bits, in groups of four letters
WRONG_CODE = "That code is wrong, or it was used before. Wait for the next one."


@one_transaction
def begin_enrolment(*, account: User) -> SecondFactor:
    """A new secret for the account's app, which counts once a code of it was typed."""
    locked(account)
    if account.has_second_factor:
        raise Refused("Your second factor is on already. Turn it off to use another app.")
    SecondFactor.objects.filter(account=account).delete()
    return SecondFactor.objects.create(account=account, salt=secrets.token_hex(32))


def unconfirmed_factor(account: User) -> SecondFactor | None:
    """The factor that somebody sets up now. After an hour it is forgotten, so that no secret is
    left on the screen of a session that somebody else finds."""
    since = timezone.now() - ENROLMENT
    return (
        SecondFactor.objects.select_related("account")
        .filter(account=account, confirmed_at=None, created_at__gt=since)
        .first()
    )


def secret_of(factor: SecondFactor) -> str:
    """The app's secret, 160 bits in base32; shown only until the factor is confirmed."""
    derived = salted_hmac("accounts.SecondFactor", factor.salt, algorithm="sha256").digest()
    return base64.b32encode(derived[:20]).decode()


def address_of(factor: SecondFactor) -> str:
    """The otpauth:// address that a QR code carries to the app."""
    totp = pyotp.TOTP(secret_of(factor))
    return totp.provisioning_uri(name=factor.account.email, issuer_name=ISSUER)


@one_transaction
def confirm_enrolment(*, account: User, code: str) -> list[str]:
    """Turn the second factor on; the recovery codes, which are shown this once.

    Every session of the account ends, since none has shown a code; the caller renews its own.
    """
    locked(account)
    factor = unconfirmed_factor(account)
    if factor is None:
        raise Refused("There is no enrolment to confirm. Begin again.")
    if not _use_app_code(factor, code):
        raise Invalid("That code is wrong. Check the clock of your device, and type the next one.")
    # Of two confirmations at once, the second finds the code used.
    SecondFactor.objects.filter(pk=factor.pk).update(confirmed_at=Now())
    account.end_sessions()
    record(Verb.TURN_ON_SECOND_FACTOR, account, by=account)
    return _new_recovery_codes(factor)


@one_transaction
def use_code(*, account: User, code: str) -> bool:
    """Whether this is a good code of the account, of the app or for recovery; each works once."""
    factor = SecondFactor.objects.confirmed().filter(account=account).first()
    if factor is None:
        return False
    if _use_app_code(factor, code):
        return True
    typed = "".join(code.upper().replace("-", " ").split())
    used = RecoveryCode.objects.filter(
        factor=factor, code_hash=hash_of(typed), used_at=None
    ).update(used_at=timezone.now())
    if used:
        record(Verb.USE_RECOVERY_CODE, account, by=account)
    return bool(used)


@one_transaction
def replace_recovery_codes(*, account: User) -> list[str]:
    """New recovery codes; those before stop working."""
    locked(account)
    factor = SecondFactor.objects.confirmed().get(account=account)
    record(Verb.REPLACE_RECOVERY_CODES, account, by=account)
    return _new_recovery_codes(factor)


@one_transaction
def remove_second_factor(*, account: User, by: User | None) -> None:
    """Turn the second factor off: by its owner, or by a site admin for somebody who lost their
    device."""
    locked(account)
    deleted, _ = SecondFactor.objects.filter(account=account).delete()
    if deleted:
        record(Verb.REMOVE_SECOND_FACTOR, account, by=by)


def _use_app_code(factor, code):
    typed = "".join(code.split())
    totp = pyotp.TOTP(secret_of(factor), interval=STEP)
    this_step = int(time.time()) // STEP
    for step in (this_step + drift for drift in DRIFT):
        if constant_time_compare(totp.generate_otp(step), typed):
            # Of two requests with one code, the second finds the step used.
            return bool(
                SecondFactor.objects.filter(pk=factor.pk, last_step__lt=step).update(last_step=step)
            )
    return False


def _new_recovery_codes(factor):
    RecoveryCode.objects.filter(factor=factor).delete()
    codes = [
        base64.b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode()
        for _ in range(RECOVERY_CODES)
    ]
    RecoveryCode.objects.bulk_create(
        RecoveryCode(factor=factor, code_hash=hash_of(code)) for code in codes
    )
    return ["-".join(code[n : n + 4] for n in range(0, len(code), 4)) for code in codes]
