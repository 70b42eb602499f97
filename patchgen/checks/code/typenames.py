"""Which identifiers are type names: declared ones, and those that only a type can be.

C can be parsed without a symbol table except for this. Two identifiers side by side, a
starred parenthesis or a pointer declaration at the start of a statement give an unknown
type away, so drivers parse although the headers that define their types are not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from patchgen.checks.code.tokens import Token, words

_BEFORE_TYPE = words(
    "SEMI LBRACE RBRACE LPAREN COMMA STATIC CONST EXTERN INLINE VOLATILE REGISTER TYPEDEF"
)
_STATEMENT_START = words("SEMI LBRACE RBRACE STATIC CONST EXTERN INLINE VOLATILE REGISTER TYPEDEF")
_AFTER_POINTER = words("EQUALS SEMI COMMA LBRACKET LPAREN RPAREN")
_AFTER_CAST = words("ID INT_CONST_DEC INT_CONST_HEX SIZEOF NOT")


def declared_typedefs(tokens: Sequence[Token]) -> set[str]:
    """The names that ``typedef`` declarations at any level of the tokens introduce."""
    names: set[str] = set()
    for index, token in enumerate(tokens):
        if token.type != "TYPEDEF":
            continue
        depth = 0
        last = ""
        for position in range(index + 1, len(tokens)):
            kind = tokens[position].type
            if kind in ("LBRACE", "LPAREN", "LBRACKET"):
                following = tokens[position + 1] if position + 1 < len(tokens) else None
                if kind == "LPAREN" and depth == 0 and following and following.type == "TIMES":
                    names.add(tokens[position + 2].value)
                    last = ""
                depth += 1
            elif kind in ("RBRACE", "RPAREN", "RBRACKET"):
                depth -= 1
            elif depth == 0 and kind == "ID":
                last = tokens[position].value
            elif depth == 0 and kind in ("COMMA", "SEMI"):
                if last:
                    names.add(last)
                last = ""
                if kind == "SEMI":
                    break
    return names


def guess_typedefs(tokens: Sequence[Token], known: Iterable[str]) -> set[str]:
    """Identifiers that stand where only a type name can stand and that nobody declared."""
    known = set(known)
    found: set[str] = set()
    depth = 0
    count = len(tokens)
    for index, token in enumerate(tokens):
        kind = token.type
        if kind == "LBRACE":
            depth += 1
        elif kind == "RBRACE":
            depth -= 1
        if kind != "ID" or token.value in known or token.value in found:
            continue
        before = tokens[index - 1].type if index else "SEMI"
        after = tokens[index + 1].type if index + 1 < count else "SEMI"
        if (after == "ID" and before in _BEFORE_TYPE) or (
            after == "TIMES" and _declares_pointer(tokens, index, before, depth)
        ) or (after == "RPAREN" and before == "LPAREN" and index + 2 < count and index > 1
              and tokens[index + 2].type in _AFTER_CAST
              and tokens[index - 2].type not in ("ID", "IF", "WHILE", "SWITCH", "FOR")):
            found.add(token.value)
    return found


def _declares_pointer(tokens: Sequence[Token], index: int, before: str, depth: int) -> bool:
    position = index + 1
    count = len(tokens)
    while position < count and tokens[position].type in ("TIMES", "CONST"):
        position += 1
    if position >= count:
        return False
    kind = tokens[position].type
    if kind == "RPAREN":
        return before in ("LPAREN", "CONST", "COMMA")
    if kind != "ID" or position + 1 >= count:
        return False
    if tokens[position + 1].type not in _AFTER_POINTER:
        return False
    return before in _STATEMENT_START or (depth == 0 and before in ("LPAREN", "COMMA"))
