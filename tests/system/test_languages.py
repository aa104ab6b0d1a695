"""Cells in several languages in one session, as a client of `retort rpc` sees them."""
import pytest
import rpc


@pytest.fixture(scope="module")
def server(light):
    running = rpc.Server(light)
    yield running
    assert running.close() == 0


@pytest.fixture
def session(server):
    one = server.session()
    yield one
    one.close()


def test_a_cell_has_a_language(session):
    for name in ("python", "py", "python3"):
        result = session.server.call("session.execute", session=session.id, code="6 * 7", language=name)
        assert (result["status"], result["value"]["text/plain"]) == ("ok", "42")
    with pytest.raises(rpc.Failure) as refused:
        session.server.call("session.execute", session=session.id, code="1", language="cobol")
    assert "cobol" in str(refused.value) and "python, sql, bash and javascript" in str(refused.value)
