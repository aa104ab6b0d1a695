def search(values, wanted):
    """The position of wanted in sorted values, or -1."""
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle
        else:
            high = middle
    return low
