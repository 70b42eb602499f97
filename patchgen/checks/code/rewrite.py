"""What the kernel writes and the C grammar does not have, rewritten token by token.

Inline assembly, statement expressions, ``typeof``, ``case 1 ... 5``, ``a ?: b`` and loop
macros become plain C of the same shape at the same lines. ``ASM_CALL`` and
``STATEMENT_EXPRESSION`` are names that the rules know.
"""

from __future__ import annotations

from collections.abc import Sequence

from patchgen.checks.code.macros import split_arguments
from patchgen.checks.code.tokens import Token, words

ASM_CALL = "__asm_block"
STATEMENT_EXPRESSION = "__statement_expression"
TYPEOF_NAME = "__typeof_t"
ELVIS_NAME = "__same_as_condition"

_ASM = frozenset({"asm", "__asm__", "__asm"})
_TYPEOF = frozenset({"typeof", "__typeof__", "__typeof", "__auto_type", "typeof_unqual"})
_BEFORE_STATEMENT = frozenset({"SEMI", "LBRACE", "RBRACE", "RPAREN", "ELSE", "DO", "COLON"})
_DECLARATION_WORDS = words(
    "STATIC CONST STRUCT UNION ENUM INT CHAR LONG SHORT UNSIGNED SIGNED VOID INLINE EXTERN "
    "TYPEDEF VOLATILE"
)
_INTERESTING = frozenset({"ID", "LPAREN", "ELLIPSIS", "CONDOP", "STRING_LITERAL"})


class _Rewriter:
    def __init__(self, tokens: Sequence[Token]) -> None:
        self._in = tokens
        self._out: list[Token] = []
        self._depth = 0

    def run(self) -> list[Token]:
        tokens, out = self._in, self._out
        index = 0
        count = len(tokens)
        while index < count:
            token = tokens[index]
            kind = token.type
            if kind not in _INTERESTING:
                if kind == "LBRACE":
                    self._depth += 1
                elif kind == "RBRACE":
                    self._depth -= 1
                out.append(token)
                index += 1
            elif kind == "ID":
                index = self._identifier(index)
            elif kind == "LPAREN":
                index = self._parenthesis(index)
            elif kind == "ELLIPSIS":
                index = self._ellipsis(index)
            elif kind == "CONDOP":
                out.append(token)
                index += 1
                if index < count and tokens[index].type == "COLON":
                    out.append(token.renamed(ELVIS_NAME, "ID"))
            else:
                if out and out[-1].type == "ID" and self._drops_before_string(out):
                    out.pop()
                out.append(token)
                index += 1
        return out

    @staticmethod
    def _drops_before_string(out: list[Token]) -> bool:
        return len(out) < 2 or out[-2].type not in ("ARROW", "PERIOD")

    def _identifier(self, index: int) -> int:
        tokens, out = self._in, self._out
        token = tokens[index]
        name = token.value
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if name in _ASM:
            return self._asm(index)
        if name in _TYPEOF:
            return self._typeof(index)
        if (following is not None and following.type == "STRING_LITERAL") or (
            out and out[-1].type == "STRING_LITERAL"
        ):
            if out and out[-1].type == "STRING_LITERAL":
                return self._skip_call(index)
            out.append(token)
            return index + 1
        if (following is not None and following.type == "LPAREN" and self._depth > 0
                and (not out or out[-1].type in _BEFORE_STATEMENT)):
            split = split_arguments(tokens, index + 1)
            if split is not None and self._is_loop_macro(name, split[1]):
                return self._loop(index, split[1])
        out.append(token)
        return index + 1

    def _skip_call(self, index: int) -> int:
        """Past a word between string literals, with its arguments when it is a call."""
        tokens = self._in
        if index + 1 < len(tokens) and tokens[index + 1].type == "LPAREN":
            split = split_arguments(tokens, index + 1)
            if split is not None:
                return split[1]
        return index + 1

    def _is_loop_macro(self, name: str, after: int) -> bool:
        if after >= len(self._in):
            return False
        kind = self._in[after].type
        if kind == "LBRACE":
            return True
        named = "for_each" in name or name.startswith("scoped_guard")
        return named and (kind == "ID" or kind in ("IF", "FOR", "WHILE", "DO", "RETURN", "SEMI",
                                                   "SWITCH", "CONTINUE", "BREAK", "GOTO",
                                                   "TIMES", "PLUSPLUS", "MINUSMINUS", "LPAREN"))

    def _loop(self, index: int, after: int) -> int:
        name = self._in[index]
        inner = _Rewriter(self._in[index + 1 : after]).run()
        self._out.extend([
            name.renamed("for"), name.renamed("(", "LPAREN"), name.renamed(";", "SEMI"),
            name, *inner, name.renamed(";", "SEMI"), name.renamed(")", "RPAREN"),
        ])
        return after

    def _asm(self, index: int) -> int:
        tokens, out = self._in, self._out
        start = index
        index += 1
        while index < len(tokens) and tokens[index].value in (
            "volatile", "__volatile__", "goto", "inline", "__inline__",
        ):
            index += 1
        if index >= len(tokens) or tokens[index].type != "LPAREN":
            return index
        split = split_arguments(tokens, index)
        if split is None:
            return len(tokens)
        after = split[1]
        if self._depth == 0 or (out and out[-1].type == "ID"):
            if self._depth == 0 and after < len(tokens) and tokens[after].type == "SEMI" and (
                not out or out[-1].type in ("SEMI", "RBRACE")
            ):
                after += 1
            return after
        place = tokens[start]
        call = [place.renamed(ASM_CALL, "ID"), place.renamed("(", "LPAREN")]
        seen: set[str] = set()
        for token, nxt in zip(tokens[index:after], tokens[index + 1 : after], strict=False):
            if token.type == "ID" and token.value not in seen and nxt.type != "LPAREN":
                seen.add(token.value)
                if len(call) > 2:
                    call.append(place.renamed(",", "COMMA"))
                call += [place.renamed("&", "AND"), token]
        out.extend([*call, place.renamed(")", "RPAREN")])
        return after

    def _typeof(self, index: int) -> int:
        token = self._in[index]
        self._out.append(token.renamed(TYPEOF_NAME, "ID"))
        if index + 1 < len(self._in) and self._in[index + 1].type == "LPAREN":
            split = split_arguments(self._in, index + 1)
            if split is not None:
                return split[1]
        return index + 1

    def _parenthesis(self, index: int) -> int:
        tokens, out = self._in, self._out
        if index + 1 >= len(tokens) or tokens[index + 1].type != "LBRACE":
            out.append(tokens[index])
            return index + 1
        split = split_arguments(tokens, index)
        if split is None:
            out.append(tokens[index])
            return index + 1
        place = tokens[index]
        out += [place.renamed(STATEMENT_EXPRESSION, "ID"), place.renamed("(", "LPAREN")]
        seen: set[str] = set()
        for token in tokens[index : split[1]]:
            if token.type == "ID" and token.value not in seen and token.value.islower():
                if seen:
                    out.append(place.renamed(",", "COMMA"))
                seen.add(token.value)
                out += [place.renamed("&", "AND"), token]
        out.append(place.renamed(")", "RPAREN"))
        return split[1]

    def _ellipsis(self, index: int) -> int:
        tokens, out = self._in, self._out
        following = tokens[index + 1].type if index + 1 < len(tokens) else "RPAREN"
        if following in ("RPAREN", "COMMA") or not out or out[-1].type in ("LPAREN", "COMMA"):
            out.append(tokens[index])
            return index + 1
        index += 1
        depth = 0
        while index < len(tokens):
            kind = tokens[index].type
            if depth == 0 and kind in ("COLON", "RBRACKET"):
                break
            depth += kind in ("LPAREN", "LBRACKET")
            depth -= kind in ("RPAREN", "RBRACKET")
            index += 1
        return index


