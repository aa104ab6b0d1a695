"""Runs that die: --resume brings them to their end, and nobody is asked again for what he has said."""
import json
import os
import pathlib
import signal
import tempfile

import pytest
from agents import Outcome, Record
from fake_model import FakeModel

TASK = "How many are there?"
STEPS = ["x = 20\nprint('x', x)",
         "answers = llm_query_batched(['item %d' % i for i in range(6)])\nprint(answers)",
         "below = rlm_query('How many are below?', 'a b c')\nprint('below', below)",
         "print('sum', x + len(answers) + int(below))"]
ASKED = 5 + 6 + 3  # steps, questions, and those of the run below


def code(text):
    return {"text": f"```python\n{text}\n```"}


class Talking(FakeModel):
    """Says what fits the conversation, however often and by whomever it is asked."""

    def __init__(self, steps=STEPS, answer="There are 29."):
        super().__init__([{}])
        self.steps, self.answer = [code(step) for step in steps] + [{"text": answer}], answer

    def step(self, body):
        said = [message for message in body["messages"] if message["role"] != "system"]
        turn = sum(message["role"] == "assistant" for message in said)
        if TASK in said[0]["content"]:
            return self.steps[turn]
        if "How many are below?" in said[0]["content"]:
            return [code("words = context[:].split()\nprint(len(words), llm_query('below'))"), {"text": "3"}][min(turn, 1)]
        return {"text": said[-1]["content"].upper()}


@pytest.fixture
def state():
    """Where every caller may go: pytest's own folders are for root."""
    with tempfile.TemporaryDirectory(prefix="retort-resume-") as folder:
        os.chmod(folder, 0o777)
        yield pathlib.Path(folder) / "state"


class Run:
    def __init__(self, caller, state, model, *arguments):
        self.caller, self.state, self.model = caller, state, model
        self.arguments = ["--model", "m", "--queries", *arguments]

    def popen(self, *words):
        return self.caller.popen("agent", *words, "--json", "--base-url", self.model.url, stdout=-1, stderr=-1,
                                 env={"RETORT_STATE": str(self.state)})

    def begin(self):
        return self.popen(TASK, *self.arguments)

    def whole(self):
        process = self.begin()
        return [json.loads(line) for line in process.stdout], process.wait()

    def killed(self, events, process=None, kind=""):
        """The events until it died, which is when there were so many of this kind."""
        process = process or self.begin()
        seen = []
        while sum(event["event"].startswith(kind) for event in seen) < events and (line := process.stdout.readline()):
            seen.append(json.loads(line))
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        process.stderr.close()
        return seen

    def resumed(self, session, *arguments):
        """By another name of the model: a request that was on its way when the run died may come to light later."""
        process = self.popen("--resume", session, "--model", "again", *arguments)
        out, err = process.communicate()
        process.stdout, process.stderr = out, err
        return Outcome(process)

    @property
    def again(self):
        """How often the model was asked since."""
        return sum(request["body"]["model"] == "again" for request in self.model.requests)

    @property
    def kept(self):
        """How many replies each journal has."""
        return {path.stem: sum(line.startswith(b"{") and line.endswith(b"}\n") for line in path.read_bytes().splitlines(True))
                for path in (self.state / "agent").glob("*.jsonl")}


def session_of(events):
    return next(event["session"] for event in events if event["event"] == "plan")


def told(events):
    """Replies that somebody has seen."""
    return sum(event["event"] == "model" and "text" in event for event in events)


