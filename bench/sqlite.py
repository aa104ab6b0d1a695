#!/usr/bin/python3
"""sqlite3 in a plain Python that lives, with its database open, as a SQL cell's peer.

One request a line, answered by one line of milliseconds, as bench/server.h says:
    sql N    the ten largest of 100,000 rows"""
import os
import sqlite3
import sys
import tempfile
import time

TABLE = ("CREATE TABLE t AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"
         " SELECT i AS id, i * 7919 % 100003 AS amount, 'name ' || i AS name FROM n")
QUERY = "SELECT * FROM t ORDER BY amount DESC LIMIT 10"


def main():
    with tempfile.TemporaryDirectory() as folder:
        db = sqlite3.connect(os.path.join(folder, "t.db"))
        db.execute(TABLE)
        db.commit()
        for line in sys.stdin:
            times = []
            for _ in range(int(line.split()[1])):
                start = time.perf_counter()
                assert len(db.execute(QUERY).fetchall()) == 10
                times.append((time.perf_counter() - start) * 1000)
            print(*("%.5f" % t for t in times), flush=True)


if __name__ == "__main__":
    main()
