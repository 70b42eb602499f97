"""C source text to tokens: comments taken out and kept, every token with its place.

The token types are the names pycparser's parser expects (``pycparser.c_lexer``), so a list
of tokens can be parsed without being printed and read again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


class Token:
    """One token: pycparser's type name, its text, and where it stands (from 1)."""

    __slots__ = ("column", "filename", "lineno", "type", "value")

    def __init__(self, type: str, value: str, lineno: int, column: int, filename: str) -> None:
        self.type = type
        self.value = value
        self.lineno = lineno
        self.column = column
        self.filename = filename

    def __repr__(self) -> str:
        return f"{self.value!r}@{self.lineno}:{self.column}"

    def at(self, place: Token) -> Token:
        """The same token, moved to where another one stands (macro expansion)."""
        return Token(self.type, self.value, place.lineno, place.column, place.filename)

    def renamed(self, value: str, type: str | None = None) -> Token:
        """A token with another text at the same place."""
        kind = type or KEYWORDS.get(value, "ID")
        return Token(kind, value, self.lineno, self.column, self.filename)


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment without its marks; ``line`` and ``end_line`` count from 1."""

    text: str
    line: int
    end_line: int


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


_KEYWORD_NAMES = (
    "auto break case char const continue default do double else enum extern float for goto if "
    "inline int long register restrict return short signed sizeof static struct switch typedef "
    "union unsigned void volatile while"
)
KEYWORDS: dict[str, str] = {name: name.upper() for name in _KEYWORD_NAMES.split()}
KEYWORDS |= {
    "offsetof": "OFFSETOF",
    "_Bool": "_BOOL",
    "__int128": "__INT128",
    "_Static_assert": "_STATIC_ASSERT",
    "_Noreturn": "_NORETURN",
    "_Generic": "_GENERIC",
}

PUNCTUATORS: dict[str, str] = {
    "...": "ELLIPSIS", "<<=": "LSHIFTEQUAL", ">>=": "RSHIFTEQUAL", "++": "PLUSPLUS",
    "--": "MINUSMINUS", "->": "ARROW", "&&": "LAND", "||": "LOR", "<<": "LSHIFT",
    ">>": "RSHIFT", "<=": "LE", ">=": "GE", "==": "EQ", "!=": "NE", "*=": "TIMESEQUAL",
    "/=": "DIVEQUAL", "%=": "MODEQUAL", "+=": "PLUSEQUAL", "-=": "MINUSEQUAL",
    "&=": "ANDEQUAL", "|=": "OREQUAL", "^=": "XOREQUAL", "=": "EQUALS", "+": "PLUS",
    "-": "MINUS", "*": "TIMES", "/": "DIVIDE", "%": "MOD", "|": "OR", "&": "AND", "~": "NOT",
    "^": "XOR", "!": "LNOT", "<": "LT", ">": "GT", "?": "CONDOP", "(": "LPAREN",
    ")": "RPAREN", "[": "LBRACKET", "]": "RBRACKET", "{": "LBRACE", "}": "RBRACE",
    ",": "COMMA", ".": "PERIOD", ";": "SEMI", ":": "COLON", "##": "HASHHASH", "#": "PPHASH",
}  # fmt: skip

_COMMENT_OR_STRING = re.compile(
    r"//(?:[^\n\\]|\\.|\\\n)*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'",
    re.DOTALL,
)

_TOKEN = re.compile(
    r"(?P<ID>[A-Za-z_$][\w$]*)"
    r"|(?P<FLOAT>(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?[fFlL]?)"
    r"|(?P<NUM>0[xX][0-9a-fA-F]+[uUlL]*|0[bB][01]+[uUlL]*|\d+[uUlL]*)"
    r"|(?P<STR>\"(?:\\.|[^\"\\])*\")"
    r"|(?P<CHR>'(?:\\.|[^'\\])+')"
    r"|(?P<OP>\.\.\.|<<=|>>=|->|\+\+|--|&&|\|\||<<|>>|[<>=!+\-*/%&|^]=|\#\#"
    r"|[-+*/%&|^~!<>=?:;,.(){}\[\]\#])",
    re.ASCII,
)


def split_comments(text: str) -> tuple[str, list[Comment]]:
    """The text with every comment blanked out (lines and columns kept), and the comments."""
    comments: list[Comment] = []
    line = 1
    counted = 0

    def blank(match: re.Match[str]) -> str:
        nonlocal line, counted
        found = match[0]
        if found[0] != "/":
            return found
        line += text.count("\n", counted, match.start())
        counted = match.start()
        inner = found[2:-2] if found.endswith("*/") and found[1] == "*" else found[2:]
        breaks = found.count("\n")
        comments.append(Comment(inner, line, line + breaks))
        if not breaks:
            return " " * len(found)
        return "\n" * breaks + " " * (len(found) - found.rfind("\n") - 1)

    return _COMMENT_OR_STRING.sub(blank, text), comments


def _number_type(value: str) -> str:
    if value[:2] in ("0x", "0X"):
        return "INT_CONST_HEX"
    if value[:2] in ("0b", "0B"):
        return "INT_CONST_BIN"
    if value[0] == "0" and len(value) > 1 and value[1].isdigit():
        return "INT_CONST_OCT"
    return "INT_CONST_DEC"


def tokenize_line(line: str, lineno: int, filename: str, offset: int = 0) -> list[Token]:
    """The tokens of one line without comments; unknown characters are passed over.

    ``offset`` is the column (from 0) at which ``line`` starts in its source line.
    """
    tokens: list[Token] = []
    append = tokens.append
    keyword = KEYWORDS.get
    for match in _TOKEN.finditer(line):
        kind = match.lastgroup
        value = match[0]
        if kind == "ID":
            kind = keyword(value, "ID")
        elif kind == "OP":
            kind = PUNCTUATORS[value]
        elif kind == "NUM":
            kind = _number_type(value)
        elif kind == "STR":
            kind = "STRING_LITERAL"
        elif kind == "CHR":
            kind = "CHAR_CONST" if len(value) < 4 or value[1] == "\\" else "INT_CONST_CHAR"
        else:
            kind = "FLOAT_CONST"
        append(Token(kind, value, lineno, match.start() + 1 + offset, filename))
    return tokens
