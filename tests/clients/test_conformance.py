"""The official MCP conformance suite: all its server scenarios, against the fixture that links Retort's MCP layer and
against `retort serve`. docs/mcp-conformance.md lists every outcome; it is made from the runs and must not be stale."""
import concurrent.futures
import os
import re
import subprocess

import pytest

from npm import HERE, MODULES
from serving import serving

SUITE = MODULES / "@modelcontextprotocol/conformance/dist/index.js"
PAGE = HERE.parent.parent / "docs/mcp-conformance.md"
REVISIONS = ("2025-11-25", "2026-07-28")
SUMMARY = re.compile(r"^([✓✗]) (\S+): (\d+) passed, (\d+) failed", re.MULTILINE)
NOT_SCORED = re.compile(r"^  [✓✗] (\S+) \((\S+)\)", re.MULTILINE)

PREFACE = """# MCP conformance

**{headline}**

Every server scenario of the official suite (`@modelcontextprotocol/conformance` at the version in
`tests/clients/package-lock.json`), with the checks that passed and failed in it. Made by
`RETORT_UPDATE=1 make check T=test_conformance`; the tests fail when it differs from what they see.

*Fixture* is `tests/clients/mcp_fixture.c`, which has the tools, resources and prompts the suite calls and links the same MCP
layer as Retort. *Retort* is `retort serve`, which has none of those: there only scenarios that need none can pass, and a
failure means that what the scenario calls does not exist. Scenarios that the suite does not score carry its reason.
"""


def run_suite(node, url, revision, folder):
    done = subprocess.run([node, SUITE, "server", "--url", url, "--requirements", revision], cwd=folder, text=True,
                          capture_output=True, timeout=400, check=False)
    scenarios = {name: (int(passed), int(failed)) for _, name, passed, failed in SUMMARY.findall(done.stdout)}
    assert scenarios, done.stdout[-2000:] + done.stderr[-2000:]
    return scenarios, dict(NOT_SCORED.findall(done.stdout))


@pytest.fixture(scope="module")
def server(light):
    """One of its own: what other tests leave in a server is not to be seen here."""
    with serving(light, "--no-auth") as running:
        yield running


@pytest.fixture(scope="module")
def outcomes(node, fixture_server, server, tmp_path_factory):
    folder = tmp_path_factory.mktemp("conformance")
    seen = {}
    with concurrent.futures.ThreadPoolExecutor() as pool:
        runs = {(revision, url): pool.submit(run_suite, node, url, revision, folder)
                for revision in REVISIONS for url in (fixture_server, server.url + "/mcp")}
    for revision in REVISIONS:
        (fixture, unscored), (own, _) = (runs[revision, url].result() for url in (fixture_server, server.url + "/mcp"))
        seen[revision] = {name: (fixture[name], own.get(name), unscored.get(name)) for name in fixture}
    return seen


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.few(1)
def test_fixture_passes_every_required_scenario(outcomes, revision):
    required = {name: fixture for name, (fixture, _, unscored) in outcomes[revision].items() if not unscored}
    assert len(required) == {"2025-11-25": 30, "2026-07-28": 37}[revision]
    assert {name: seen for name, seen in required.items() if seen[1] or not seen[0]} == {}


@pytest.mark.parametrize("revision, names", [
    ("2025-11-25", ["server-initialize", "logging-set-level", "ping", "tools-list", "resources-list",
                    "server-sse-multiple-streams", "dns-rebinding-protection", "server-session-lifecycle"]),
    ("2026-07-28", ["tools-list", "resources-list", "server-sse-multiple-streams", "dns-rebinding-protection",
                    "sep-2164-resource-not-found", "input-required-result-unsupported-methods",
                    "input-required-result-validate-input"]),
])
def test_retort_passes_what_applies_to_it(outcomes, revision, names):
    own = {name: outcomes[revision][name][1] for name in names}
    assert {name: seen for name, seen in own.items() if seen[1] or not seen[0]} == {}


def cell(seen):
    return "not run" if seen is None else f"{seen[0]} passed" + (f", {seen[1]} failed" if seen[1] else "")


def headline(outcomes):
    """What the tables say, for those who read no tables."""
    said = []
    for revision, scenarios in outcomes.items():
        scored = [fixture for fixture, _, unscored in scenarios.values() if not unscored]
        said.append(f"{sum(not failed for _, failed in scored)} of {len(scored)} for {revision}")
    return f"Retort's MCP layer passes every scored scenario: {' and '.join(said)}."


def render(outcomes):
    lines = [PREFACE.format(headline=headline(outcomes))]
    for revision, scenarios in outcomes.items():
        lines.append(f"\n## {revision}\n\n| scenario | scored | fixture | Retort |\n|---|---|---|---|\n")
        for name, (fixture, own, unscored) in scenarios.items():
            lines.append(f"| {name} | {'no: ' + unscored if unscored else 'yes'} | {cell(fixture)} | {cell(own)} |\n")
    return "".join(lines)


def test_page_lists_every_outcome(outcomes):
    text = render(outcomes)
    if os.environ.get("RETORT_UPDATE"):
        PAGE.write_text(text)
    assert PAGE.read_text() == text
