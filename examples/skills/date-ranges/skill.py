import datetime

STEPS = ("week", "month", "quarter")


def date_ranges(first: str, last: str, step: str = "month"):
    """Ranges of one step each, from the first day to the last."""
    if step not in STEPS:
        raise ValueError("step must be one of " + ", ".join(STEPS))
    at, end = datetime.date.fromisoformat(first), datetime.date.fromisoformat(last)
    found = []
    while at <= end:
        stop = min(next_start(at, step) - datetime.timedelta(days=1), end)
        found.append({"first": at.isoformat(), "last": stop.isoformat(), "days": (stop - at).days + 1})
        at = stop + datetime.timedelta(days=1)
    return found


def next_start(day, step):
    if step == "week":
        return day + datetime.timedelta(days=7 - day.weekday())
    width = 1 if step == "month" else 3
    month = (day.month - 1) // width * width + width
    return datetime.date(day.year + month // 12, month % 12 + 1, 1)
