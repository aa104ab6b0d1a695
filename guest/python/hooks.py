"""Runs functions right after a module is first imported, or at once if it is loaded already; and provides modules of
our own for those that are not installed."""
import sys

waiting = {}
instead = {}  # name to a function that gives a spec if no other finder has one


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in waiting:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find and finder is not Finder else None
            if spec is not None:
                break
        else:
            return instead[name]() if name in instead else None
        run = getattr(spec.loader, "exec_module", None)
        if run:
            def exec_module(module):
                run(module)
                attempt(waiting.pop(name, None), module)

            spec.loader.exec_module = exec_module
        return spec


def attempt(work, module):
    try:
        work and work(module)
    except Exception:
        pass  # if a library has changed, only the hooked feature is lost, not the import


def stand_in(name, make):
    instead[name] = make
    after_import(name, None)


def after_import(name, work):
    module = sys.modules.get(name)
    if module is not None:
        attempt(work, module)
    else:
        waiting[name] = work
        if Finder not in sys.meta_path:
            sys.meta_path.insert(0, Finder)
