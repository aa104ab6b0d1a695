from fractions import Fraction


def loan_schedule(principal: int, rate: float, months: int):
    """The schedule of an annuity loan, in cents."""
    if principal <= 0 or months <= 0 or rate < 0:
        raise ValueError("principal and months must be positive, and rate not negative")
    monthly = Fraction(str(rate)) / 12
    payment = annuity(principal, monthly, months)
    rows, left = [], principal
    for month in range(1, months + 1):
        interest = rounded(left * monthly)
        paid = left + interest if month == months else min(payment, left + interest)
        left = left + interest - paid
        rows.append({"month": month, "payment": paid, "interest": interest, "left": left})
    return {"payment": payment, "interest": sum(row["interest"] for row in rows), "rows": rows}


def annuity(principal, monthly, months):
    if monthly == 0:
        return rounded(Fraction(principal, months))
    growth = (1 + monthly) ** months
    return rounded(principal * monthly * growth / (growth - 1))


def rounded(amount):
    return int(amount + Fraction(1, 2))
