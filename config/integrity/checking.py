"""One check among others: what it meets may have been changed into anything."""


def sentences_of(check, *arguments, **options):
    """What a check says. Where it meets something of another shape than was ever written, it says
    so, and the checks after it go on: one of them says which row, event or file it is."""
    try:
        yield from check(*arguments, **options)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        yield (
            f"The check {check.__name__} stopped at {error!r}: a row, an event or a file is not as "
            "it was written."
        )