def rewrite(tokens: Sequence[Token]) -> list[Token]:
    """The tokens in plain C; lines and columns stay those of the source."""
    return _Rewriter(tokens).run()


def drop_unknown_macros(tokens: Sequence[Token]) -> list[Token]:
    """Without file-level macro calls and attribute words that no header explains."""
    out: list[Token] = []
    depth = 0
    index = 0
    count = len(tokens)
    while index < count:
        token = tokens[index]
        kind = token.type
        if kind in ("LBRACE", "LPAREN"):
            depth += 1
        elif kind in ("RBRACE", "RPAREN"):
            depth -= 1
        elif kind == "ID" and depth == 0:
            skip = _unknown_macro(tokens, index, out)
            if skip:
                index = skip
                continue
        out.append(token)
        index += 1
    return out


def _unknown_macro(tokens: Sequence[Token], index: int, out: list[Token]) -> int:
    """The index after an unknown macro at file level, 0 when there is none here."""
    before = out[-1].type if out else "SEMI"
    after = tokens[index + 1].type if index + 1 < len(tokens) else "SEMI"
    at_start = before in ("SEMI", "RBRACE")
    if before == "RPAREN":
        if after in ("LBRACE", "SEMI"):
            return index + 1
        if after == "LPAREN":
            split = split_arguments(tokens, index + 1)
            return split[1] if split else 0
        return 0
    if at_start and after in _DECLARATION_WORDS:
        return index + 1
    if after == "LPAREN" and (at_start or before == "STATIC"):
        split = split_arguments(tokens, index + 1)
        if split is None:
            return 0
        end = split[1]
        kind = tokens[end].type if end < len(tokens) else "SEMI"
        if kind == "SEMI":
            if before == "STATIC":
                out.pop()
            return end + 1
        if kind in _DECLARATION_WORDS or kind == "ID":
            return end
    if before == "ID" and tokens[index].value.startswith("__") and after in (
        "EQUALS", "SEMI", "LBRACKET", "LPAREN",
    ):
        return index + 1
    return 0
