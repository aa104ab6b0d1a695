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
        if task.done():
            settle()
        else:
            # The interrupt struck the loop. Cancelling the task shows where the user's code waited; but only for a
            # moment: the task may refuse, or the loop may have lost its next step.
            cancel(task)
        raise


def settle():
    """The interrupt struck the task: runs what waits for its end now, not in the next cell, whose loop it might stop.
    """
    state.loop.call_soon(state.loop.stop)
    state.loop.run_forever()


def cancel(task):
    task.cancel()
    late = state.loop.call_later(0.5, state.loop.stop)
    try:
        # Something else may stop the loop when the task is done, as the first run may still do: that does not matter.
        state.loop.run_until_complete(task)
    except asyncio.CancelledError as e:
        raise KeyboardInterrupt().with_traceback(e.__traceback__) from None
    except RuntimeError:
        if task.done():  # otherwise the loop was stopped, and the task has no result
            raise
    finally:
        late.cancel()
