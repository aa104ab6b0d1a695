"""X5: the store of records is shared, and nobody's records go because another writes much."""
import dataclasses
import json
import pathlib
import time

from serving import Client, serving

ALICE, MALLORY = "alice-has-a-long-token", "mallory-has-a-long-one-too"


def verdict(client, session):
    return client.result("ledger.verify", session=session)["report"]["verdict"]


def with_tokens(light, tmp_path):
    """The caller with a quota of 4 MiB, and the file with two tokens."""
    (tmp_path / "retort").mkdir()
    (tmp_path / "retort/config.json").write_text(json.dumps({"preload": [], "ledger": {"quota": 4}}))
    tokens = tmp_path / "tokens"
    tokens.write_text(f"{ALICE} name=alice\n{MALLORY} name=mallory\n")
    for path in (tmp_path, *tmp_path.parents[:2], *tmp_path.rglob("*")):
        path.chmod(0o755)
    return dataclasses.replace(light, configured=(("XDG_CONFIG_HOME", str(tmp_path)),)), tokens


def test_X5_the_quota_is_held_by_who_fills_the_store(light, tmp_path):
    caller, tokens = with_tokens(light, tmp_path)
    code = "import os; open('data', 'wb').write(os.urandom({}))"
    with serving(caller, "--token-file", tokens) as server:
        alice, mallory = Client(server, ALICE), Client(server, MALLORY)
        kept = alice.session()
        alice.run(kept, code.format(1_000_000))
        alice.result("session.close", session=kept)
        greedy = mallory.session()
        for _ in range(200):  # until the quota, which is looked at now and then, has been held
            mallory.run(greedy, code.format(1_000_000))
            if verdict(mallory, greedy) == "expired":
                break
        assert (verdict(alice, kept), verdict(mallory, greedy)) == ("ok", "expired")


# Each cell has changed all of them: 900 KB of names and hashes in its entry.
MANY_FILES = """import os
for i in range(2000):
    with open('%d' % i + 'x' * 200, 'wb') as f: f.write(os.urandom(4))"""


def refusal(client, session):
    status, answer = client.rpc("session.execute", session=session, code=MANY_FILES)
    return answer["error"]["message"] if "error" in answer else ""


def test_X5_lists_of_files_do_not_fill_the_disk(light, tmp_path):
    """25 such cells were 22 MB of entries, of which there was no limit at all. Now who has no session that could go
    is refused, until one of them ends; and nobody else is."""
    caller, tokens = with_tokens(light, tmp_path)
    with serving(caller, "--token-file", tokens) as server:
        alice, mallory = Client(server, ALICE), Client(server, MALLORY)
        kept = alice.session()
        alice.run(kept, "1")
        greedy, refused = mallory.session(), ""
        for _ in range(40):
            refused = refused or refusal(mallory, greedy)
        assert "close some of them" in refused
        size = sum(path.stat().st_size for path in pathlib.Path(server.state).glob("ledger.db*"))
        assert size < 24_000_000  # 1 MiB, what came until somebody looked, and the WAL
        assert alice.run(kept, "1 + 1")["status"] == "ok" and verdict(alice, kept) == "ok"
        mallory.result("session.close", session=greedy)
        for _ in range(200):
            status, answer = mallory.rpc("session.create")
            if "error" not in answer:
                break
            time.sleep(0.05)
        assert "error" not in answer
        status, answer = mallory.rpc("ledger.verify", session=greedy)
        assert "error" in answer and verdict(alice, kept) == "ok"
