"""``#if`` expressions: what a checker takes as true.

Configuration symbols count as set, so that the code behind them is read; ``#ifndef`` of one
hides its body for the same reason. What cannot be worked out counts as true.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from patchgen.profiles import KernelVersion

_PIECE = re.compile(r"\s*(0[xX][0-9a-fA-F]+|[0-9]+|\w+|&&|\|\||[=!<>]=|<<|>>|'.'|\S)[uUlL]*")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]{1,16}|[0-9]{1,18}")
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="),
    ("<<", ">>"), ("+", "-"), ("*", "/", "%"),
)  # fmt: skip
_LIMIT = (1 << 64) - 1


class _UnknownError(Exception):
    """The expression is none that can be worked out."""


def config_is_set(name: str) -> bool:
    """Whether a checker reads the code behind ``CONFIG_…``."""
    return name.startswith("CONFIG_")


class Evaluator:
    """Works out one ``#if`` expression after another for one file."""

    def __init__(self, *, is_defined: Callable[[str], bool],
                 value_of: Callable[[str], str | None], kernel: KernelVersion) -> None:
        self._is_defined = is_defined
        self._value_of = value_of
        self._kernel = kernel
        self._pieces: list[str] = []
        self._at = 0

    def truth(self, expression: str) -> bool:
        """Whether the code behind ``#if expression`` is read."""
        self._pieces = _PIECE.findall(expression)
        self._at = 0
        try:
            value = self._ternary()
        except (_UnknownError, RecursionError):
            return True
        return self._at < len(self._pieces) or bool(value)

    def _take(self) -> str:
        if self._at >= len(self._pieces):
            raise _UnknownError
        self._at += 1
        return self._pieces[self._at - 1]

    def _peek(self) -> str:
        return self._pieces[self._at] if self._at < len(self._pieces) else ""

    def _ternary(self) -> int:
        value = self._binary(0)
        if self._peek() != "?":
            return value
        self._take()
        yes = self._ternary()
        if self._take() != ":":
            raise _UnknownError
        no = self._ternary()
        return yes if value else no

    def _binary(self, level: int) -> int:
        if level == len(_LEVELS):
            return self._unary()
        value = self._binary(level + 1)
        while self._peek() in _LEVELS[level]:
            operator = self._take()
            value = _apply(operator, value, self._binary(level + 1))
        return value

    def _unary(self) -> int:
        piece = self._take()
        if piece == "!":
            return int(not self._unary())
        if piece == "-":
            return -self._unary()
        if piece == "+":
            return self._unary()
        if piece == "~":
            return ~self._unary() & _LIMIT
        if piece == "(":
            value = self._ternary()
            if self._take() != ")":
                raise _UnknownError
            return value
        if piece[0] in "0123456789":
            if not _NUMBER.fullmatch(piece):
                raise _UnknownError
            return int(piece, 16 if piece[:2] in ("0x", "0X") else 10)
        return self._word(piece)

    def _word(self, name: str) -> int:
        if name == "defined":
            return int(self._defined(self._argument()))
        if name in ("IS_ENABLED", "IS_REACHABLE", "IS_BUILTIN", "IS_MODULE"):
            return int(config_is_set(self._argument()))
        if name == "LINUX_VERSION_CODE":
            return (self._kernel.major << 16) + (self._kernel.minor << 8)
        if name == "KERNEL_VERSION":
            return self._version()
        if self._peek() == "(" or not (name[0].isalpha() or name[0] == "_"):
            raise _UnknownError
        if config_is_set(name):
            return 1
        text = self._value_of(name)
        if text is not None and _NUMBER.fullmatch(text):
            return int(text, 16 if text[:2] in ("0x", "0X") else 10)
        return 0

    def _argument(self) -> str:
        if self._peek() != "(":
            return self._take()
        self._take()
        name = self._take()
        if self._take() != ")":
            raise _UnknownError
        return name

    def _defined(self, name: str) -> bool:
        return config_is_set(name) or self._is_defined(name)

    def _version(self) -> int:
        parts = []
        for expected in "(,,":
            if self._take() != expected:
                raise _UnknownError
            parts.append(self._ternary())
        if self._take() != ")":
            raise _UnknownError
        return (parts[0] << 16) + (parts[1] << 8) + parts[2]


def _apply(operator: str, left: int, right: int) -> int:
    match operator:
        case "||":
            return int(bool(left) or bool(right))
        case "&&":
            return int(bool(left) and bool(right))
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "&":
            return left & right
        case "<<" | ">>":
            if not 0 <= right < 64:
                raise _UnknownError
            return (left << right if operator == "<<" else left >> right) & _LIMIT
        case "+" | "-" | "*":
            value = {"+": left + right, "-": left - right, "*": left * right}[operator]
            return value & _LIMIT if value >= 0 else value
        case "/" | "%":
            if right == 0:
                raise _UnknownError
            return left // right if operator == "/" else left % right
        case _:
            return int({"==": left == right, "!=": left != right, "<": left < right,
                        ">": left > right, "<=": left <= right, ">=": left >= right}[operator])
