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


class Record:
    """What `retort log`, `verify`, `export` and `replay` make of a run."""

    def __init__(self, retort, state, session):
        self.retort, self.state, self.session = retort, state, session

    def run(self, *arguments):
        done = self.retort.run(*arguments, env={"RETORT_STATE": str(self.state)})
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.decode()

    @property
    def entries(self):
        return json.loads(self.run("log", "--json", self.session))

    @property
    def notes(self):
        return [entry["event"] for entry in self.entries if entry["kind"] == "note"]

    def export(self, form):
        path = self.state / f"exported.{form}"
        self.run("export", self.session, f"--{form}", path)
        return path.read_text()


def run_agent(retort, task, *arguments, env=None):
    return Outcome(retort.run("agent", task, "--json", *arguments, env=env))
