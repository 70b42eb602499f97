"""Macros: which ones have to be expanded before C can be parsed, and expanding them.

A macro that is an expression stays a name or a call (``GFP_KERNEL``, ``AES_BLOCK_SIZE``,
``REG_CTRL(n)``): findings then speak the words of the source. Only what hides declarations,
statements or calls is expanded. Expanded tokens stand where the invocation stands.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from patchgen.checks.code.tokens import Token, tokenize_line, words

_TYPE_WORDS = words(
    "STRUCT UNION ENUM INT CHAR LONG SHORT UNSIGNED SIGNED VOID FLOAT DOUBLE CONST _BOOL"
)
_STATEMENT_WORDS = words(
    "LBRACE SEMI STATIC EXTERN TYPEDEF RETURN IF DO WHILE FOR SWITCH CASE GOTO BREAK CONTINUE "
    "HASHHASH INLINE VOLATILE EQUALS PLUSEQUAL OREQUAL ANDEQUAL MINUSEQUAL"
)
_PURE = words(
    "cpu_to_le16 cpu_to_le32 cpu_to_le64 cpu_to_be16 cpu_to_be32 cpu_to_be64 le16_to_cpu "
    "le32_to_cpu le64_to_cpu be16_to_cpu be32_to_cpu be64_to_cpu min max min_t max_t clamp "
    "round_up round_down roundup rounddown ilog2 lower_32_bits upper_32_bits abs fls ffs "
    "ALIGN offsetof sizeof defined"
)


@dataclass(frozen=True, slots=True)
class Macro:
    """One ``#define``; ``params`` is None for an object-like one."""

    name: str
    params: tuple[str, ...] | None
    variadic: bool
    body: tuple[Token, ...]
    line: int
    is_expression: bool

    @property
    def text(self) -> str:
        """The body as text, words one blank apart."""
        return " ".join(token.value for token in self.body)


def parse_define(rest: str, line: int, filename: str, *, forced: bool = False) -> Macro | None:
    """The macro that ``#define rest`` makes; None for a broken line.

    ``forced``: always expand it (our stub headers define only what needs expanding).
    """
    tokens = tokenize_line(rest, line, filename)
    if not tokens or not (tokens[0].value[0].isalpha() or tokens[0].value[0] == "_"):
        return None
    name = tokens[0]
    params: tuple[str, ...] | None = None
    variadic = False
    body = tokens[1:]
    if body and body[0].type == "LPAREN" and body[0].column == name.column + len(name.value):
        end = next((i for i, t in enumerate(body) if t.type == "RPAREN"), None)
        if end is None:
            return None
        names = [t.value for t in body[1:end] if t.type != "COMMA"]
        variadic = "..." in names
        if variadic and names.index("...") > 0 and names[-1] == "..." and (
            len([t for t in body[1:end] if t.type == "COMMA"]) < len(names) - 1
        ):
            names = names[:-1]
        else:
            names = ["__VA_ARGS__" if w == "..." else w for w in names]
        params = tuple(names)
        body = body[end + 1 :]
    expression = not forced and _is_expression(name.value, params, body)
    return Macro(name.value, params, variadic, tuple(body), line, expression)


def _is_expression(name: str, params: tuple[str, ...] | None, body: Sequence[Token]) -> bool:
    if not body:
        return False
    kinds = {token.type for token in body}
    if kinds & _STATEMENT_WORDS or "PPHASH" in kinds:
        return False
    if params is None:
        first = body[0]
        if first.type in _TYPE_WORDS:
            return False
        if len(body) == 1 and first.type == "ID":
            return name.isupper()
        return first.type != "STRING_LITERAL" or len(body) == 1
    if body[0].type in _TYPE_WORDS or body[0].type == "LBRACKET":
        return False
    for token, following in itertools.pairwise(body):
        if token.type == "ID" and following.type == "LPAREN" and token.value.islower() \
                and token.value not in _PURE and token.value not in params:
            return False
        if token.type in ("PERIOD", "ARROW") and following.value in params:
            return False
    return True


