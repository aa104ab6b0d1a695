"""ask.py RETORT: code in a shell wants to pay twice, and somebody at its terminal allows it once. The tool is a command of a file."""
import json
import os
import pathlib
import pty
import re
import sys
import tempfile

PAY = {"name": "pay", "parameters": {"type": "object", "properties": {"to": {"type": "string"}, "amount": {"type": "number"}}, "required": ["to", "amount"]},
       "source": "trusted", "approval": "ask"}
TALK = [("[1] ", "import tools"), ("[2] ", "tools.pay(to='ann', amount=12)"), ("Allow it? [y/N] ", "y"),
        ("[3] ", "tools.pay(to='eve', amount=9000)"), ("Allow it? [y/N] ", "n"), ("[4] ", ":quit")]

with tempfile.TemporaryDirectory() as folder:
    paid, tools = pathlib.Path(folder, "paid"), pathlib.Path(folder, "tools.json")
    tools.write_text(json.dumps({"tools": [{**PAY, "command": ["sh", "-c", 'cat >> "$0"; echo >> "$0"; echo \'"paid"\'', str(paid)]}]}))
    child, terminal = pty.fork()
    if child == 0:
        os.execve(sys.argv[1], [sys.argv[1], "shell", "--tools", str(tools)], {**os.environ, "TERM": "dumb", "NO_COLOR": "1"})
    seen = ""
    for prompt, answer in TALK:
        try:
            while not seen.endswith(prompt):
                part = os.read(terminal, 4096).decode(errors="replace")
                print(re.sub(r"\r|\x1b\[[?0-9]*[a-z]", "", part), end="", flush=True)
                seen += part
        except OSError:
            sys.exit("the shell has ended before it said %r" % prompt)
        os.write(terminal, answer.encode() + b"\n")
        seen = ""
    os.waitpid(child, 0)
    calls = paid.read_text().split("\n") if paid.exists() else []
print("\npaid:", ", ".join(json.loads(call)["to"] for call in calls if call))
sys.exit([json.loads(call)["to"] for call in calls if call] != ["ann"])
