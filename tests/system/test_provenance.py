"""True and wrong answers to code that really runs (tests/provenance): what the check of their numbers says."""
import pathlib
import sys

import pytest
import rpc

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "provenance"))
import run as provenance  # noqa: E402

# And how many answers there are at least.
SETS = {"tuning": 300, "fresh": 300, "held_out": 150, "natural": 600, "chat": 400, "reports": 1600, "field": 3400, "blind": 150, "exam": 450, "panel": 500}


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


def claim(answer, text, verdict):
    start = answer.encode().index(text.encode())
    return {"text": text, "start": start, "end": start + len(text.encode()), "verdict": verdict}


def test_an_answer_is_judged_by_the_number_that_is_wrong():
    text = "Süd: 7, Nord: 12"
    true, wrong = provenance.Answer("s", "plain", text, []), provenance.Answer("s", "digit", text, ["Nord: 12"])
    for flagged, good in (("7", False), ("12", True)):
        wrong.claims = [claim(text, flagged, "unverified")]
        assert wrong.good() == good
    wrong.claims = true.claims = [claim(text, "12", "grounded")]
    assert true.good() and not wrong.good()
    true.claims = [claim(text, "7", "stale")]
    assert not true.good()


def test_the_page_counts_and_names_misses():
    true = provenance.Answer("s", "plain", "It is 5.", [], claims=[claim("It is 5.", "5", "unverified")])
    wrong = provenance.Answer("s", "digit", "It is 6.", ["6"], true, [claim("It is 6.", "6", "unverified")])
    page = "\n".join(provenance.page({"tuning": [true, wrong], "blind": [true]}))
    assert "| plain | 0 of 1 (0.0 %) |" in page
    assert "| digit | 1 of 1 (100.0 %) |" in page
    assert "pairs told apart: 0 of 1" in page
    assert page.count("s (plain): It is 5. → 5 unverified") == 1


BILLS = {"domain": "bills", "question": "What about the bills?", "cells": ["""
import statistics
bills = [round(2.57 * n * n + 12.8, 2) for n in range(1, 8)]
print("mean:", round(statistics.mean(bills), 2))
print("median:", statistics.median(bills))
print("max:", max(bills))
print("min:", min(bills))
print("sum:", round(sum(bills), 2))
"""]}
VALUES = ["64,2", "53,92", "138,73", "15,37", "449,4"]
SENTENCES = {  # of mean, median, largest, smallest and sum
    "Spanish": ["La media es {}.", "La mediana es {}.", "El máximo es {}.", "El mínimo es {}.", "La suma es {}."],
    "Polish": ["Średnia wynosi {}.", "Mediana wynosi {}.", "Maksimum to {}.", "Minimum to {}.", "Suma to {}."],
    "Italian": ["La media è {}.", "La mediana è {}.", "Il massimo è {}.", "Il minimo è {}.", "Il totale è {}."],
    "Portuguese": ["A média é {}.", "A mediana é {}.", "O máximo é {}.", "O mínimo é {}.", "A soma é {}."],
    "Dutch": ["Het gemiddelde is {}.", "De mediaan is {}.", "Het maximum is {}.", "Het minimum is {}.", "De som is {}."],
    "Swedish": ["Medelvärdet är {}.", "Medianen är {}.", "Det högsta är {}.", "Det lägsta är {}.", "Summan är {}."],
    "Czech": ["Průměr je {}.", "Medián je {}.", "Maximum je {}.", "Minimum je {}.", "Součet je {}."],
    "Turkish": ["Ortalama {}.", "Medyan {}.", "En büyük değer {}.", "En küçük değer {}.", "Toplam {}."],
}


@pytest.mark.parametrize("language", SENTENCES)
def test_no_false_meaning_in_another_language(server, language):
    """What the sentence says is not understood: a number that ran is accepted as such, and never as what it is not."""
    sentences = SENTENCES[language]
    pairs = [(said, meant) for said in range(len(sentences)) for meant in range(len(VALUES))]
    texts = [sentences[said].format(VALUES[meant]) for said, meant in pairs]
    for (said, meant), text, found in zip(pairs, texts, provenance.claims(server.call, BILLS, texts)):
        assert len(found) == 1, text
        if said == meant:
            assert found[0]["verdict"] == "grounded", text
        else:
            assert found[0].get("strength") != "meaning", text


def test_meaning_is_seen_in_english(server):
    [found] = provenance.claims(server.call, BILLS, ["The median is 53.92."])
    assert (found[0]["verdict"], found[0]["strength"]) == ("grounded", "meaning")


# In a hundred, below what is reached today: what has to be better may not get worse. docs/provenance.md tells the goals.
# Other versions of numpy and pandas print otherwise, which changes a few judgements.
REACHED = {"tuning": {"true": 90, "digit": 96, "scale": 93, "invented": 97, "swapped entity": 83, "wrong statistic": 77,
                      "sign or direction": 78, "miscomputed derivation": 96, "stale value": 82, "typed literal": 80},
           "held_out": {"true": 88, "digit": 93, "swapped entity": 86, "wrong statistic": 80, "sign or direction": 80,
                        "miscomputed derivation": 93},
           "natural": {"true": 90, "digit": 91, "swapped entity": 81, "sign or direction": 85, "miscomputed derivation": 91},
           "chat": {"true": 68, "digit": 70, "swapped entity": 55, "miscomputed derivation": 85},
           "fresh": {"true": 90, "digit": 92, "scale": 92, "swapped entity": 85, "wrong statistic": 84,
                     "sign or direction": 86, "miscomputed derivation": 92}}


# Of these only the cells run here; make soak judges their answers, too. Of the largest set it runs most of the cells as well.
UNJUDGED = [(folder, name) for folder in SETS if folder not in (*REACHED, "field") for name in provenance.scenarios(folder)]
UNJUDGED += [pytest.param("field", name, marks=[pytest.mark.soak("those of chat and reports")] if k % 13 else [])
             for k, name in enumerate(provenance.scenarios("field"))]


@pytest.mark.parametrize("folder, name", UNJUDGED)
def test_cells_of_a_scenario_run(server, folder, name, count):
    scenario = provenance.scenarios(folder)[name]
    texts = [answer.text for answer in provenance.answers(name, scenario)]
    wanted = count(1, len(texts))
    assert len(list(provenance.claims(server.call, scenario, texts[:wanted]))) == wanted


@pytest.mark.parametrize("folder", REACHED)
@pytest.mark.few(1)
def test_as_many_are_judged_rightly_as_before(server, folder):
    judgements = provenance.measure(server.call, folder)
    found = provenance.by_category(judgements)
    shares = {name: found[True, name] for name in REACHED[folder] if name != "true"}
    shares["true"] = [answer.good() for answer in judgements if not answer.wrong]
    worse = {name: provenance.share(good) for name, good in shares.items()
             if 100 * sum(good) < REACHED[folder][name] * len(good)}
    assert not worse
