"""Our stub kernel headers: macros, types and prototypes, read on demand.

``patchgen/checks/stubs/include`` is laid out like the kernel's ``include``. A header there
holds, in our own words, the part of an interface that the rules need.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from patchgen.checks.code.from_pycparser import Declarations, convert
from patchgen.checks.code.ir import Struct, Var
from patchgen.checks.code.macros import Macro, parse_define
from patchgen.checks.code.parse import parse_tokens, split_declarations
from patchgen.checks.code.tokens import Token, split_comments, tokenize_line
from patchgen.checks.code.typenames import declared_typedefs

_ROOT = Path(__file__).resolve().parent.parent / "stubs" / "include"


@dataclass(frozen=True, slots=True)
class Declared:
    """Where a name of the stubs comes from: its header, and the declaration's tokens."""

    header: str
    tokens: tuple[Token, ...]


class StubLibrary:
    """Every stub header; declarations are parsed when a rule first asks for them."""

    def __init__(self, root: Path = _ROOT) -> None:
        self._macros: dict[str, Macro] = {}
        self._macro_headers: dict[str, str] = {}
        self._functions: dict[str, Declared] = {}
        self._structs: dict[str, Declared] = {}
        self._typedefs: set[str] = set()
        self._parsed: dict[Declared, Declarations] = {}
        self.headers = frozenset(
            path.relative_to(root).as_posix() for path in root.rglob("*.h")
        )
        for header in sorted(self.headers):
            self._read(header, (root / header).read_text(encoding="utf-8"))

    @property
    def macros(self) -> Mapping[str, Macro]:
        """The macros that have to be expanded or dropped before C can be parsed."""
        return MappingProxyType(self._macros)

    @property
    def typedefs(self) -> frozenset[str]:
        """The type names of the kernel that the stubs know."""
        return frozenset(self._typedefs)

    def header_of(self, name: str) -> str | None:
        """The header that declares a function or macro, ``linux/clk.h``; None if unknown."""
        found = self._functions.get(name)
        return found.header if found else self._macro_headers.get(name)

    def function(self, name: str) -> Var | None:
        """A function's prototype, None if the stubs do not know it."""
        found = self._functions.get(name)
        prototypes = self._declared(found).prototypes if found else []
        return prototypes[0] if prototypes else None

    def struct(self, name: str) -> Struct | None:
        """``struct name`` with its members, None if unknown."""
        found = self._structs.get(name)
        if found is None:
            return None
        return next((s for s in self._declared(found).structs if s.name == name), None)

    def _declared(self, found: Declared) -> Declarations:
        if found not in self._parsed:
            nodes = parse_tokens(found.tokens, self._typedefs, found.header)
            self._parsed[found] = convert(nodes, found.header, lambda line: line)
        return self._parsed[found]

    def _read(self, header: str, text: str) -> None:
        stripped, _ = split_comments(text)
        tokens: list[Token] = []
        lines = stripped.replace("\\\n", " ").split("\n")
        for number, line in enumerate(lines, 1):
            bare = line.strip()
            if bare.startswith("#define"):
                macro = parse_define(bare.removeprefix("#define").strip(), number, header,
                                     forced=True)
                if macro is not None:
                    self._macros[macro.name] = macro
                    self._macro_headers[macro.name] = header
            elif bare and not bare.startswith("#"):
                tokens.extend(tokenize_line(line, number, header))
        self._typedefs |= declared_typedefs(tokens)
        for piece in split_declarations(tokens):
            self._index(header, piece)

    def _index(self, header: str, piece: list[Token]) -> None:
        if piece[0].type == "TYPEDEF":
            return
        declared = Declared(header, tuple(piece))
        if piece[0].type == "STRUCT" and len(piece) > 2 and piece[2].type == "LBRACE":
            self._structs[piece[1].value] = declared
            return
        for token, following in itertools.pairwise(piece):
            if following.type == "LPAREN" and token.type == "ID":
                self._functions[token.value] = declared
                return


@functools.cache
def library() -> StubLibrary:
    """The stub headers, read once in a process."""
    return StubLibrary()