def split_arguments(tokens: Sequence[Token], start: int) -> tuple[list[list[Token]], int] | None:
    """The arguments of the call whose ``(`` is at ``start``, and the index after its ``)``."""
    depth = 0
    arguments: list[list[Token]] = [[]]
    for index in range(start, len(tokens)):
        token = tokens[index]
        kind = token.type
        if kind in ("LPAREN", "LBRACE", "LBRACKET"):
            depth += 1
            if depth == 1:
                continue
        elif kind in ("RPAREN", "RBRACE", "RBRACKET"):
            depth -= 1
            if depth == 0:
                return arguments, index + 1
        elif kind == "COMMA" and depth == 1:
            arguments.append([])
            continue
        arguments[-1].append(token)
    return None


class Expander:
    """Expands the macros of one table in lists of tokens."""

    def __init__(self, macros: Mapping[str, Macro]) -> None:
        self._macros = macros

    def expand(self, tokens: Sequence[Token], hidden: frozenset[str] = frozenset()) -> list[Token]:
        """The tokens with everything expanded that has to be."""
        macros = self._macros
        out: list[Token] = []
        index = 0
        count = len(tokens)
        while index < count:
            token = tokens[index]
            macro = macros.get(token.value) if token.type == "ID" else None
            if macro is None or token.value in hidden or len(hidden) > 24:
                out.append(token)
                index += 1
            elif macro.params is None:
                index += 1
                if macro.is_expression:
                    out.append(token)
                else:
                    body = [part.at(token) for part in macro.body]
                    out.extend(self.expand(body, hidden | {macro.name}))
            else:
                index = self._call(macro, tokens, index, out, hidden)
        return out

    def _call(self, macro: Macro, tokens: Sequence[Token], index: int, out: list[Token],
              hidden: frozenset[str]) -> int:
        name = tokens[index]
        split = None
        if index + 1 < len(tokens) and tokens[index + 1].type == "LPAREN":
            split = split_arguments(tokens, index + 1)
        if split is None:
            out.append(name)
            return index + 1
        arguments, after = split
        if macro.is_expression and not _has_types(arguments):
            out.append(name)
            return index + 1
        body = self._substitute(macro, arguments, name, hidden)
        out.extend(self.expand(body, hidden | {macro.name}))
        return after

    def _substitute(self, macro: Macro, arguments: list[list[Token]], place: Token,
                    hidden: frozenset[str]) -> list[Token]:
        params = macro.params or ()
        bound: dict[str, list[Token]] = {}
        for position, param in enumerate(params):
            last = macro.variadic and position == len(params) - 1
            pieces = arguments[position:] if last else arguments[position : position + 1]
            bound[param] = _join(pieces, place)
        result: list[Token] = []
        body = macro.body
        index = 0
        while index < len(body):
            token = body[index]
            follows = body[index + 1] if index + 1 < len(body) else None
            if token.type == "PPHASH" and follows is not None and follows.value in bound:
                text = " ".join(t.value for t in bound[follows.value])
                quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
                result.append(Token("STRING_LITERAL", quoted, place.lineno, place.column,
                                    place.filename))
                index += 2
            elif token.type == "HASHHASH" and result and follows is not None:
                right = bound.get(follows.value, [follows])
                _paste(result, right, place)
                index += 2
            elif token.value in bound:
                pasted = follows is not None and follows.type == "HASHHASH"
                piece = bound[token.value]
                result.extend(piece if pasted else self.expand(piece, hidden))
                index += 1
            else:
                result.append(token.at(place))
                index += 1
        return result


def _has_types(arguments: list[list[Token]]) -> bool:
    return any(
        not argument or argument[0].type in _TYPE_WORDS or argument[0].type == "LBRACE"
        or argument[-1].type == "TIMES"
        for argument in arguments
    ) and arguments != [[]]


def _join(pieces: Sequence[list[Token]], place: Token) -> list[Token]:
    joined: list[Token] = []
    for number, piece in enumerate(pieces):
        if number:
            joined.append(Token("COMMA", ",", place.lineno, place.column, place.filename))
        joined.extend(piece)
    return joined


def _paste(result: list[Token], right: list[Token], place: Token) -> None:
    if not right:
        if result and result[-1].type == "COMMA":
            result.pop()
        return
    left = result.pop()
    if left.type == "COMMA":
        result.extend([left, *right])
        return
    joined = left.value + right[0].value
    pasted = tokenize_line(joined, place.lineno, place.filename)
    result.extend(token.at(place) for token in pasted)
    result.extend(right[1:])
