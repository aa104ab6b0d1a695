"""As much of DuckDB's module for Python as SQL cells use, on DuckDB's own library by its functions for C: there is no
Debian package of the module, and npm has only the library (libduckdb.so, beside this file)."""
import ctypes
import pathlib

LIBRARY = ctypes.CDLL(str(pathlib.Path(__file__).with_name("libduckdb.so")))
KINDS = {1: "BOOLEAN", 2: "TINYINT", 3: "SMALLINT", 4: "INTEGER", 5: "BIGINT", 9: "UBIGINT", 10: "FLOAT", 11: "DOUBLE",
         12: "TIMESTAMP", 13: "DATE", 16: "HUGEINT", 17: "VARCHAR", 19: "DECIMAL"}
READ = {"BOOLEAN": lambda text: text == "true", "FLOAT": float, "DOUBLE": float, "DECIMAL": float,
        **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UBIGINT", "HUGEINT"), int)}
Pointer, Index = ctypes.c_void_p, ctypes.c_uint64


class Error(Exception):
    pass


class InterruptException(Error):
    pass


class Result(ctypes.Structure):
    _fields_ = [(name, Pointer) for name in ("columns", "rows", "changed", "data", "message", "inside")]


def function(name, gives, *takes):
    found = getattr(LIBRARY, "duckdb_" + name)
    found.restype, found.argtypes = gives, takes
    return found


RESULT = ctypes.POINTER(Result)
opened = function("open", ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(Pointer))
connected = function("connect", ctypes.c_int, Pointer, ctypes.POINTER(Pointer))
prepare = function("prepare", ctypes.c_int, Pointer, ctypes.c_char_p, ctypes.POINTER(Pointer))
prepare_error = function("prepare_error", ctypes.c_char_p, Pointer)
place_of = function("bind_parameter_index", ctypes.c_int, Pointer, ctypes.POINTER(Index), ctypes.c_char_p)
bind_text = function("bind_varchar", ctypes.c_int, Pointer, Index, ctypes.c_char_p)
bind_number = function("bind_int64", ctypes.c_int, Pointer, Index, ctypes.c_int64)
bind_real = function("bind_double", ctypes.c_int, Pointer, Index, ctypes.c_double)
bind_null = function("bind_null", ctypes.c_int, Pointer, Index)
perform = function("execute_prepared", ctypes.c_int, Pointer, RESULT)
result_error = function("result_error", ctypes.c_char_p, RESULT)
column_count = function("column_count", Index, RESULT)
row_count = function("row_count", Index, RESULT)
column_name = function("column_name", ctypes.c_char_p, RESULT, Index)
column_type = function("column_type", ctypes.c_int, RESULT, Index)
is_null = function("value_is_null", ctypes.c_bool, RESULT, Index, Index)
value_text = function("value_varchar", Pointer, RESULT, Index, Index)
free = function("free", None, Pointer)
destroy_result = function("destroy_result", None, RESULT)
destroy_prepared = function("destroy_prepare", None, ctypes.POINTER(Pointer))
disconnect = function("disconnect", None, ctypes.POINTER(Pointer))
shut = function("close", None, ctypes.POINTER(Pointer))


def bind(statement, place, value):
    if value is None:
        bind_null(statement, place)
    elif isinstance(value, int):
        bind_number(statement, place, value)
    elif isinstance(value, float):
        bind_real(statement, place, value)
    else:
        bind_text(statement, place, str(value).encode())


class Connection:
    def __init__(self, path):
        self.base, self.link = Pointer(), Pointer()
        if opened(path.encode(), ctypes.byref(self.base)) or connected(self.base, ctypes.byref(self.link)):
            raise Error("cannot open the database")
        self.description, self.rows = None, []

    def execute(self, query, parameters=None):
        statement, result = Pointer(), Result()
        try:
            if prepare(self.link, query.encode(), ctypes.byref(statement)):
                raise Error(prepare_error(statement).decode())
            self.bind_all(statement, parameters or ())
            if perform(statement, ctypes.byref(result)):
                raise Error(result_error(ctypes.byref(result)).decode())
            self.take(ctypes.byref(result))
        finally:
            destroy_prepared(ctypes.byref(statement))
            destroy_result(ctypes.byref(result))
        return self

    def bind_all(self, statement, parameters):
        for place, given in enumerate(parameters, 1):
            found = Index(place)
            if isinstance(parameters, dict):
                place_of(statement, ctypes.byref(found), given.encode())
                given = parameters[given]
            bind(statement, found, given)

    def take(self, result):
        wide = range(column_count(result))
        self.description = [(column_name(result, i).decode(), KINDS.get(column_type(result, i), "VARCHAR")) for i in wide] or None
        self.rows = [tuple(self.value(result, i, row) for i in wide) for row in range(row_count(result))]

    def value(self, result, column, row):
        if is_null(result, column, row):
            return None
        text = value_text(result, column, row)
        try:
            return READ.get(self.description[column][1], str)(ctypes.string_at(text).decode()) if text else None
        finally:
            free(text)

    def executemany(self, query, many):
        for parameters in many:
            self.execute(query, list(parameters))

    def fetchmany(self, count):
        some, self.rows = self.rows[:count], self.rows[count:]
        return some

    def fetchall(self):
        return self.fetchmany(len(self.rows))

    def fetchone(self):
        return (self.fetchmany(1) or [None])[0]

    def register(self, name, frame):
        kinds = {"i": "BIGINT", "f": "DOUBLE", "b": "BOOLEAN"}
        self.execute('CREATE TEMP TABLE "%s" (%s)' % (name, ", ".join(
            '"%s" %s' % (column, kinds.get(frame[column].dtype.kind, "VARCHAR")) for column in frame.columns)))
        self.executemany('INSERT INTO "%s" VALUES (%s)' % (name, ", ".join("?" * len(frame.columns))),
                         (row for row in frame.astype(object).itertuples(index=False, name=None)))

    def close(self):
        disconnect(ctypes.byref(self.link))
        shut(ctypes.byref(self.base))


def connect(path):
    return Connection(path)
