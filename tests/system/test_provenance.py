"""True and wrong answers to code that really runs (tests/provenance): what the check of their numbers says."""
import pathlib
import sys

import pytest
import rpc

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "provenance"))
import run as provenance  # noqa: E402

SETS = {"tuning": 300, "held_out": 150}  # and how many answers there are at least
SCENARIOS = [(folder, name) for folder in SETS for name in provenance.scenarios(folder)]


@pytest.fixture(scope="module")
def server(new_caller):
    running = rpc.Server(new_caller("user"))
    yield running
    assert running.close() == 0


@pytest.mark.parametrize("folder", SETS)
def test_scenarios_are_what_they_say(folder):
    scenarios = provenance.scenarios(folder)
    found = [fault for name, scenario in scenarios.items() for fault in provenance.faults(name, scenario)]
    assert not found
    assert sum(len(list(provenance.answers(name, scenario))) for name, scenario in scenarios.items()) >= SETS[folder]


def test_a_scenario_that_is_not_what_it_says_is_found():
    answer = ("plain", "There are 12 of 12.", [("digit", "12", "13"), ("guess", "There are", "There were")])
    found = list(provenance.faults("counts", {"answers": [answer, ("nice", "So 7.", [])]}))
    assert [fault.partition(" in ")[0] for fault in found] == [
        "counts: '12' is 2 times", "counts: guess is no category of wrong answers", "counts: nice is no category of true answers",
        "counts: '13' is no number that stands once", "counts: 'There were' is no number that stands once"]


@pytest.mark.parametrize("folder, name", SCENARIOS)
def test_cells_of_a_scenario_run(server, folder, name):
    session = server.session(record=False)
    statuses = [session.run(code)["status"] for code in provenance.scenarios(folder)[name]["cells"]]
    assert set(statuses) == {"ok"}
    session.close()
