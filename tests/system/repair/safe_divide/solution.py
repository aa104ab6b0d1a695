def safe_divide(a, b):
    """a / b; None when b is zero."""
    return a / b
