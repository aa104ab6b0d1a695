/* Python that runs in the two sessions of a testbed. */
#include "agent/testbed_code.h"

/* In the tests' session: lists the tests with their source. */
const char testbed_discover[] =
    "import ast, glob\n"
    "_found = []\n"
    "for _path in sorted(glob.glob('test_*.py')):\n"
    "    _source = open(_path).read()\n"
    "    for _node in ast.parse(_source).body:\n"
    "        if isinstance(_node, ast.FunctionDef) and _node.name.startswith('test'):\n"
    "            _found.append([_path, _node.name, ast.get_source_segment(_source, _node)])\n"
    "final_answer(_found)\n";

/* In the tests' session: a proxy for the candidate, then every test by itself. */
const char testbed_harness[] =
    "import ast, builtins, glob, sys, types\n"
    "_calls = []\n"
    "class _Solution(types.ModuleType):\n"
    "    def __getattr__(self, name):\n"
    "        if name.startswith('__'):\n"
    "            raise AttributeError(name)\n"
    "        def call(*args, **kwargs):\n"
    "            shown = name + '(' + ', '.join([repr(a) for a in args]\n"
    "                    + ['%s=%r' % item for item in kwargs.items()]) + ')'\n"
    "            answer = tools.candidate(name=name, arguments=repr((list(args), kwargs)))\n"
    "            if 'error' in answer:\n"
    "                _calls.append('%s raised %s: %s' % (shown, answer['error'], "
    "answer['message']))\n"
    "                kind = getattr(builtins, answer['error'], RuntimeError)\n"
    "                if not (isinstance(kind, type) and issubclass(kind, Exception)):\n"
    "                    kind = RuntimeError\n"
    "                raise kind(answer['message'])\n"
    "            _calls.append('%s returned %s' % (shown, answer['value'][:300]))\n"
    "            return ast.literal_eval(answer['value'])\n"
    "        return call\n"
    "sys.modules['solution'] = _Solution('solution')\n"
    "_results = []\n"
    "for _path in sorted(glob.glob('test_*.py')):\n"
    "    _space = {'__name__': _path[:-3]}\n"
    "    _source = open(_path).read()\n"
    "    exec(compile(_source, _path, 'exec'), _space)\n"
    "    for _name, _test in list(_space.items()):\n"
    "        if not (_name.startswith('test') and isinstance(_test, types.FunctionType)):\n"
    "            continue\n"
    "        del _calls[:]\n"
    "        try:\n"
    "            _test()\n"
    "            _results.append([_path, _name, True, ''])\n"
    "        except Exception as _error:\n"
    "            _frame, _line = _error.__traceback__, ''\n"
    "            while _frame:\n"
    "                if _frame.tb_frame.f_code.co_filename == _path:\n"
    "                    _line = _source.splitlines()[_frame.tb_lineno - 1].strip()\n"
    "                _frame = _frame.tb_next\n"
    "            _said = '%s: %s' % (type(_error).__name__, _error) if str(_error) else ''\n"
    "            _results.append([_path, _name, False, '; '.join(p for p in (\n"
    "                _line, _said, _calls[-1] if _calls else '') if p)])\n"
    "final_answer(_results)\n";

/* In the candidate's session: one call; %s are the name and the arguments as JSON strings. */
const char testbed_call[] =
    "import ast as _ast, solution as _solution\n"
    "_args, _kwargs = _ast.literal_eval(%s)\n"
    "try:\n"
    "    _answer = {'value': repr(getattr(_solution, %s)(*_args, **_kwargs))}\n"
    "except Exception as _error:\n"
    "    _answer = {'error': type(_error).__name__, 'message': str(_error)[:500]}\n"
    "final_answer(_answer)\n";
