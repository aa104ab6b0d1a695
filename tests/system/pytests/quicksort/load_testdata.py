"""As in collections of buggy programs: one JSON list a line, the arguments and the expected result."""
import json
import pathlib


def load_json_testcases(name):
    path = pathlib.Path(__file__).parent / "json_testcases" / f"{name}.json"
    return [json.loads(line) for line in path.read_text().splitlines()]
