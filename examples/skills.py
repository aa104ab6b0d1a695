"""skills.py RETORT: a session that calls the examples beside this file, those that are in the library. Over JSON-RPC."""
import json
import os
import subprocess
import sys

CALLS = {"csv-reader": r"skills.csv_reader(text='name;amount\nAda;1.234,50\n')['rows']",
         "date-ranges": "len(skills.date_ranges(first='2024-01-30', last='2024-03-01'))",
         "loan-schedule": "skills.loan_schedule(principal=120000, rate=0.06, months=12)['payment']",
         "number-theory": "skills.number_theory.gcd(a=1071, b=462)",
         "checksum": "skills.checksum.luhn_digit(number=7992739871)",
         "word-count": "skills.word_count(text='to be or not to be')['words']",
         "collatz": "skills.collatz.steps(n=27)"}
rpc = subprocess.Popen([sys.argv[1], "rpc", "--skills"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def call(method, **params):
    """Asks and waits for the answer."""
    request = {"jsonrpc": "2.0", "id": method, "method": method, "params": params}
    os.write(rpc.stdin.fileno(), json.dumps(request).encode() + b"\n")
    for line in rpc.stdout:
        message = json.loads(line)
        if message.get("id") == method:
            return message["result"]
    sys.exit(rpc.wait())


there = {one["name"]: one["kind"] for one in call("skills.list")["skills"]}
session = call("session.create")["session"]
for name, code in CALLS.items():
    if name in there:
        done = call("session.execute", session=session, code="import skills\n" + code)
        print(f"{there[name]:7}{code} = {done['value']['text/plain'] if done['status'] == 'ok' else done['error']['message']}")
rpc.stdin.close()
sys.exit(rpc.wait())
