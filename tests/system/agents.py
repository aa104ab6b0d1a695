"""Runs `retort agent --json` and reads its events."""
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CASSETTES = HERE / "cassettes"
DEMO = ROOT / "examples" / "agent"


class Outcome:
    def __init__(self, done):
        self.code = done.returncode
        self.text = done.stdout.decode() + done.stderr.decode()
        self.events = [json.loads(line) for line in done.stdout.decode().splitlines() if line.startswith("{")]

    def of(self, name):
        return [event for event in self.events if event["event"] == name]

    @property
    def stop(self):
        return self.of("stop")[-1]["reason"]

    @property
    def answer(self):
        return self.of("final")[-1]["answer"]

    @property
    def steps(self):
        return max(event["step"] for event in self.events)

    @property
    def statuses(self):
        return [event["result"]["status"] for event in self.of("observation") if "result" in event]

    def verdicts(self):
        return {claim["text"]: claim["verdict"] for claim in self.of("final")[-1]["provenance"]}

    def checks(self, name):
        return [event["verdict"] for event in self.of("check") if event["name"] == name]


def run_agent(retort, task, *arguments, env=None):
    return Outcome(retort.run("agent", task, "--json", *arguments, env=env))
