"""Note which functions of a folder are called, by a statement that each of them is given when it is imported.

A trace function is asked at every call of every library as well, and makes what calls small functions ten
times slower; a statement of its own costs a function a twentieth of a microsecond.
"""

from __future__ import annotations

import ast
import builtins
import os
import sys
from collections.abc import Collection, Iterator
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

from tests.syntax_trees import tree_of

_NOTE = "__treeline_note__"
# Functions that become machine code cannot call one of Python.
_COMPILES = "treeline.toolkit.compilation"
# From Python 3.12 on comprehensions are part of the function that they stand in (PEP 709).
_INLINED = {ast.ListComp: "<listcomp>", ast.SetComp: "<setcomp>", ast.DictComp: "<dictcomp>"}
_COMPREHENSIONS = {ast.GeneratorExp: "<genexpr>", **({} if sys.version_info >= (3, 12) else _INLINED)}


class CallProbes:
    """Notes which functions of the modules below a folder are called, in every thread.

    Modules have to be imported after :meth:`begin`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._seen: set[str] = set()

    def begin(self) -> None:
        """Give a statement to what is imported from now on."""
        setattr(builtins, _NOTE, self._seen.add)
        sys.path_hooks.insert(0, self._find)
        sys.path_importer_cache.clear()

    def end(self) -> None:
        """Import the rest as it is."""
        sys.path_hooks.remove(self._find)
        sys.path_importer_cache.clear()

    def take(self) -> set[str]:
        """Return what has been called since this was last asked: the file in the folder, and the function."""
        seen = set(self._seen)
        self._seen -= seen
        return seen

    def give(self, seen: Collection[str]) -> None:
        """Put back what was taken."""
        self._seen.update(seen)

    def _find(self, path: str) -> FileFinder:
        if path != self._folder and not path.startswith(self._folder + os.sep):
            raise ImportError(path)
        return FileFinder(path, (_loader_of(Path(self._folder)), SOURCE_SUFFIXES))


def _loader_of(folder: Path) -> type[SourceFileLoader]:
    class ProbeLoader(SourceFileLoader):
        def path_stats(self, path: Any) -> Any:
            raise OSError("What is compiled without probes is of no use, and with them is not to be kept.")

        def source_to_code(self, data: Any, path: Any, *, _optimization: int = -1) -> CodeType:
            file = Path(os.fsdecode(path)).relative_to(folder).as_posix()
            text = bytes(data)
            tree = tree_of(text)
            if _COMPILES.encode() not in text:
                tree = probe(tree, file)
            return compile(tree, path, "exec", dont_inherit=True, optimize=_optimization)

    return ProbeLoader


def functions_of(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    """Yield the code objects in a module's code with their names, such as ``"12:Search.find"``."""
    yield f"{code.co_firstlineno}:{code.co_qualname}", code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from functions_of(each)


def probe(tree: ast.Module, file: str) -> ast.Module:
    """Return a module whose functions note that they are called, by the names of :func:`functions_of`."""
    return ast.fix_missing_locations(_Probing(file).visit(tree))


class _Probing(ast.NodeTransformer):
    def __init__(self, file: str) -> None:
        self._file = file
        self._scope: list[str] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        node.bases = [self.visit(each) for each in node.bases]
        self._scope.append(node.name)
        node.body = [self.visit(each) for each in node.body]
        self._scope.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Any:
        line = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        note = ast.Expr(self._note(line, node.name))
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        node.args = self.visit(node.args)
        self._scope += [node.name, "<locals>"]
        body = [self.visit(each) for each in node.body]
        del self._scope[-2:]
        after = int(ast.get_docstring(node, clean=False) is not None)
        node.body = [*body[:after], note, *body[after:]]
        ast.copy_location(note, node.body[0])
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        note = self._note(node.lineno, "<lambda>")
        node.args = self.visit(node.args)
        self._scope += ["<lambda>", "<locals>"]
        node.body = self._after(note, self.visit(node.body))
        del self._scope[-2:]
        return node

    def _visit_comprehension(self, node: Any) -> Any:
        name = _COMPREHENSIONS.get(type(node))
        if name is None:
            return self.generic_visit(node)
        # Its first iterable is computed by what is around it, and so whenever the comprehension is.
        first = self._after(self._note(node.lineno, name), self.visit(node.generators[0].iter))
        node.generators[0].iter = ast.Constant(())
        self._scope.append(name)
        self.generic_visit(node)
        self._scope.pop()
        node.generators[0].iter = first
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension

    def visit_arg(self, node: ast.arg) -> Any:
        return node  # its annotation is not carried out

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        node.value = self.visit(node.value) if node.value else None
        return node

    def _note(self, line: int, name: str) -> ast.Call:
        text = f"{self._file}:{line}:{'.'.join([*self._scope, name])}"
        return ast.Call(ast.Name(_NOTE, ast.Load()), [ast.Constant(text)], [])

    @staticmethod
    def _after(note: ast.Call, value: ast.expr) -> ast.expr:
        both = ast.Tuple([note, value], ast.Load())
        made = ast.Subscript(both, ast.Constant(1), ast.Load())
        for each in ast.walk(note):
            ast.copy_location(each, value)
        ast.copy_location(both, value)
        return ast.copy_location(made, value)
