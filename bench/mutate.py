"""Breaks the rules on purpose, one place at a time, and names each fault that no test notices.

    python bench/mutate.py                      # every layer below
    python bench/mutate.py consensus settle     # some of them
    python bench/mutate.py consensus --first 5  # the first faults of each module alone

A fault turns a comparison, drops a condition of a query, leaves out an element of a list, changes a
number by one, takes a refusal away and so on. Each is put into the functions of a forked process,
which then runs the tests of the layer until one fails. What survives is either a missing test or a
fault that changes nothing; the latter are named in `SAME` with their reason and do not count.
"""

import argparse
import ast
import copy
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 300  # until a fault that makes the tests hang counts as noticed


@dataclass(frozen=True)
class Layer:
    """Modules, and the tests that must notice every fault in them."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    functions: tuple[str, ...] = ()  # all of the modules where empty


STATISTICS = [
    "alpha", "binomial", "differences", "disagreement", "fleiss", "gwet",
    "jackknife", "kappa", "lists", "macro_f1", "majority", "overruling", "pairwise", "percent",
    "rho", "tables", "tau", "units",
]  # fmt: skip

LAYERS = {
    "consensus": Layer(
        ("annotation.rating.consensus",), ("tests/annotation/rating/test_consensus.py",)
    ),
    "settle": Layer(
        ("annotation.rating.settle",),
        ("tests/annotation/rating/test_settle.py",),
    ),
    "visibility": Layer(("annotation.querysets",), ("tests/annotation/test_querysets.py",)),
    "seats": Layer(
        ("annotation.assigning.actions.assign",), ("tests/annotation/assigning/test_assign.py",)
    ),
    "statistics": Layer(
        tuple(f"agreement.statistics.{name}" for name in STATISTICS),
        ("tests/agreement/statistics",),
    ),
}

# A fault by its line and change, and why it does nothing.
SAME: dict[str, str] = {
    'return pairs.select_for_update(no_key=True, of=("self",)).order_by("pk") -> False': (
        "a stronger lock of PostgreSQL; which one is needed, the races on PostgreSQL say"
    ),
    'ratings = Rating.objects.filter(pair__in=pairs).select_related("option__scale") -> '
    "without pair__in=pairs": "answers are taken by pair; the others are read in vain",
    "Pair.including_inactive.bulk_update(changed, SETTLED_FIELDS, batch_size=200) -> 201": (
        "how many rows a statement writes"
    ),
    "return self.annotate(query_id=Coalesce(Subquery(holding[:1]), Subquery(asking[:1]))) -> 2": (
        "SQLite takes the first row; PostgreSQL refuses two"
    ),
}

COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OPERATORS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Fault:
    module: str
    line: int
    text: str  # of the line
    change: str
    tree: ast.Module

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.text} -> {self.change}"


def changes_of(node: ast.AST) -> Iterator[tuple[str, ast.AST | None]]:
    """What may stand in place of a node, each with its name; None leaves a statement out."""
    new: Any = copy.deepcopy(node)
    match node:
        case ast.Compare(ops=[first, *_]) if type(first) in COMPARISONS:
            new.ops[0] = COMPARISONS[type(first)]()
            yield type(new.ops[0]).__name__, new
        case ast.BoolOp():
            new.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield type(new.op).__name__, new
        case ast.UnaryOp(op=ast.Not() | ast.Invert() | ast.USub()):
            yield f"without {type(node.op).__name__}", new.operand
        case ast.BinOp() if type(node.op) in OPERATORS:
            new.op = OPERATORS[type(node.op)]()
            yield type(new.op).__name__, new
        case ast.Constant(value=bool()):
            yield str(not node.value), ast.Constant(not node.value)
        case ast.Constant(value=int()):
            yield str(node.value + 1), ast.Constant(node.value + 1)
        case ast.IfExp():
            new.body, new.orelse = new.orelse, new.body
            yield "swapped", new
        case ast.If():
            new.test = ast.UnaryOp(ast.Not(), new.test)
            yield "if not", new
        case ast.Raise():
            yield "no refusal", None
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield NAMES[name], ast.Name(NAMES[name], ast.Load())
        case ast.List(elts=elements) | ast.Tuple(elts=elements, ctx=ast.Load()) if len(
            elements
        ) > 1 and all(isinstance(e, ast.Constant) for e in elements):
            for index in range(len(elements)):
                less = copy.deepcopy(new)
                yield f"without {ast.unparse(less.elts.pop(index))}", less
        case ast.Call(func=ast.Attribute(attr="filter" | "exclude"), keywords=keywords):
            for index in range(len(keywords)):
                less = copy.deepcopy(new)
                yield f"without {ast.unparse(less.keywords.pop(index))}", less


class _Replace(ast.NodeTransformer):
    def __init__(self, number: int, new: ast.AST | None):
        self.number, self.new = number, new

    def visit(self, node: ast.AST) -> ast.AST:
        if getattr(node, "number", None) == self.number:
            return ast.copy_location(self.new or ast.Pass(), node)
        return self.generic_visit(node)


def faults_in(module: str, source: str, functions: tuple[str, ...] = ()) -> Iterator[Fault]:
    """Every fault of the functions of a module."""
    tree = ast.parse(source)
    lines = source.splitlines()
    bodies = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and (not functions or node.name in functions)
    ]
    for number, node in enumerate(ast.walk(tree)):
        node.number = number  # type: ignore[attr-defined]
    inside = dict.fromkeys(
        node for body in bodies for statement in body.body for node in _told(statement)
    )
    for node in inside:
        for change, new in changes_of(node):
            broken = _Replace(node.number, new).visit(copy.deepcopy(tree))  # type: ignore[attr-defined]
            line = node.lineno  # type: ignore[attr-defined]
            text = lines[line - 1].strip()
            yield Fault(module, line, text, change, ast.fix_missing_locations(broken))


def _told(node: ast.AST) -> Iterator[ast.AST]:
    """A node with all below it, less what only a person reads: messages and annotations."""
    yield node
    if isinstance(node, ast.Raise):
        return
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _told(child)


def put(fault: Fault) -> None:
    """Give the functions of a loaded module the code of its broken twin."""
    module = sys.modules[fault.module]
    broken: dict[str, Any] = {"__name__": fault.module, "__file__": module.__file__}
    exec(compile(fault.tree, str(module.__file__), "exec"), broken)  # noqa: S102
    _swap(vars(module), broken, fault.module)


def _swap(whole: Any, broken: Any, module: str) -> None:
    for name, value in list(whole.items()):
        other = broken.get(name)
        if isinstance(value, type) and value.__module__ == module and isinstance(other, type):
            _swap(vars(value), vars(other), module)
            continue
        function, twin = _function(value), _function(other)
        if function and twin and function.__module__ == module:
            function.__code__ = twin.__code__
            function.__defaults__ = twin.__defaults__
            function.__kwdefaults__ = twin.__kwdefaults__


def _function(value: Any) -> FunctionType | None:
    if isinstance(value, property):
        value = value.fget
    value = getattr(value, "__func__", getattr(value, "func", value))
    while hasattr(value, "__wrapped__"):
        value = value.__wrapped__
    return value if isinstance(value, FunctionType) else None


def noticed(tests: tuple[str, ...], fault: Fault | None) -> bool:
    """Whether the tests fail, run in a process of their own with a fault in place."""
    process = os.fork()
    if process == 0:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        if fault:
            put(fault)
        import pytest

        options = ["-x", "-q", "-n0", "-m", "not browser", "-p", "no:warnings"]
        os._exit(int(pytest.main([*options, *tests])))
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return status != 0
        time.sleep(0.02)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return True


def run(layers: list[str], first: int | None) -> int:
    from importlib import import_module

    survivors = 0
    for name in layers:
        layer = LAYERS[name]
        loaded = {module: import_module(module) for module in layer.modules}
        if noticed(layer.tests, None):
            sys.exit(f"{name}: the tests fail without any fault. Mend them first.")
        killed, alive = 0, []
        for module, code in loaded.items():
            source = Path(str(code.__file__)).read_text(encoding="utf-8")
            for fault in list(faults_in(module, source, layer.functions))[:first]:
                if str(fault).partition(" ")[2] in SAME:
                    continue
                if noticed(layer.tests, fault):
                    killed += 1
                else:
                    alive.append(fault)
                    print(f"  not noticed: {fault}", flush=True)
        tried = killed + len(alive)
        print(f"{name}: {killed} of {tried} noticed ({killed / max(tried, 1):.1%})", flush=True)
        survivors += len(alive)
    return survivors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("layers", nargs="*", choices=[[], *LAYERS], help="all where none is named")
    parser.add_argument("--first", type=int, help="only so many faults of each module")
    chosen = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

    import django

    django.setup()
    sys.exit(1 if run(chosen.layers or list(LAYERS), chosen.first) else 0)


if __name__ == "__main__":
    main()
