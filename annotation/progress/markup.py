"""The drawings of a long list as HTML. A template is slow to write fifty of them."""

from django.utils.safestring import SafeString

from annotation.progress.rows import SeatList, TopicRow

STEP = 6  # from one bar to the next


def progress_bars(row: TopicRow) -> SafeString:
    """The bars of a topic: one for each list of seats, one for decided disputes."""
    if not row.lists:
        return SafeString('<span class="dim">no batch yet</span>')
    bars = [
        _bar(number, f"s{min(number, 1) + 1}", seats.percent, is_known=seats.rated is not None)
        for number, seats in enumerate(row.lists)
    ]
    bars.append(_bar(len(bars), "s3", row.decided_percent))
    return SafeString(
        f'<svg class="viz" height="{STEP * len(bars)}" role="img" aria-label="{_in_words(row)}">'
        f"{''.join(bars)}</svg>"
    )


def _bar(number: int, fill: str, percent: int, *, is_known: bool = True) -> str:
    place = f'y="{STEP * number}"'
    track = "track" if is_known else "track unknown"
    bar = f'<rect class="{track}" {place} width="100%" height="4" rx="2"/>'
    if percent:
        bar += f'<rect class="{fill}" {place} width="{percent}%" height="4" rx="2"/>'
    return bar


def _in_words(row: TopicRow) -> str:
    ratings = [f"Rating {seats.ordinal}: {_rated_in_words(seats)}" for seats in row.lists]
    if row.disputes is None:
        return "; ".join([*ratings, "disputes not known yet"])
    return "; ".join([*ratings, f"disputes decided: {row.decided} of {row.disputes}"])


def _rated_in_words(seats: SeatList) -> str:
    if seats.rated is None:
        return "hidden while you rate in this batch"
    return f"{seats.rated} of {seats.size}"
