"""Top-level await: one event loop for all cells of a session."""
import asyncio

from .cell import state


def complete(coroutine):
    if state.loop is None or state.loop.is_closed():
        state.loop = asyncio.new_event_loop()
    asyncio.set_event_loop(state.loop)
    task = state.loop.create_task(coroutine)
    try:
        return state.loop.run_until_complete(task)
    except KeyboardInterrupt:
        # The interrupt struck the loop. Cancelling the task shows where the user's code waited.
        if task.done():
            raise
        task.cancel()
        try:
            state.loop.run_until_complete(task)
        except asyncio.CancelledError as e:
            raise KeyboardInterrupt().with_traceback(e.__traceback__) from None
        raise
