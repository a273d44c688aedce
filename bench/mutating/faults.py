"""The faults of a module: what may be broken in its functions, one place at a time."""

import ast
import copy
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import _lru_cache_wrapper, cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OPERATORS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
# What is only about how a statement runs: which columns it writes, how many rows at once, which
# kind of lock, how equal numbers are held; and a guard that never speaks where lists were made
# together.
ABOUT_RUNNING = {"update_fields", "batch_size", "chunk_size", "dtype", "no_key", "of", "strict"}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Fault:
    module: str
    line: int
    text: str  # of the line
    change: str
    number: int  # of the node in its tree
    new: ast.AST | None  # what stands in its place; None leaves a statement out
    lines: range  # of its statement; of one that holds others, without those
    source: str  # of the module, so that it may be worked on meanwhile

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.text} -> {self.change}"

    @property
    def key(self) -> str:
        """The fault without its place, as `SAME` names it."""
        return f"{self.text} -> {self.change}"


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
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield "left out", None
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield NAMES[name], ast.Name(NAMES[name], ast.Load())
        case ast.List(elts=elements) | ast.Tuple(elts=elements, ctx=ast.Load()) if len(
            elements
        ) > 1 and all(isinstance(element, ast.Constant) for element in elements):
            for index in range(len(elements)):
                less = copy.deepcopy(new)
                yield f"without {ast.unparse(less.elts.pop(index))}", less
        case ast.Dict(keys=keys):
            for index, key in enumerate(keys):
                less = copy.deepcopy(new)
                del less.keys[index], less.values[index]
                yield f"without {ast.unparse(key) if key else 'what is spread'}", less
        case ast.Call(keywords=keywords):
            for index, keyword in enumerate(keywords):
                if keyword.arg in ABOUT_RUNNING:
                    continue
                less = copy.deepcopy(new)
                yield f"without {ast.unparse(less.keywords.pop(index))}", less


class _Replace(ast.NodeTransformer):
    def __init__(self, number: int, new: ast.AST | None):
        self.number, self.new = number, new

    def visit(self, node: ast.AST) -> ast.AST:
        if getattr(node, "number", None) == self.number:
            return ast.copy_location(self.new or ast.Pass(), node)
        return self.generic_visit(node)


def _numbered(source: str) -> ast.Module:
    tree = ast.parse(source)
    for number, node in enumerate(ast.walk(tree)):
        node.number = number  # type: ignore[attr-defined]
    return tree


def faults_in(module: str, source: str, functions: tuple[str, ...] = ()) -> Iterator[Fault]:
    """Every fault of the functions of a module, or of those that are named."""
    tree = _numbered(source)
    lines = source.splitlines()
    for function in _functions(tree):
        if functions and function.name not in functions:
            continue
        for outermost in function.body:
            for node, statement in _run_in(outermost, outermost):
                for change, new in changes_of(node):
                    line: int = node.lineno  # type: ignore[attr-defined]
                    text = lines[line - 1].strip()
                    number: int = node.number  # type: ignore[attr-defined]
                    where = _lines_of(statement)
                    yield Fault(module, line, text, change, number, new, where, source)


def _lines_of(statement: ast.stmt) -> range:
    body = getattr(statement, "body", None)
    after = body[0].lineno if body else (statement.end_lineno or statement.lineno) + 1
    return range(statement.lineno, max(after, statement.lineno + 1))


def _functions(node: ast.AST) -> Iterator[ast.FunctionDef]:
    """The functions of a module and of its classes, without those inside functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield child
        else:
            yield from _functions(child)


def _run_in(node: ast.AST, statement: ast.stmt) -> Iterator[tuple[ast.AST, ast.stmt]]:
    """A node with all below it, less what only a person reads (messages and annotations), and
    numbers and truths that are only about how a statement runs; each with its statement."""
    if isinstance(node, ast.stmt):
        statement = node
    yield node, statement
    if isinstance(node, ast.Raise):
        return
    if isinstance(node, ast.keyword) and node.arg in ABOUT_RUNNING and node.arg != "update_fields":
        return
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _run_in(child, statement)


def put(fault: Fault) -> None:
    """Give the functions of a loaded module the code of its broken twin."""
    module = sys.modules[fault.module]
    tree = _numbered(fault.source)
    tree = ast.fix_missing_locations(_Replace(fault.number, fault.new).visit(tree))
    broken: dict[str, Any] = {
        "__name__": fault.module,
        "__package__": module.__package__,
        "__file__": module.__file__,
    }
    exec(compile(tree, str(module.__file__), "exec"), broken)  # noqa: S102
    _swap(vars(module), broken, fault.module)
    forget()


def forget() -> None:
    """Empty what functions and a module's objects keep: it was made when the tests were gathered,
    without the fault."""
    ours = {file.parent.name for file in ROOT.glob("*/__init__.py")}
    for name in list(sys.modules):
        of_module = vars(sys.modules[name]) if name.partition(".")[0] in ours else {}
        for value in list(of_module.values()):
            if isinstance(value, _lru_cache_wrapper):
                value.cache_clear()
            elif type(value).__module__.partition(".")[0] in ours:
                for kept in _cached_by(type(value)):
                    vars(value).pop(kept, None)


def _cached_by(kind: type) -> list[str]:
    return [name for name, value in vars(kind).items() if isinstance(value, cached_property)]


def _swap(whole: Any, broken: Any, module: str) -> None:
    for name, value in list(whole.items()):
        other = broken.get(name)
        if isinstance(value, type) and value.__module__ == module and isinstance(other, type):
            _swap(vars(value), vars(other), module)
            continue
        function, twin = _function(value), _function(other)
        if function and twin and function.__module__ == module:
            # Not its defaults: those of the twin are other objects, which `is` tells apart.
            function.__code__ = twin.__code__


def _function(value: Any) -> FunctionType | None:
    if isinstance(value, property):
        value = value.fget
    value = getattr(value, "__func__", getattr(value, "func", value))
    while hasattr(value, "__wrapped__"):
        value = value.__wrapped__
    return value if isinstance(value, FunctionType) else None
