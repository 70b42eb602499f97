"""Tokens to pycparser's syntax tree, in one piece or declaration by declaration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pycparser import c_parser

from patchgen.checks.code.tokens import Token

Node = Any
"""A node of ``pycparser.c_ast``."""


class TokenLexer:
    """A lexer for pycparser that hands out tokens which exist already."""

    def __init__(self, *_: object, type_lookup_func: Callable[[str], bool] | None = None,
                 on_lbrace_func: Callable[[], None] | None = None,
                 on_rbrace_func: Callable[[], None] | None = None, **__: object) -> None:
        self._type_lookup = type_lookup_func
        self._on_lbrace = on_lbrace_func
        self._on_rbrace = on_rbrace_func
        self.filename = ""
        self._tokens: Sequence[Token] = ()
        self._next = 0

    def input(self, tokens: Sequence[Token], filename: str = "") -> None:
        """Start over with these tokens."""
        self._tokens = tokens
        self._next = 0
        self.filename = filename

    def token(self) -> Token | None:
        """The next token, None at the end."""
        if self._next >= len(self._tokens):
            return None
        token = self._tokens[self._next]
        self._next += 1
        if self._type_lookup is not None:
            return self._classified(token)
        return token

    def _classified(self, token: Token) -> Token:
        """For pycparser 3.0, whose lexer tells type names from others and counts scopes."""
        if token.type in ("ID", "TYPEID") and self._type_lookup is not None:
            kind = "TYPEID" if self._type_lookup(token.value) else "ID"
            return Token(kind, token.value, token.lineno, token.column, token.filename)
        if token.type == "LBRACE" and self._on_lbrace is not None:
            self._on_lbrace()
        elif token.type == "RBRACE" and self._on_rbrace is not None:
            self._on_rbrace()
        return token


class ParseFailedError(Exception):
    """pycparser does not take these tokens; ``line`` is where it stopped (0: unknown)."""

    def __init__(self, message: str, line: int) -> None:
        self.line = line
        super().__init__(message)


def _preface(names: Iterable[str], filename: str) -> list[Token]:
    words: list[Token] = []
    for name in sorted(names):
        words.append(Token("COMMA", ",", 0, 0, filename))
        words.append(Token("ID", name, 0, 0, filename))
    if not words:
        return []
    head = [Token("TYPEDEF", "typedef", 0, 0, filename), Token("INT", "int", 0, 0, filename)]
    return [*head, *words[1:], Token("SEMI", ";", 0, 0, filename)]


def parse_tokens(tokens: Sequence[Token], typedefs: Iterable[str], filename: str) -> list[Node]:
    """The declarations and functions of the tokens, in order.

    ``typedefs``: type names that are declared elsewhere. Raises ``ParseFailedError``.
    """
    used = set(typedefs) & {token.value for token in tokens if token.type == "ID"}
    lexer: Any = TokenLexer
    parser = c_parser.CParser(lexer=lexer)
    text: Any = [*_preface(used, filename), *tokens]
    try:
        tree = parser.parse(text, filename)
    except c_parser.ParseError as error:
        raise ParseFailedError(str(error), _line_of(str(error), filename)) from error
    except (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError,
            RecursionError) as error:
        raise ParseFailedError(f"pycparser: {type(error).__name__}", 0) from error
    return [node for node in tree.ext or () if node.coord is None or node.coord.line > 0]


def _line_of(message: str, filename: str) -> int:
    rest = message.removeprefix(f"{filename}:")
    number = rest.split(":", 1)[0]
    return int(number) if number.isdigit() else 0


def split_declarations(tokens: Sequence[Token]) -> list[list[Token]]:
    """The tokens cut after each file-level declaration or function body."""
    pieces: list[list[Token]] = []
    current: list[Token] = []
    depth = 0
    body = False
    for token in tokens:
        current.append(token)
        kind = token.type
        if kind in ("LBRACE", "LPAREN", "LBRACKET"):
            if kind == "LBRACE" and depth == 0:
                before = current[-2].type if len(current) > 1 else ""
                body = before == "RPAREN"
            depth += 1
        elif kind in ("RBRACE", "RPAREN", "RBRACKET"):
            depth = max(0, depth - 1)
            if depth == 0 and kind == "RBRACE" and body:
                pieces.append(current)
                current = []
        elif kind == "SEMI" and depth == 0:
            pieces.append(current)
            current = []
    if current:
        pieces.append(current)
    return pieces
