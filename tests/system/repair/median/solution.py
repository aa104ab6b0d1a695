def median(values):
    """The middle value; the mean of the two middle ones for an even count."""
    values = sorted(values)
    return values[len(values) // 2]
