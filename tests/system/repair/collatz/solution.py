def steps(n):
    """Steps of the Collatz sequence from n down to 1."""
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n - 1
        count += 1
    return count
