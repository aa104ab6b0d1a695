"""Sessions driven at random, against a model of what they must be: model.py.

RETORT_MODEL_SEED=N, or N-M, chooses the seeds."""
import dataclasses
import os
import random

import model
import pytest
import traces

OPERATIONS = 80
SECONDS_TO_SHORTEN = 120


def seeds():
    first, _, last = os.environ.get("RETORT_MODEL_SEED", "").partition("-")
    if first:
        return range(int(first), int(last or first) + 1)
    return [random.randrange(10 ** 9) for _ in range(200)] if os.environ.get("RETORT_SOAK") else [1, 2, 3]


@pytest.fixture(scope="module")
def checked_caller(caller, checked_programs, lightened):
    """Engines are started again and again here, and of all libraries cells use this one."""
    return dataclasses.replace(lightened(caller, "numpy"), programs=checked_programs)


def test_the_programs_look_at_their_sessions(checked_programs):
    assert b"session %s is broken: %s\n" in (checked_programs / "retort-doors").read_bytes()


@pytest.mark.by_turns
@pytest.mark.parametrize("seed", seeds())
@pytest.mark.few(1)
def test_every_session_is_what_its_history_makes_it(checked_caller, seed):
    traces.adopt()
    hold(checked_caller, seed, model.operations(random.Random(seed), OPERATIONS))


def hold(checked_caller, seed, ops, deaths=None):
    problem = model.run(checked_caller, ops, deaths)
    if problem:
        ops, shortest = model.shorten(checked_caller, ops, problem, SECONDS_TO_SHORTEN)
        script = "\n".join(f"    {op!r}," for op in ops)
        pytest.fail(f"RETORT_MODEL_SEED={seed}, operation {problem[0]}: {problem[1]}\n"
                    f"shorter, operation {shortest[0]}: {shortest[1]}\nmodel.run(caller, [\n{script}\n])", pytrace=False)


@pytest.mark.by_turns
@pytest.mark.few
def test_mixed_sessions_lose_nothing_when_an_interpreter_dies(checked_caller, count):
    """Deaths at random, of each interpreter while the others hold state."""
    traces.adopt()
    wanted, deaths = count(16, 300), {}  # in make check a seed whose first eighty operations have them
    first = int(os.environ.get("RETORT_MODEL_SEED", "3").partition("-")[0])
    seed = random.randrange(10 ** 9) if os.environ.get("RETORT_SOAK") and "RETORT_MODEL_SEED" not in os.environ else first
    while not deaths or sum(deaths.values()) < wanted or not all(deaths.values()):
        hold(checked_caller, seed, model.operations(random.Random(seed), OPERATIONS, model.MIXED), deaths)
        seed += 1
    print(deaths)
