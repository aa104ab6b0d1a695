import csv
import io
import re

PLAIN = re.compile(r"[+-]?\d+(?:\.\d+)?$")
ENGLISH = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$")
GERMAN = re.compile(r"[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+$")


def csv_reader(text):
    """Columns, rows and problems of CSV text or bytes."""
    text = decoded(text)
    delimiter = delimiter_of(text)
    lines = [line for line in csv.reader(io.StringIO(text), delimiter=delimiter) if any(cell.strip() for cell in line)]
    if not lines:
        return {"delimiter": delimiter, "columns": [], "rows": [], "problems": []}
    columns = [name.strip() or "column_%d" % (i + 1) for i, name in enumerate(lines[0])]
    rows, problems = [], []
    for number, line in enumerate(lines[1:], 2):
        if len(line) != len(columns):
            problems.append({"line": number, "fields": len(line), "expected": len(columns)})
            continue
        rows.append([cell.strip() for cell in line])
    return {"delimiter": delimiter, "columns": columns, "rows": typed(rows, len(columns)), "problems": problems}


def decoded(text):
    if isinstance(text, bytes):
        try:
            return text.decode("utf-8-sig")
        except UnicodeDecodeError:
            return text.decode("cp1252", "replace")
    return text.lstrip("\ufeff")


def delimiter_of(text):
    """The one that splits the first lines into the same number of fields, and most of them."""
    lines = [line for line in text.splitlines() if line.strip()][:20]

    def score(delimiter):
        counts = [len(fields) for fields in csv.reader(lines, delimiter=delimiter)]
        usual = max(set(counts), key=counts.count) if counts else 1
        return (usual > 1, counts.count(usual), usual)

    return max(",;\t|", key=score)


def number(text):
    if PLAIN.match(text):
        return float(text) if "." in text else int(text)
    if ENGLISH.match(text):
        return number(text.replace(",", ""))
    if GERMAN.match(text):
        return number(text.replace(".", "").replace(",", "."))
    return None


def typed(rows, width):
    for at in range(width):
        values = [row[at] for row in rows]
        numbers = [number(value) for value in values]
        if any(n is not None for n in numbers) and all(n is not None or value == "" for n, value in zip(numbers, values)):
            for row, n in zip(rows, numbers):
                row[at] = n
    return rows
