"""The tests under repair/ and pytests/ are input of the agent's tests, not tests of Retort."""
collect_ignore_glob = ["repair/*", "pytests/*"]
