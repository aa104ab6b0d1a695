"""The tests under repair/ are input of the agent's tests, not tests of Retort."""
collect_ignore_glob = ["repair/*"]
