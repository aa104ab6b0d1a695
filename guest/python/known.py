"""What the dataflow analysis knows of Python: names that it can follow, and names that it refuses."""

# These neither change their arguments nor call them.
PLAIN = frozenset(
    "print len isinstance issubclass str repr ascii type id hash bool int float complex bytes callable chr ord abs "
    "round divmod pow bin hex oct format input display BaseException Exception ValueError TypeError KeyError IndexError "
    "RuntimeError StopIteration StopAsyncIteration AttributeError LookupError ArithmeticError ZeroDivisionError "
    "OverflowError NameError OSError IOError FileNotFoundError PermissionError NotImplementedError AssertionError "
    "UnicodeError UnicodeDecodeError UnicodeEncodeError KeyboardInterrupt TimeoutError ConnectionError EOFError "
    "ImportError ModuleNotFoundError RecursionError MemoryError Warning UserWarning DeprecationWarning "
    "NotImplemented Ellipsis slice range bytearray object".split()) | {"tools.ToolError"}
# These keep or call what they are given.
BUILTINS = PLAIN | frozenset(
    "list tuple dict set frozenset sorted reversed enumerate zip map filter sum min max any all iter next open "
    "property staticmethod classmethod super getattr hasattr setattr delattr memoryview exit quit SystemExit aiter "
    "anext __name__ __file__ __doc__ __debug__".split())
# These see or change what the syntax tree does not show.
UNSEEN = frozenset("eval exec compile globals locals vars dir __import__ breakpoint help __builtins__ __loader__ "
                   "__spec__ get_ipython In Out".split())

# Modules whose functions compute: their results depend only on their arguments.
PURE = frozenset(
    "re json math cmath datetime string statistics base64 textwrap html decimal fractions urllib.parse time calendar "
    "uuid unicodedata binascii difflib struct zlib copy typing enum numbers colorsys keyword zoneinfo ipaddress "
    "hashlib hmac secrets abc dataclasses __future__ reprlib pprint quopri shlex fnmatch email.utils".split())
# Modules that keep something, or call back.
KEEPING = frozenset(
    "random collections collections.abc itertools functools operator heapq bisect io queue array contextlib threading "
    "concurrent concurrent.futures asyncio logging warnings weakref string.templatelib locale contextvars types sched "
    "html.parser xml xml.etree xml.etree.ElementTree configparser argparse signal graphlib email email.message "
    "email.mime email.mime.text email.header tools urllib sys traceback unittest doctest".split())
# Modules that reach files as well.
FILES = frozenset(
    "os os.path pathlib shutil tempfile glob csv sqlite3 zipfile tarfile gzip bz2 lzma fileinput mmap numpy pandas "
    "scipy sklearn matplotlib matplotlib.pyplot seaborn polars PIL yaml openpyxl pyarrow statsmodels sympy networkx "
    "bs4 lxml tomllib plistlib linecache".split())
PATHS = frozenset("os.path." + name for name in "join basename dirname splitext split normpath isabs".split())
STATEFUL = frozenset("random logging warnings locale sys signal contextvars".split())
NETWORK = frozenset("requests urllib.request http http.client httpx aiohttp socket ssl smtplib ftplib imaplib poplib "
                    "urllib3 websockets telnetlib xmlrpc xmlrpc.client".split())
# Methods of connections and answers that send nothing.
RECEIVING = frozenset("json read readline readlines decode close getcode getheader getheaders info recv iter_lines "
                      "iter_content raise_for_status split strip splitlines lower upper find startswith endswith items keys values".split())
MODULES = PURE | KEEPING | FILES | NETWORK

# Ends of dotted names that bypass the syntax tree.
REACHING = frozenset(
    "sys.modules sys._getframe sys.settrace sys.setprofile sys.meta_path sys.path_hooks sys.path sys.displayhook "
    "sys.excepthook sys._current_frames sys.stdin_source os.system os.popen os.exec os.spawn os.fork os.posix_spawn "
    "os.execv os.execve os.execvp os.execl os.execlp os.spawnl os.spawnv os.startfile os.memfd_create "
    "operator.attrgetter operator.methodcaller types.FunctionType types.CodeType types.MethodType types.new_class "
    "functools.singledispatch doctest.testmod unittest.main unittest.mock sys.addaudithook threading.settrace "
    "threading.setprofile pandas.eval pandas.read_pickle numpy.load numpy.frompyfunc yaml.load yaml.unsafe_load "
    "logging.config traceback.walk_stack traceback.extract_stack traceback.walk_tb signal.signal "
    "typing.get_type_hints types.SimpleNamespace.__dict__ sqlite3.enable_callback_tracebacks "
    "decimal.getcontext decimal.setcontext decimal.localcontext contextlib.redirect_stdout contextlib.redirect_stderr "
    "asyncio.open_connection asyncio.start_server asyncio.open_unix_connection asyncio.create_subprocess_exec "
    "asyncio.create_subprocess_shell".split())
# Attributes through which an object shows how it was made.
FRAMES = frozenset("tb_frame tb_next f_locals f_globals f_back f_builtins f_code gi_frame gi_code cr_frame cr_code ag_frame "
                   "func_globals gi_yieldfrom cr_await".split())
DUNDERS = frozenset(
    "__name__ __doc__ __class__ __init__ __str__ __repr__ __len__ __iter__ __next__ __enter__ __exit__ __call__ __eq__ "
    "__ne__ __lt__ __gt__ __le__ __ge__ __add__ __getitem__ __setitem__ __contains__ __hash__ __bool__ __version__ "
    "__post_init__ __aenter__ __aexit__ __format__ __annotations__ __notes__ __cause__ __context__".split())
# Methods by which a class changes what attribute access or its own creation means.
CHANGING = frozenset(
    "__getattr__ __getattribute__ __setattr__ __delattr__ __get__ __set__ __delete__ __del__ __init_subclass__ "
    "__class_getitem__ __new__ __set_name__ __prepare__ __instancecheck__ __subclasscheck__ __mro_entries__ "
    "__subclasshook__ __reduce__ __reduce_ex__ __getstate__ __setstate__ __slots__ __dict__ __class__ "
    "__match_args__".split())

MUTATORS = frozenset(
    "append add extend insert update setdefault appendleft extendleft pop popitem popleft remove discard clear sort "
    "reverse rotate put put_nowait set write writelines writerow writerows write_text write_bytes subtract "
    "difference_update intersection_update symmetric_difference_update move_to_end feed push seed shuffle".split())
GROWING = frozenset(("append", "add", "write", "writelines"))
ENDING = frozenset(("sys.exit", "os._exit", "os.abort", "exit", "quit"))
SUFFIXES = (".py", ".pth", ".so", ".pyc", ".pyd")
# Methods of tables that do not touch files; those of paths that change no file; and those that write only what they are
# given.
TABLES = frozenset("head tail describe sum mean median min max count groupby sort_values reset_index merge dropna fillna astype "
                   "nunique unique value_counts to_dict tolist iterrows itertuples".split())
FILE_READS = frozenset("read_text read_bytes exists is_file is_dir".split())
FILE_WRITES = frozenset("write_text write_bytes mkdir touch to_csv to_json to_html to_markdown to_string".split())
# Functions that make the name of a file, and those that only look.
NAMING = frozenset(("pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath"))
LOOKING = frozenset("os.getcwd os.listdir os.scandir os.walk os.stat os.path.exists os.path.isfile "
                    "os.path.isdir os.path.getsize os.path.getmtime glob.glob".split())
