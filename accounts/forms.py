"""Forms of a person's own account."""

from django import forms
from django.contrib.auth import password_validation
from django.contrib.auth.forms import SetPasswordMixin

from accounts.actions import DISPLAY
from accounts.keys import ACTS, collisions, keys_of
from accounts.models import User

# Longer ones only cost the hasher time.
LONGEST_PASSWORD = 128


def _email_field(**attrs):
    return forms.EmailField(
        label="E-mail address",
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "username", **attrs}),
    )


def _password_field(label, **attrs):
    return forms.CharField(
        label=label,
        max_length=LONGEST_PASSWORD,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password", **attrs}),
    )


def _look_field(label, name):
    return forms.ChoiceField(
        label=label, required=False, choices=DISPLAY[name], widget=forms.RadioSelect
    )


def _own_password(account, password):
    if not account.check_password(password):
        raise forms.ValidationError("That is not your password.")
    return password


class SignInForm(forms.Form):
    email = _email_field(autofocus=True)
    password = _password_field("Password")

    def refuse(self, sentence):
        """Say why nobody is signed in. The address stays, so the password has the focus."""
        self.add_error(None, sentence)
        del self.fields["email"].widget.attrs["autofocus"]
        self.fields["password"].widget.attrs["autofocus"] = True


class CodeForm(forms.Form):
    code = forms.CharField(
        label="Code",
        max_length=40,
        help_text="Six digits from your authenticator app, or one of your recovery codes.",
        widget=forms.TextInput(
            attrs={
                "autocomplete": "one-time-code",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "autofocus": True,
            }
        ),
    )


class FirstCodeForm(CodeForm):
    """The code that turns a second factor on, when there are no recovery codes yet."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["code"].help_text = "Six digits."


class PasswordForm(forms.Form):
    """The password again, before a step that a stranger at the desk must not take."""

    password = _password_field("Your password")

    def __init__(self, *args, account, **kwargs):
        super().__init__(*args, **kwargs)
        self._account = account

    def clean_password(self):
        return _own_password(self._account, self.cleaned_data["password"])


class NewPassword(SetPasswordMixin, forms.Form):
    """A new password, typed twice; `account()` says whose, for the check of similarity."""

    password1, password2 = SetPasswordMixin.create_password_fields(
        label1="New password", label2="New password again"
    )

    def __init__(self, *args, account=None, **kwargs):
        super().__init__(*args, **kwargs)
        self._account = account
        for name in ("password1", "password2"):
            self.fields[name].required = True
            self.fields[name].widget.attrs["maxlength"] = LONGEST_PASSWORD
        self.fields["password1"].help_text = "At least 12 characters, and not a common password."
        self.fields["password2"].help_text = ""

    def account(self):
        return self._account

    def clean(self):
        super().clean()
        self.validate_passwords()
        password = self.cleaned_data.get("password2")
        if password and len(password) > LONGEST_PASSWORD:
            self.add_error("password1", f"Use at most {LONGEST_PASSWORD} characters.")
        elif password:
            try:
                password_validation.validate_password(password, self.account())
            except forms.ValidationError as error:
                self.add_error("password1", error)
        return self.cleaned_data


class ChangePasswordForm(NewPassword):
    old_password = _password_field("Your password now", autofocus=True)
    field_order = ["old_password", "password1", "password2"]

    def clean_old_password(self):
        return _own_password(self.account(), self.cleaned_data["old_password"])


class NewAccountForm(NewPassword):
    """A new person. An invitation may say for whom it is: then `email` stands, and `name` may be
    changed."""

    name = forms.CharField(
        max_length=120,
        help_text="The leads of your collections see it. No export carries it.",
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    email = _email_field()
    field_order = ["name", "email", "password1", "password2"]

    def __init__(self, *args, email="", name="", **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["name"].initial = name
        self.fields["password1"].label = "Password"
        self.fields["password2"].label = "Password again"
        if email:
            self.fields["email"].initial = email
            self.fields["email"].disabled = True

    def clean_email(self):
        email = self.cleaned_data["email"].lower()
        if User.objects.filter(email=email).exists():
            raise forms.ValidationError(
                "There is already an account with this e-mail address. Sign in with it instead."
            )
        return email

    def account(self):
        return User(
            email=self.cleaned_data.get("email", ""), name=self.cleaned_data.get("name", "")
        )

    def details(self):
        return {
            "email": self.cleaned_data["email"],
            "name": self.cleaned_data["name"],
            "password": self.cleaned_data["password1"],
        }


class ResetForm(forms.Form):
    email = _email_field(autofocus=True)


class SettingsForm(forms.Form):
    name = forms.CharField(max_length=120, widget=forms.TextInput(attrs={"autocomplete": "name"}))
    one_key_mode = forms.BooleanField(
        label="One-key mode",
        required=False,
        help_text="The key of an option saves the rating at once, without Enter.",
    )
    shortcuts = forms.ChoiceField(
        label="Keyboard shortcuts",
        choices=[
            (User.Shortcuts.PLAIN, "Single keys"),
            (User.Shortcuts.ALT, "With the Alt key"),
            (User.Shortcuts.OFF, "Off"),
        ],
        widget=forms.RadioSelect,
        help_text="Single keys never act while you type in a text field.",
    )
    theme = _look_field("Theme", "theme")
    size = _look_field("Reading size", "size")
    face = _look_field("Reading typeface", "face")
    lead = _look_field("Line spacing", "lead")

    def __init__(self, *args, account, **options):
        super().__init__(*args, **options)
        self.account = account
        for name, key in keys_of(account).items():
            self.fields[f"key-{name}"] = forms.CharField(
                label=ACTS[name].words,
                max_length=1,
                required=False,
                initial=key,
                widget=forms.TextInput(attrs={"autocomplete": "off", "size": 1}),
            )

    @property
    def key_fields(self):
        """The fields of the keys, with the usual letter of each."""
        return [(self[f"key-{name}"], act.key) for name, act in ACTS.items()]

    @property
    def _keys(self):
        typed = {name: self.cleaned_data.get(f"key-{name}", "").lower() for name in ACTS}
        return {name: key or ACTS[name].key for name, key in typed.items()}

    def clean(self):
        for name, reason in collisions(self.account, self._keys).items():
            if f"key-{name}" not in self.errors:
                self.add_error(f"key-{name}", reason)
        return self.cleaned_data

    def settings(self):
        """The arguments of `change_settings`."""
        cleaned = self.cleaned_data
        return {
            "name": cleaned["name"],
            "one_key_mode": cleaned["one_key_mode"],
            "shortcuts": cleaned["shortcuts"],
            "display": {key: cleaned[key] for key in ("theme", "size", "face", "lead")},
            "keys": self._keys,
        }