@pytest.mark.by_turns
def test_a_run_that_is_killed_at_any_point_goes_on_without_asking_again(light_caller, state, count):
    with Talking() as model:
        run = Run(light_caller, state, model)
        events, status = run.whole()
        assert (status, len(model.requests)) == (0, ASKED), events
        assert run.kept == {}
    points = range(events.index(next(e for e in events if e["event"] == "plan")) + 1, len(events))
    for point in points[::count(len(points) // 5, 1)]:
        with Talking() as model:
            run = Run(light_caller, state, model)
            seen = run.killed(point)
            kept = run.kept
            if not kept:
                continue  # it had its answer before the blow fell
            (session,), (replies,) = kept, kept.values()
            assert session == session_of(seen) and told(seen) <= replies
            done = run.resumed(session)
            assert (done.code, done.answer) == (0, "There are 29."), (point, done.text)
            assert run.again == ASKED - replies and len(model.requests) <= ASKED + 4, point
            assert run.kept == {}, "what has its answer needs no replies any more"


def test_it_may_die_again_and_again(light, state):
    with Talking() as model:
        run = Run(light, state, model)
        names = [session_of(run.killed(1, kind="observation"))]
        for more in (2, 3):
            died = run.killed(more, run.popen("--resume", names[-1]), "observation")
            names.append(session_of(died))
            assert len(set(run.kept.values())) == 1 and set(names) == set(run.kept)
        (replies,) = set(run.kept.values())
        done = run.resumed(names[0])  # any of its names will do
        assert (done.code, done.answer) == (0, "There are 29."), done.text
        assert run.again == ASKED - replies
        assert run.kept == {}
        Record(light, state, session_of(done.events)).run("verify", session_of(done.events))


def test_tries_go_on_where_they_were(light, state):
    steps = STEPS[:1] + ["print('sum', x + 9)"]
    with Talking(steps) as model:
        run = Run(light, state, model, "--best-of", "3", "--judge", "vote")
        run.arguments.remove("--queries")
        seen = []
        process = run.begin()
        while sum(event["event"] == "model" and "text" in event for event in seen) < 4:
            seen.append(json.loads(process.stdout.readline()))
        run.killed(0, process)
        (session,), (replies,) = run.kept, run.kept.values()
        done = run.resumed(session)
        assert (done.code, done.answer) == (0, "There are 29."), done.text
        assert replies >= 4 and run.again <= 9 - replies


def test_what_was_being_written_is_left_out(light, state):
    with Talking() as model:
        run = Run(light, state, model)
        session = session_of(run.killed(40))
        path, replies = state / "agent" / f"{session}.jsonl", run.kept[session]
        lines = path.read_bytes().splitlines(True)
        path.write_bytes(b"".join(lines[:-1]) + lines[-1][:len(lines[-1]) // 2])
        assert (done := run.resumed(session)).answer == "There are 29.", done.text
        assert run.again == ASKED - replies + 1


def test_a_run_with_other_files_is_another_run(light, state, tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("a\n1\n")
    with Talking() as model:
        run = Run(light, state, model, "--file", data)
        session = session_of(run.killed(40))
        data.write_text("a\n2\n")
        done = run.resumed(session)
        assert done.code == 4 and "is not what that run asked" in done.of("stop")[0]["message"]
        assert run.again == 0
        data.write_text("a\n1\n")
        assert run.resumed(session).answer == "There are 29."


def test_a_run_that_a_budget_ended_goes_on_with_a_larger_one(light, state):
    with Talking() as model:
        run = Run(light, state, model, "--max-tokens", "100")
        events, status = run.whole()
        first, kept = len(model.requests), run.kept
        assert status == 4 and kept == {session_of(events): first} and 0 < first < ASKED
        done = run.resumed(session_of(events), "--max-tokens", "100000")
        assert (done.code, done.answer) == (0, "There are 29."), done.text
        assert len(model.requests) == ASKED


def test_a_run_that_a_server_ended_goes_on_when_it_is_back(light, state):
    with Talking() as model:
        run = Run(light, state, model)
        model.steps[3] = {"fault": "quota"}
        done = light.run("agent", TASK, *run.arguments, "--base-url", model.url, env={"RETORT_STATE": str(state)})
        (session,) = run.kept
        assert done.returncode == 4 and f"retort agent --resume {session} goes on" in done.stderr.decode()
        model.steps[3] = code(STEPS[3])
        assert run.resumed(session).answer == "There are 29."
        assert run.again == 2


def test_forgetting_a_session_forgets_what_was_said(light, state):
    with Talking() as model:
        run = Run(light, state, model)
        session = session_of(run.killed(30))
        assert session in run.kept and (state / "agent" / f"{session}.jsonl").stat().st_mode & 0o777 == 0o600
        Record(light, state, session).run("forget", session)
        assert run.kept == {}
        done = run.resumed(session)
        assert done.code == 125 and "no session of a run that could go on" in done.text


@pytest.mark.parametrize("name", ["s_none", "../agent/x", ""])
def test_there_has_to_be_something_to_go_on_with(light, state, name):
    done = light.run("agent", "--resume", name, env={"RETORT_STATE": str(state)})
    assert done.returncode == 125 and b"no session of a run that could go on" in done.stderr
