"""Frames over descriptor 3; the format is described in src/wire/frame.h.

posix.read and posix.write only: importing `socket` would cost more than the rest of the guest, and
`os` half as much. Headers are read apart from payloads and never beyond them, so that a descriptor
sent with the byte after a frame is still there for recvmsg.
"""
import _signal
import _thread
import posix

FD = 3

held = []  # what the user's handlers raised while a frame was under way
late = []  # frames that such handlers made meanwhile, and their destination

READY, DISPLAY, PLOT, RESULT, TOOL_CALL, CHECKPOINTED, COMPLETIONS, RESUMED, SAID, LISTING = range(1, 11)
HELLO, CELL, COMPLETE, TOOL_RESULT, CHECKPOINT, TOOLS, BRANCH, SHOWN, ASK, VARIABLES, ANEW = range(64, 75)

F_VERSION, F_PID, F_ID, F_MIME, F_DATA, F_PATH, F_TITLE, F_CHART, F_JSON, F_NAME = range(1, 11)
F_CALL, F_NOTE, F_START, F_SEED, F_CELL, F_CODE, F_FLAGS, F_FILENAME, F_KIND = range(11, 20)
F_EXIT_CODE, F_VALUE = range(20, 22)
F_ERROR_NAME, F_ERROR_MESSAGE, F_ERROR_TRACEBACK, F_ERROR_LINE, F_ERROR_SOURCE = range(22, 27)
F_ERROR_VALUES, F_ERROR_HINT, F_VARIABLES, F_DATAFRAMES, F_THREADS, F_FINAL = range(27, 33)
F_LANGUAGE, F_STATE, F_INODE = range(33, 36)


def born():
    """Called after the start, and after a fork that makes a new interpreter of this process."""
    global owner, main_thread, writer, reader, caller
    owner = posix.getpid()  # a child that the cell forked has the descriptor too, but must not write
    main_thread = _thread.get_ident()
    # Held while a frame is written, while one is read, and from a tool call to its result.
    writer, reader, caller = _thread.RLock(), _thread.allocate_lock(), _thread.allocate_lock()
    late.clear()


def hold(error, code):
    """A handler of the user has raised out of a system call. The call is repeated; what the handler raised comes later.
    If the call itself has failed, the broker is gone."""
    if error.__traceback__.tb_next:
        held.append(error)
    elif isinstance(error, OSError):
        posix._exit(code)
    else:
        raise error


def shielded(work, *args):
    """Runs work(*args) so that no signal can cut a frame in half: the interrupt comes later."""
    if _thread.get_ident() != main_thread:
        return work(*args)  # Python raises KeyboardInterrupt in the main thread alone
    late = []
    old = _signal.signal(_signal.SIGINT, lambda *_: late.append(1))
    try:
        return work(*args)
    finally:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL if old is None else old)
        if late:
            _thread.interrupt_main()
        if held:
            raise held.pop()


def encode(kind, fields):
    parts = []
    for tag, value in fields:
        if type(value) is int:
            value = value.to_bytes(8, "little", signed=True)
        elif type(value) is str:
            value = value.encode("utf-8", "backslashreplace")
        parts += (tag | len(value) << 32).to_bytes(8, "little"), value
    payload = b"".join(parts)
    return (len(payload) | kind << 32).to_bytes(8, "little") + payload


def write(data, fd=FD):
    """A handler (or a finalizer) that interrupts the writing of a frame must neither wait for its end, which would take
    for ever, nor write into it: its own frame follows afterwards."""
    if writer._is_owned():
        late.append((data, fd))
        return
    with writer:
        put_late()
        put(data, fd)
    while late:
        with writer:
            put_late()


def put_late():
    while late:
        put(*late.pop(0))


def put(data, fd):
    view = memoryview(data)
    while view:
        try:
            view = view[posix.write(fd, view) :]
        except BaseException as e:
            hold(e, 1)


def send(kind, fields):
    if posix.getpid() == owner:
        shielded(write, encode(kind, fields))


def reply(kind, fields, fd=FD):
    """For use between cells, too."""
    if posix.getpid() == owner:
        write(encode(kind, fields), fd)


def show(kind, fields):
    """Sends a display, and waits until the broker has taken it: text printed from now on comes
    after it. Threads, and code that runs while a tool call waits, have no such order."""
    if _thread.get_ident() != main_thread or posix.getpid() != owner or not caller.acquire(False):
        return send(kind, fields)
    try:
        shielded(_show, encode(kind, fields + [(F_CALL, 0)]))
    finally:
        caller.release()


def _show(data):
    write(data)
    with reader:
        while read_frame()[0] != SHOWN:  # answers to tool calls that were interrupted
            pass


def _read(size, fd):
    data = b""
    while len(data) < size:
        try:
            part = posix.read(fd, size - len(data))
        except BaseException as e:
            hold(e, 0)
            continue
        if not part:
            posix._exit(0)
        data = data + part if data else part
    return data


def spoken(seconds, fd=FD):
    """Whether a frame comes within this time."""
    from select import select

    return select([fd], [], [], seconds)[0]


def receive(fd=FD):
    """The next frame as (type, [(tag, bytes)]). Called between cells, when SIGINT interrupts nothing; what other
    handlers raise is dropped."""
    with reader:
        frame = read_frame(fd)
    held.clear()
    return frame


def read_frame(fd=FD):
    head = _read(8, fd)
    return head[4], parsed(_read(int.from_bytes(head[:4], "little"), fd))


def parsed(payload):
    fields, at = [], 0
    while at < len(payload):
        end = at + 8 + int.from_bytes(payload[at + 4 : at + 8], "little")
        fields.append((payload[at], payload[at + 8 : end]))
        at = end
    return fields


def number(data):
    return int.from_bytes(data, "little", signed=True)


def text(data):
    return data.decode("utf-8", "replace")
