/* Digits from the right, every second one with another weight. */
static int weighted(unsigned long long number, int doubled) {
    int sum = 0;
    for (int second = doubled; number; number /= 10, second = !second) {
        int digit = (int)(number % 10) * (second ? 2 : 1);
        sum += digit > 9 ? digit - 9 : digit;
    }
    return sum;
}

int luhn(long long number) {
    return number > 0 && weighted((unsigned long long)number, 0) % 10 == 0;
}

int luhn_digit(long long number) {
    return (10 - weighted((unsigned long long)number, 1) % 10) % 10;
}

int ean_digit(long long number) {
    int sum = 0, weight = 3;
    for (; number; number /= 10, weight = 4 - weight)
        sum += (int)(number % 10) * weight;
    return (10 - sum % 10) % 10;
}
