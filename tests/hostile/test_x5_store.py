"""X5: the store of records is shared, and nobody's records go because another writes much."""
import dataclasses
import json

from serving import Client, serving

ALICE, MALLORY = "alice-has-a-long-token", "mallory-has-a-long-one-too"


def verdict(client, session):
    return client.result("ledger.verify", session=session)["report"]["verdict"]


def test_X5_the_quota_is_held_by_who_fills_the_store(light, tmp_path):
    (tmp_path / "retort").mkdir()
    (tmp_path / "retort/config.json").write_text(json.dumps({"preload": [], "ledger": {"quota": 4}}))
    tokens = tmp_path / "tokens"
    tokens.write_text(f"{ALICE} name=alice\n{MALLORY} name=mallory\n")
    for path in (tmp_path, *tmp_path.parents[:2], *tmp_path.rglob("*")):
        path.chmod(0o755)
    caller = dataclasses.replace(light, configured=(("XDG_CONFIG_HOME", str(tmp_path)),))
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
